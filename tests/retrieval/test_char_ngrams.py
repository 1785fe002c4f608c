import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import HashingVectorizer

from isogloss.errors import EncoderError
from isogloss.retrieval.char_ngrams import CharacterNgramModel
from isogloss.retrieval.declaration import CharacterNgrams
from isogloss.retrieval.encoders import load_encoder

TEXTS = ["a dye", "Ein Katalysator für Ammoniak", "一种聚合物薄膜", "x"]


def declared(shortest, longest, dimension=512):
    return CharacterNgrams(
        key="grams",
        kind="char-ngrams",
        dimension=dimension,
        shortest=shortest,
        longest=longest,
        licence="mit",
    )


@pytest.mark.parametrize("sizes", [(50, 50), (50, 60)])
def test_a_text_without_any_ngram_is_refused_by_its_id(sizes):
    encoder = load_encoder(declared(*sizes), "cpu")
    long = "w" * 60
    said = r"grams: 2 of 3 vectors .*\(d1, d3\); the model finds nothing .*models/grams\.yaml"
    with pytest.raises(EncoderError, match=said):
        encoder.encode_sent(["a dye", long, "a catalyst"], ["d1", "d2", "d3"])
    np.testing.assert_allclose(np.linalg.norm(encoder.encode([long], "document")), 1, atol=1e-6)


def test_words_too_short_add_nothing_to_a_text_with_ngrams():
    encoder = load_encoder(declared(8, 9), "cpu")
    alone, among = encoder.encode(["catalyst", "a catalyst of it"], "document")
    np.testing.assert_array_equal(alone, among)


@settings(max_examples=50)
@given(st.lists(st.text(max_size=30), min_size=1, max_size=5), st.integers(1, 3))
def test_ngrams_no_longer_than_a_padded_letter_are_the_librarys(texts, shortest):
    """A word has three characters at least, its blanks among them, so none is ever too short."""
    found = CharacterNgramModel(declared(shortest, 5)).counts(texts)
    plain = HashingVectorizer(
        analyzer="char_wb", ngram_range=(shortest, 5), n_features=512, norm=None
    )
    np.testing.assert_array_equal(found, plain.transform(texts).toarray().astype(np.float32))
