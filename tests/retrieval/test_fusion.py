"""Fusion: checked against plain loops, and by what must hold of any rankings."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isogloss.errors import DataError
from isogloss.retrieval.fusion import best_score_fusion, min_max_fusion, reciprocal_rank_fusion
from isogloss.retrieval.ranking import Ranking, rank_candidates


def ranking(rows: list[list[tuple[int, float]]]) -> Ranking:
    """Rows of (document, score); padded where rows are of different lengths."""
    width = max((len(row) for row in rows), default=0)
    documents = np.full((len(rows), width), -1, dtype=np.int32)
    scores = np.full((len(rows), width), -np.inf)
    for at, row in enumerate(rows):
        for column, (document, score) in enumerate(row):
            documents[at, column], scores[at, column] = document, score
    return rank_candidates(documents, scores)


def listed(one: Ranking, row: int) -> list[tuple[int, float]]:
    held = one.documents[row] >= 0
    return list(zip(one.documents[row, held].tolist(), one.scores[row, held].tolist(), strict=True))


@st.composite
def rankings(draw: st.DrawFn) -> list[Ranking]:
    """Two or three rankings of the same few queries, with ties, padding and empty rows."""
    queries = draw(st.integers(1, 3))
    row = st.dictionaries(
        st.integers(0, 11), st.integers(-4, 4).map(lambda value: value / 4), max_size=12
    ).map(lambda found: list(found.items()))
    return [
        ranking(draw(st.lists(row, min_size=queries, max_size=queries)))
        for _ in range(draw(st.integers(2, 3)))
    ]


def by_loops(given: list[Ranking], value, row: int) -> list[tuple[int, float]]:
    totals: dict[int, float] = {}
    for at, one in enumerate(given):
        found = listed(one, row)
        for rank, (document, score) in enumerate(found, start=1):
            totals[document] = totals.get(document, 0.0) + value(at, rank, score, found)
    rounded = [(document, round(total, 9) + 0.0) for document, total in totals.items()]
    return sorted(rounded, key=lambda pair: (-pair[1], pair[0]))


@settings(max_examples=40)
@given(rankings(), st.integers(0, 60))
def test_reciprocal_ranks_add_up_as_loops_add_them(given, k):
    weights = [1.0, 0.5, 2.0][: len(given)]
    fused = reciprocal_rank_fusion(given, weights, k)
    for row in range(len(given[0].documents)):
        expected = by_loops(given, lambda at, rank, *_: weights[at] / (k + rank), row)
        assert listed(fused, row) == expected


@settings(max_examples=40)
@given(rankings())
def test_scores_are_rescaled_as_loops_do_it(given):
    weights = [0.25, 1.0, 3.0][: len(given)]

    def value(at, _rank, score, found):
        scores = [other for _, other in found]
        span = max(scores) - min(scores)
        return weights[at] * (1.0 if span == 0 else (score - min(scores)) / span)

    fused = min_max_fusion(given, weights)
    for row in range(len(given[0].documents)):
        assert listed(fused, row) == by_loops(given, value, row)


@settings(max_examples=40)
@given(rankings())
def test_the_best_score_of_a_document_counts(given):
    fused = best_score_fusion(given)
    for row in range(len(given[0].documents)):
        best: dict[int, float] = {}
        for one in given:
            for document, score in listed(one, row):
                best[document] = max(score, best.get(document, -np.inf))
        assert listed(fused, row) == sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))


@settings(max_examples=40)
@given(rankings())
def test_a_ranking_fused_with_itself_keeps_its_order(given):
    one = given[0]
    fused = reciprocal_rank_fusion([one, one])
    for row in range(len(one.documents)):
        assert [d for d, _ in listed(fused, row)] == [d for d, _ in listed(one, row)]


def test_equal_sums_are_ordered_by_id_and_the_depth_cuts():
    left = ranking([[(5, 0.9), (2, 0.5)]])
    right = ranking([[(2, 7.0), (5, 3.0)]])
    fused = reciprocal_rank_fusion([left, right], depth=1)
    assert fused.documents.tolist() == [[2]]
    assert fused.scores.tolist() == [[round(1 / 61 + 1 / 62, 9)]]


def test_rankings_of_other_queries_are_refused():
    with pytest.raises(DataError, match="different queries: 1, 2 of them"):
        min_max_fusion([ranking([[(1, 1.0)]]), ranking([[(1, 1.0)], []])])
    with pytest.raises(DataError, match="none of them"):
        reciprocal_rank_fusion([])
