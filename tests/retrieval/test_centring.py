"""Centring: checked against plain loops, and where a language has nothing to be centred by."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isogloss.retrieval.centring import centre


def unit(rng, n, dimension=6):
    vectors = rng.normal(size=(n, dimension))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(2, 4))
def test_means_are_those_of_loops(seed, fewest):
    rng = np.random.default_rng(seed)
    reference, queries = unit(rng, 20), unit(rng, 7)
    held = rng.choice(["de", "en", "zh"], size=20)
    asked = rng.choice(["de", "en", "sw"], size=7)
    centred = centre(queries, asked, reference, held, fewest)
    for row, language in enumerate(asked):
        members = [reference[i].astype(float) for i in range(20) if held[i] == language]
        chosen = members if len(members) >= fewest else list(reference.astype(float))
        moved = queries[row].astype(float) - sum(chosen) / len(chosen)
        assert centred.vectors[row] == pytest.approx(moved / np.linalg.norm(moved), abs=1e-6)
    assert np.linalg.norm(centred.vectors, axis=1) == pytest.approx(1.0, abs=1e-6)
    few = {language for language in asked if (held == language).sum() < fewest}
    assert centred.without_mean == sorted(few)
    assert centred.vanished == []


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_what_a_language_adds_to_every_text_is_taken_off(seed):
    rng = np.random.default_rng(seed)
    meaning = rng.normal(size=(8, 6))
    offsets = {"de": rng.normal(size=6), "zh": rng.normal(size=6)}
    languages = np.repeat(["de", "zh"], 8)
    moved = np.concatenate([meaning + offsets["de"], meaning + offsets["zh"]])
    # Not of length 1, so that the offset is the same for every text.
    centred = centre(moved.astype(np.float32), languages, moved.astype(np.float32), languages)
    assert centred.vectors[:8] == pytest.approx(centred.vectors[8:], abs=1e-4)


def test_a_lone_text_is_centred_by_the_mean_over_all_languages():
    rng = np.random.default_rng(1)
    vectors = unit(rng, 5)
    languages = np.array(["en", "en", "en", "en", "zu"])
    centred = centre(vectors, languages, vectors, languages)
    assert centred.without_mean == ["zu"]
    moved = vectors[4].astype(float) - vectors.astype(float).mean(axis=0)
    assert centred.vectors[4] == pytest.approx(moved / np.linalg.norm(moved), abs=1e-6)


def test_texts_that_are_their_own_mean_stay_as_they_are():
    vectors = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float32)
    languages = np.array(["de", "de", "en", "en"])
    centred = centre(vectors, languages, vectors, languages)
    assert centred.vanished == [0, 1]
    assert centred.vectors[:2].tolist() == vectors[:2].tolist()
    assert np.isfinite(centred.vectors).all()
    half = 2**-0.5
    assert centred.vectors[2] == pytest.approx([0, half, -half])
