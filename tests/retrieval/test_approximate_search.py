"""An approximate search loses whole lists and nothing else; over all lists it is the exact one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_search import crowded, unit

from isogloss.errors import StoreError
from isogloss.retrieval.approximate_search import ListIndex
from isogloss.retrieval.inverted_lists import part
from isogloss.retrieval.search import exact_scores, pair_scores, search

worlds = {
    "seed": st.integers(0, 10_000),
    "n_documents": st.integers(1, 120),
    "copies": st.integers(1, 60),
    "jitter": st.sampled_from([0.0, 1e-8, 1e-7, 1e-6, 1e-3]),
    "depth": st.integers(1, 130),
    "margin": st.integers(0, 8),
    "data": st.data(),
}


@given(**worlds)
@settings(max_examples=100)
def test_probing_every_list_is_the_exact_ranking_to_the_byte(
    seed, n_documents, copies, jitter, depth, margin, data
):
    queries, documents = crowded(seed, n_documents, 12, copies, jitter)
    lists = data.draw(st.integers(1, n_documents))
    level = ListIndex(documents, part(documents, lists, seed)).search(
        queries, lists, depth, margin=margin
    )
    exact = search(queries, documents, depth)
    scores = exact_scores(exact, queries, documents)
    assert level.ranking.documents.dtype == exact.documents.dtype
    assert level.ranking.documents.tobytes() == exact.documents.tobytes()
    assert level.ranking.scores.tobytes() == scores.tobytes()
    assert level.compared.tolist() == [n_documents] * len(queries)


@given(**worlds)
@settings(max_examples=60)
def test_what_is_ranked_is_the_probed_lists_in_exact_order(
    seed, n_documents, copies, jitter, depth, margin, data
):
    queries, documents = crowded(seed, n_documents, 12, copies, jitter)
    lists = part(documents, data.draw(st.integers(1, n_documents)), seed)
    probes = data.draw(st.integers(1, len(lists.centroids)))
    level = ListIndex(documents, lists).search(queries, probes, depth, margin=margin)
    n = len(lists.centroids)
    for row in range(len(queries)):
        near = pair_scores(queries, lists.centroids, np.full(n, row), np.arange(n))
        probed = np.lexsort((np.arange(n), -near))[:probes]
        members = np.sort(np.concatenate([lists.members(number) for number in probed]))
        scores = pair_scores(queries, documents, np.full(len(members), row), members)
        order = np.lexsort((members, -scores))[:depth]
        listed = level.ranking.documents[row] >= 0
        assert level.ranking.documents[row][listed].tolist() == members[order].tolist()
        assert level.ranking.scores[row][listed].tolist() == scores[order].tolist()
        # What pads stands at the end and is no number.
        assert listed.tolist() == sorted(listed.tolist(), reverse=True)
        assert np.isneginf(level.ranking.scores[row][~listed]).all()
        assert level.compared[row] == len(members)


def test_more_probes_lose_less():
    queries, documents = crowded(4, 3000, 16, 1, 1e-3)
    index = ListIndex(documents, part(documents, 30, 13))
    exact = search(queries, documents, 100).documents
    found = [
        np.isin(exact, index.search(queries, probes, 100).ranking.documents).mean()
        for probes in (1, 5, 15, 30)
    ]
    assert found == sorted(found)
    assert found[0] < found[-1] == 1.0


def test_a_tie_that_runs_past_the_candidates_is_seen_whole():
    """A hundred equal documents: float32 names any of them, the lowest ids are wanted."""
    documents = np.concatenate(
        [unit([[0.0, 1.0, 0.1]]), np.repeat(unit([[1.0, 0.2, 0.0]]), 100, axis=0)]
    )
    query = unit([[1.0, 0.0, 0.0]])
    index = ListIndex(documents, part(documents, 2, 1))
    level = index.search(query, 1, 5, margin=1)
    assert level.ranking.documents.tolist() == [[1, 2, 3, 4, 5]]
    assert level.compared.tolist() == [100]


def test_one_document_is_found():
    documents = unit([[3.0, 4.0]])
    level = ListIndex(documents, part(documents, 1, 13)).search(unit([[1.0, 0.0]]), 1)
    assert level.ranking.documents.tolist() == [[0]]
    assert level.ranking.scores == pytest.approx(0.6)


def test_more_probes_than_filled_lists_are_all_of_them():
    documents = np.repeat(unit([[1.0, 2.0]]), 9, axis=0)
    level = ListIndex(documents, part(documents, 4, 13)).search(unit([[1.0, 0.0]]), 3)
    assert level.probes == 3
    assert level.ranking.documents.tolist() == [list(range(9))]


def test_vectors_of_another_model_are_refused():
    documents = unit([[3.0, 4.0]])
    index = ListIndex(documents, part(documents, 1, 13))
    with pytest.raises(StoreError, match="not of one model"):
        index.search(unit([[1.0, 0.0, 0.0]]), 1)
