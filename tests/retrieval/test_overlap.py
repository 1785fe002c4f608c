import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isogloss.retrieval import overlap
from isogloss.retrieval.overlap import agreement
from isogloss.retrieval.ranking import Ranking


def ranking(rows):
    width = max((len(row) for row in rows), default=0)
    documents = np.full((len(rows), width), -1, dtype=np.int32)
    for place, row in enumerate(rows):
        documents[place, : len(row)] = row
    return Ranking(documents, np.where(documents >= 0, 0.0, -np.inf))


def rank_biased(first, second, persistence):
    """Equation 32 of Webber, Moffat and Zobel as it is printed."""
    short, long = sorted((first, second), key=len)
    s, n = len(short), len(long)
    if not n:
        return None
    shared = {d: len(set(short[:d]) & set(long[:d])) for d in range(1, n + 1)}
    at_short = shared[s] if s else 0
    seen = sum(shared[d] / d * persistence**d for d in range(1, n + 1))
    assumed = sum(at_short * (d - s) / (s * d) * persistence**d for d in range(s + 1, n + 1) if s)
    last = (shared[n] - at_short) / n + (at_short / s if s else 0)
    return (1 - persistence) / persistence * (seen + assumed) + last * persistence**n


@settings(max_examples=150)
@given(st.data(), st.integers(1, 5), st.sampled_from([0.5, 0.9, 0.98]))
def test_against_loops(data, n_queries, persistence):
    row = st.permutations(range(9)).flatmap(lambda p: st.integers(0, 9).map(lambda size: p[:size]))
    rows = st.lists(row, min_size=n_queries, max_size=n_queries)
    before, after = data.draw(rows), data.draw(rows)
    found = agreement(ranking(before), ranking(after))
    for k in (1, 3, 10):
        for place, value in enumerate(found.overlap_at(k)):
            first, second = before[place][:k], after[place][:k]
            longest = max(len(first), len(second))
            if longest:
                assert value == len(set(first) & set(second)) / longest
            else:
                assert np.isnan(value)
    for place, value in enumerate(found.rank_biased(persistence)):
        expected = rank_biased(before[place], after[place], persistence)
        if expected is None:
            assert np.isnan(value)
        else:
            assert value == pytest.approx(expected, abs=1e-12)
            assert -1e-12 <= value <= 1 + 1e-12


def test_equal_and_disjoint():
    same = agreement(ranking([[3, 1, 2]]), ranking([[3, 1, 2]]))
    assert same.overlap_at(2)[0] == 1
    assert same.rank_biased(0.9)[0] == pytest.approx(1, abs=1e-12)
    apart = agreement(ranking([[0, 1]]), ranking([[2, 3]]))
    assert (apart.overlap_at(2)[0], apart.rank_biased(0.9)[0]) == (0, 0)


def test_the_value_of_the_published_example():
    # Two lists that agree on the first item of two: X = 1, 1.
    found = agreement(ranking([[0, 1]]), ranking([[0, 2]])).rank_biased(0.9)[0]
    assert found == pytest.approx(0.1 / 0.9 * (0.9 + 0.5 * 0.81) + 0.5 * 0.81)


def test_blocks_change_nothing(monkeypatch):
    rng = np.random.default_rng(3)
    before, after = (ranking([rng.permutation(50)[:20] for _ in range(40)]) for _ in range(2))
    whole = agreement(before, after)
    monkeypatch.setattr(overlap, "CELLS_AT_ONCE", 100)
    parts = agreement(before, after)
    np.testing.assert_array_equal(whole.shared, parts.shared)


def test_no_query_and_no_result():
    assert agreement(ranking([]), ranking([])).overlap_at(10).shape == (0,)
    assert np.isnan(agreement(ranking([[]]), ranking([[]])).overlap_at(10)).all()
    one = agreement(ranking([[]]), ranking([[1]]))
    assert (one.overlap_at(10)[0], one.rank_biased(0.9)[0]) == (0, 0)
