import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from isogloss.statistics.bootstrap import (
    LOPSIDED,
    NO_DATA,
    NO_SPREAD,
    ONE_CLUSTER,
    bca_interval,
    bca_intervals,
    clusters_by_stratum,
    resample_weights,
)


def intervals(values, groups=None, clusters=None, **options):
    values = np.asarray(values, dtype=np.float64)
    values = values[:, None] if values.ndim == 1 else values
    groups = np.zeros(len(values), dtype=int) if groups is None else np.asarray(groups)
    clusters = np.arange(len(values)) if clusters is None else np.asarray(clusters)
    return bca_intervals(values, groups, clusters, **options)


@pytest.mark.parametrize("case", ["M06"], indirect=True)
class TestNoSpread:
    @pytest.mark.parametrize("name", ["all_ones", "all_zero"])
    def test_constant_data(self, case, name):
        found = intervals(case[name]["input"])[0]
        assert (found.bounds, found.reason) == (None, NO_SPREAD)

    def test_one_query(self, case):
        found = intervals(case["one_query"]["input"])[0]
        assert (found.bounds, found.reason) == (None, ONE_CLUSTER)

    def test_empty(self, case):
        found = intervals(case["empty"]["input"])[0]
        assert (found.bounds, found.reason) == (None, NO_DATA)


def test_constant_but_for_summation_order_has_no_spread():
    assert intervals([0.1, 0.1, 0.1], resamples=500)[0].reason == NO_SPREAD


def test_many_rows_of_one_cluster_are_not_estimable():
    assert intervals([0, 1, 0, 1], clusters=[7, 7, 7, 7])[0].reason == ONE_CLUSTER


def test_an_estimate_outside_its_resamples_is_not_estimable():
    found = bca_interval(0.9, np.linspace(0, 0.5, 100), np.linspace(0, 1, 10), 0.95)
    assert (found.bounds, found.reason) == (None, LOPSIDED)


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_scipy_without_strata_and_clusters(seed):
    rng = np.random.default_rng(seed)
    values = rng.choice([0, 1 / 3, 2 / 3, 1.0], size=150, p=[0.1, 0.2, 0.3, 0.4])
    ours = intervals(values, resamples=40_000, seed=seed)[0]
    theirs = scipy.stats.bootstrap(
        (values,), np.mean, n_resamples=40_000, method="BCa", vectorized=True, rng=rng
    ).confidence_interval
    assert ours.bounds == pytest.approx([theirs.low, theirs.high], abs=0.004)


def test_rounding_does_not_push_a_bound_past_the_estimate():
    # Most resamples are the estimate itself, and rounded to twelve decimals it grows.
    estimate = 0.4666666666666666
    resampled = np.concatenate([[0.3], np.full(90, estimate), np.linspace(0.5, 1, 30)])
    found = bca_interval(estimate, resampled, np.linspace(0, 1, 10), 0.9)
    assert found.low == estimate < round(estimate, 12)


def test_clusters_and_strata_by_hand():
    # Clusters a (de), b (de, en), c (de), d (en): {de} holds a and c, the lone sets merge.
    clusters = np.array([0, 1, 1, 2, 3])
    groups = np.array([0, 0, 1, 0, 1])
    rows, strata = clusters_by_stratum(clusters, groups)
    assert rows.tolist() == [0, 1, 1, 2, 3]
    assert strata[0] == strata[2]
    assert strata[1] == strata[3] != strata[0]


def test_a_lone_merged_cluster_stays_fixed():
    _, strata = clusters_by_stratum(np.array([0, 1, 2]), np.array([0, 0, 1]))
    weights = resample_weights(strata, 200, np.random.default_rng(0))
    assert (weights[:, 2] == 1).all()
    assert set(np.unique(weights[:, 0])) == {0.0, 1.0, 2.0}
    assert (weights.sum(axis=1) == 3).all()


def loop_interval(values, groups, clusters, weights, confidence):
    """BCa with the given resamples, as the definition reads: loops, no vectors."""

    def statistic(counts):
        means = []
        for group in sorted(set(groups)):
            rows = [i for i, g in enumerate(groups) if g == group]
            n = sum(counts[clusters[i]] for i in rows)
            if n:
                means.append(sum(counts[clusters[i]] * values[i] for i in rows) / n)
        return sum(means) / len(means)

    n = max(clusters) + 1
    estimate = statistic([1] * n)
    resampled = [statistic(row) for row in weights]
    left = [statistic([int(i != out) for i in range(n)]) for out in range(n)]
    below = sum(value < estimate - 1e-12 for value in resampled)
    equal = sum(abs(value - estimate) <= 1e-12 for value in resampled)
    normal = scipy.stats.norm
    z0 = normal.ppf((below + equal / 2) / len(resampled))
    mean = sum(left) / n
    a = sum((mean - x) ** 3 for x in left) / (6 * sum((mean - x) ** 2 for x in left) ** 1.5)
    bounds = []
    for tail in ((1 - confidence) / 2, (1 + confidence) / 2):
        z = z0 + normal.ppf(tail)
        place = normal.cdf(z0 + z / (1 - a * z)) * (len(resampled) - 1)
        ordered, low = sorted(resampled), math.floor(place)
        high = min(low + 1, len(ordered) - 1)
        bounds.append(ordered[low] + (place - low) * (ordered[high] - ordered[low]))
    return bounds


@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_loops_over_the_same_resamples(seed):
    rng = np.random.default_rng(seed)
    clusters = np.sort(np.concatenate([np.arange(12), rng.integers(0, 12, size=18)]))
    groups = rng.integers(0, 3, size=30)
    groups[:3] = [0, 1, 2]
    values = rng.choice([0, 0.5, 1], size=30)
    found = intervals(values, groups, clusters, resamples=300, seed=seed, confidence=0.9)[0]
    _, strata = clusters_by_stratum(clusters, groups)
    weights = resample_weights(strata, 300, np.random.default_rng(seed))
    expected = loop_interval(values.tolist(), groups.tolist(), clusters.tolist(), weights, 0.9)
    assert found.bounds == pytest.approx(expected, abs=1e-11)


def test_resamples_lacking_a_group_average_the_groups_present():
    # Group 1 lives in one of two merged single clusters, so many resamples lack it.
    found = intervals([0.0, 1.0], groups=[0, 1], resamples=400)[0]
    assert found.bounds == [0.0, 1.0]


def test_figures_do_not_depend_on_each_other_or_on_chunks():
    rng = np.random.default_rng(0)
    values = rng.random((50, 3))
    together = intervals(values, resamples=5000, seed=3)
    alone = [intervals(values[:, [column]], resamples=5000, seed=3)[0] for column in range(3)]
    assert [found.low for found in together] == pytest.approx([found.low for found in alone])
    assert [found.high for found in together] == pytest.approx([found.high for found in alone])


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.sampled_from([0, 0.25, 0.5, 1]), st.integers(0, 2), st.integers(0, 6)),
        max_size=25,
    )
)
def test_an_interval_holds_its_estimate_or_has_a_reason(rows):
    values, groups, clusters = (np.array([row[i] for row in rows]) for i in range(3))
    groups, clusters = groups.astype(int), clusters.astype(int)
    found = intervals(values, groups, clusters, resamples=200)[0]
    if found.bounds is None:
        assert found.reason
    else:
        means = [values[groups == group].mean() for group in np.unique(groups)]
        assert found.low <= np.mean(means) + 1e-12
        assert found.high >= np.mean(means) - 1e-12
        assert found.low < found.high
