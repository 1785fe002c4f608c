import itertools

import numpy as np
import pytest

from isogloss.errors import DataError
from isogloss.retrieval.ranking import rank_candidates


def ranked(documents, scores, depth=1000):
    return rank_candidates(
        np.array(documents, dtype=np.int64), np.array(scores, dtype=np.float64), depth
    )


@pytest.mark.parametrize("case", ["R01"], indirect=True)
def test_ties_rank_by_id_in_every_order_of_candidates(case):
    check = case["id_ascending_rank_of_d5"]
    ids = sorted(check["input"]["scores"])
    gold = ids.index(check["input"]["relevant"][0])
    rows = np.array(list(itertools.permutations(range(len(ids)))))
    documents = rank_candidates(rows, np.full(rows.shape, 0.5)).documents
    assert set((documents == gold).argmax(axis=1) + 1) == {check["expected"]}


def test_scores_equal_to_nine_decimals_tie():
    found = ranked([[3, 1, 2]], [[0.1234567891, 0.1234567889, 0.123456790]])
    assert found.documents.tolist() == [[2, 1, 3]]
    assert found.scores.tolist() == [[0.12345679, 0.123456789, 0.123456789]]


def test_padding_sorts_last_and_its_scores_are_ignored():
    found = ranked([[-1, 4, 2], [-1, -1, -1]], [[np.nan, -5.0, -7.0], [1.0, np.inf, 0.0]], depth=2)
    assert found.documents.tolist() == [[4, 2], [-1, -1]]
    assert found.scores.tolist() == [[-5.0, -7.0], [-np.inf, -np.inf]]
    assert (found.documents.dtype, found.scores.dtype) == (np.int32, np.float64)


def test_minus_zero_ties_with_zero():
    found = ranked([[1, 0]], [[0.0, -1e-12]])
    assert found.documents.tolist() == [[0, 1]]
    assert not np.signbit(found.scores).any()


@pytest.mark.parametrize("score", [np.nan, np.inf])
def test_scores_without_a_place_are_refused(score):
    with pytest.raises(DataError, match="query 1"):
        ranked([[0], [1]], [[0.5], [score]])
