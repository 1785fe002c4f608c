from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isogloss.errors import StoreError
from isogloss.retrieval.search import exact_scores, pair_scores, search


def unit(vectors):
    vectors = np.asarray(vectors, dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def brute(queries, documents, depth):
    """The definition: every float64 cosine, rounded, descending, then index ascending."""
    n = len(documents)
    order = []
    for row in range(len(queries)):
        scores = pair_scores(queries, documents, np.full(n, row), np.arange(n))
        order.append(np.lexsort((np.arange(n), -scores))[:depth])
    return np.array(order)


def crowded(seed, n_documents, dimension, copies, jitter):
    """Vectors with many exact copies and many neighbours within float32 noise of each other."""
    rng = np.random.default_rng(seed)
    base = rng.standard_normal((max(1, n_documents // copies), dimension))
    documents = base[rng.integers(0, len(base), n_documents)]
    documents = documents + jitter * rng.standard_normal(documents.shape)
    return unit(rng.standard_normal((5, dimension))), unit(documents)


@given(
    seed=st.integers(0, 10_000),
    n_documents=st.integers(1, 120),
    dimension=st.integers(2, 24),
    copies=st.integers(1, 60),
    jitter=st.sampled_from([0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-3]),
    depth=st.integers(1, 130),
    margin=st.integers(0, 8),
)
@settings(max_examples=200)
def test_order_is_that_of_brute_float64(
    seed, n_documents, dimension, copies, jitter, depth, margin
):
    queries, documents = crowded(seed, n_documents, dimension, copies, jitter)
    ranking = search(queries, documents, depth, margin=margin, block=2)
    np.testing.assert_array_equal(ranking.documents, brute(queries, documents, depth))


@given(seed=st.integers(0, 10_000), jitter=st.sampled_from([0.0, 1e-7]), block=st.integers(1, 7))
@settings(max_examples=30)
def test_block_sizes_change_nothing(seed, jitter, block):
    queries, documents = crowded(seed, 200, 16, 10, jitter)
    whole = search(queries, documents, 50)
    parted = search(queries, documents, 50, block=block)
    np.testing.assert_array_equal(whole.documents, parted.documents)


def test_exact_scores_agree_with_the_order():
    queries, documents = crowded(7, 3000, 64, 20, 1e-7)
    ranking = search(queries, documents, 1000)
    scores = exact_scores(ranking, queries, documents)
    later = np.diff(scores, axis=1)
    assert (later <= 0).all()
    assert (np.diff(ranking.documents.astype(int), axis=1)[later == 0] > 0).all()
    wide = queries.astype(np.float64) @ documents.T.astype(np.float64)
    expected = np.take_along_axis(wide, ranking.documents.astype(int), axis=1)
    np.testing.assert_allclose(scores, expected, atol=1e-9)


def test_a_tie_across_the_cut_that_outruns_the_margin_keeps_the_lowest_ids():
    documents = unit(np.ones((5000, 8)))
    ranking = search(documents[:2], documents, 1000, margin=64)
    np.testing.assert_array_equal(ranking.documents, np.tile(np.arange(1000), (2, 1)))


def test_padding_has_no_score():
    queries, documents = crowded(1, 10, 4, 1, 0.0)
    ranking = search(queries, documents, 5)
    ranking.documents[:, 3:] = -1
    scores = exact_scores(ranking, queries, documents)
    assert np.isneginf(scores[:, 3:]).all()
    assert np.isfinite(scores[:, :3]).all()


@pytest.mark.parametrize(("n_documents", "expected"), [(2000, 1000), (1000, 1000), (300, 300)])
def test_depth_is_a_thousand_or_the_whole_pool(n_documents, expected):
    queries, documents = crowded(3, n_documents, 8, 1, 0.0)
    ranking = search(queries, documents)
    assert ranking.documents.shape == (5, expected)
    assert all(len(set(row)) == expected for row in ranking.documents.tolist())


@pytest.mark.parametrize("case", ["R01"], indirect=True)
def test_ties_have_one_order_whatever_the_order_of_arrival(case):
    relevant = case["id_ascending_rank_of_d5"]["input"]["relevant"][0]
    ids = sorted(case["id_ascending_rank_of_d5"]["input"]["scores"])
    ranks = set()
    for arrival in permutations(ids):
        # The store hands vectors out in id order, whatever the order they were written in.
        stored = {key: [1.0, 0.0] for key in arrival}
        documents = unit([stored[key] for key in sorted(stored)])
        ranking = search(unit([[0.5, 0.5]]), documents)
        ranks.add([sorted(stored)[index] for index in ranking.documents[0]].index(relevant) + 1)
    assert ranks == {case["id_ascending_rank_of_d5"]["expected"]}


def test_vectors_of_two_dimensions_are_refused():
    with pytest.raises(StoreError, match=r"\(1, 3\).*\(4, 2\)"):
        search(unit(np.ones((1, 3))), unit(np.ones((4, 2))))
