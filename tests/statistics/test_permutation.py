import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.statistics.permutation import cluster_sums, sign_flip_p


def p_of(differences, **options):
    return sign_flip_p(np.asarray(differences, dtype=np.float64).reshape(-1, 1), **options)[0]


@pytest.mark.parametrize("case", ["M08"], indirect=True)
@pytest.mark.parametrize("name", ["tenths", "zeros_inside", "six", "all_zero"])
def test_exact_p(case, name):
    check = case[name]
    found = p_of(check["input"]["diffs"])
    assert found == pytest.approx(check["expected"], abs=check["tolerance"] or 1e-15)


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=9))
def test_tenths_count_like_the_integers_they_stand_for(tenths):
    total = abs(sum(tenths))
    flips = itertools.product((1, -1), repeat=len(tenths))
    hits = sum(
        abs(sum(s * t for s, t in zip(signs, tenths, strict=True))) >= total for signs in flips
    )
    assert p_of([t / 10 for t in tenths]) == hits / 2 ** len(tenths)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30), st.integers(0, 5))
def test_swapping_the_systems_keeps_p(differences, seed):
    forward = p_of(differences, permutations=300, seed=seed)
    assert p_of([-d for d in differences], permutations=300, seed=seed) == forward
    assert 0 < forward <= 1


def test_enumeration_ends_where_flips_outnumber_permutations():
    ones = [1.0] * 10
    assert p_of(ones, permutations=1024) == 2 / 1024
    assert p_of(ones, permutations=1023) != 2 / 1024


def test_random_flips_are_never_certain_and_repeat():
    differences = [1.0] * 100
    assert p_of(differences, permutations=500) == 1 / 501
    mixed = list(np.random.default_rng(0).normal(0.1, 1, size=200))
    assert p_of(mixed, seed=4) == p_of(mixed, seed=4)
    assert p_of(mixed, seed=4) != p_of(mixed, seed=5)


def test_all_zero_and_no_data():
    assert p_of([0.0] * 100) == 1.0
    assert p_of([]) is None


def test_whole_clusters_flip():
    differences = np.array([[0.5], [0.5], [-0.25], [1.0]])
    sums = cluster_sums(differences, np.array([9, 9, 4, 4]))
    assert sums.tolist() == [[0.75], [1.0]]
    assert sign_flip_p(sums) == [0.5]
