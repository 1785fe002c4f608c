import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_search import crowded

from isogloss.errors import StoreError
from isogloss.retrieval.block_search import search_blocks
from isogloss.retrieval.search import exact_scores, search


class Shuffled:
    """A pool in memory, given in blocks of a shuffled order."""

    def __init__(self, vectors, size, seed=0, missing=0):
        self.vectors, self.size = vectors, size
        self.count, self.dimension = vectors.shape
        self.order = np.random.default_rng(seed).permutation(self.count)[missing:]
        self.passes = 0

    def __iter__(self):
        self.passes += 1
        for start in range(0, len(self.order), self.size):
            places = self.order[start : start + self.size]
            yield places, np.ascontiguousarray(self.vectors[places])


@given(
    seed=st.integers(0, 10_000),
    n_documents=st.integers(1, 120),
    copies=st.integers(1, 60),
    jitter=st.sampled_from([0.0, 1e-8, 1e-7, 1e-6, 1e-3]),
    depth=st.integers(1, 130),
    margin=st.integers(0, 8),
    size=st.integers(1, 50),
)
@settings(max_examples=200)
def test_blocks_give_the_ranking_and_the_scores_of_the_whole(
    seed, n_documents, copies, jitter, depth, margin, size
):
    queries, documents = crowded(seed, n_documents, 12, copies, jitter)
    whole = search(queries, documents, depth)
    parted = search_blocks(queries, Shuffled(documents, size, seed), depth, margin=margin)
    np.testing.assert_array_equal(parted.documents, whole.documents)
    np.testing.assert_array_equal(parted.scores, exact_scores(whole, queries, documents))


def test_two_passes_do_where_no_tie_crosses_the_cut():
    queries, documents = crowded(1, 500, 24, 1, 1e-3)
    blocks = Shuffled(documents, 64)
    search_blocks(queries, blocks, 20)
    assert blocks.passes == 2


def test_many_whole_rows_are_settled_a_few_at_a_time(monkeypatch):
    from isogloss.retrieval import block_search

    queries, documents = crowded(2, 300, 8, 100, 0.0)
    monkeypatch.setattr(block_search, "ROW_BYTES", 4 * 300)
    blocks = Shuffled(documents, 64)
    parted = search_blocks(queries, blocks, 50, margin=2)
    np.testing.assert_array_equal(parted.documents, search(queries, documents, 50).documents)
    assert blocks.passes > 4


def test_other_dimensions_and_missing_blocks_are_refused():
    queries, documents = crowded(3, 50, 8, 1, 1e-3)
    with pytest.raises(StoreError, match="not of one model"):
        search_blocks(queries[:, :7], Shuffled(documents, 9))
    with pytest.raises(StoreError, match="48 of 50 vectors read"):
        search_blocks(queries, Shuffled(documents, 9, missing=2))
