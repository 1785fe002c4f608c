import brute_force
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.retrieval.gold import BEYOND
from isogloss.retrieval.recoverability import ari, coverage_counts, knee, masses

RANKS = st.lists(st.integers(1, BEYOND), min_size=1, max_size=40)


def counts_of(ranks):
    return coverage_counts(np.array(ranks, dtype=np.int32))


@given(RANKS, st.integers(1, 1000))
def test_masses_are_shares_that_sum_to_one(ranks, k):
    parts = masses(counts_of(ranks), len(ranks), k)
    assert sum(parts) == pytest.approx(1, abs=1e-12)
    assert all(0 <= part <= 1 for part in parts)
    assert parts[0] == sum(rank <= k for rank in ranks) / len(ranks)


@given(RANKS)
def test_knee_is_that_of_the_loop(ranks):
    curve = [sum(rank <= k for rank in ranks) / len(ranks) for k in range(1, 1001)]
    assert knee(counts_of(ranks)) == brute_force.knee(curve)


def test_knee_by_hand():
    # All are found by rank 7, so the curve is farthest above its chord there.
    assert knee(counts_of([1, 7, 7, 7])) == 7
    assert knee(counts_of([1000])) == 1
    assert knee(counts_of([1, 1, BEYOND])) is None
    assert knee(counts_of([])) is None


def test_ari():
    counts = counts_of([1, 20, BEYOND, BEYOND])
    assert ari(counts, 4, 10) == pytest.approx(2 / 3)
    assert ari(counts, 4, 100) == 1.0
    assert ari(counts_of([1, 2]), 2, 10) is None
