"""Reading depth: exact seats, the curve's own inverse, honest refusals, intervals by loops."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.errors import UsageError
from isogloss.retrieval.budget import reading_depth, resampled_depths, seats
from isogloss.retrieval.comparison import Scored
from isogloss.retrieval.figures import nearest_rank, scores
from isogloss.retrieval.gold import BEYOND, pair_table
from isogloss.retrieval.planning import gate_refusal, needs
from isogloss.retrieval.query_table import Origin
from isogloss.retrieval.recall import language_balanced
from isogloss.settings import EvaluationSettings
from isogloss.statistics.bootstrap import NO_SPREAD, resample_weights
from worlds import random_benchmark, random_ranking

OPTIONS = EvaluationSettings(resamples=300, depth_resamples=100, permutations=100)


def scored(seed: int, pull: float = 3.0, families: int = 300):
    benchmark = random_benchmark(seed, families, 60)
    return scores(pair_table(benchmark, random_ranking(benchmark, seed, pull=pull)))


@given(st.integers(1, 99), st.integers(1, 5000))
def test_a_percentage_has_the_same_seat_as_a_nearest_rank(percent: int, n: int) -> None:
    assert seats(percent / 100, n) == -(-percent * n // 100)


def test_a_share_is_its_decimal_and_not_its_binary_neighbour() -> None:
    # 0.7 * 10 is 7.000000000000001 in floating point for some factors, and its ceiling 8.
    assert seats(0.7, 10) == 7
    assert seats(0.07, 100) == 7
    assert math.ceil(0.07 * 100) == 8


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("coverage", [0.1, 0.5, 0.8, 0.9])
def test_depth_is_the_smallest_that_reaches_the_coverage(seed: int, coverage: float) -> None:
    found = scored(seed)
    reading = reading_depth(found, coverage, OPTIONS)
    ranks = found.recoverable
    if reading.depth is None:
        assert (ranks < BEYOND).mean() < coverage
        assert reading.refusal is not None
        return
    reached = Fraction(int((ranks <= reading.depth).sum()), len(ranks))
    before = Fraction(int((ranks <= reading.depth - 1).sum()), len(ranks))
    assert before < Fraction(str(coverage)) <= reached
    assert reading.depth == nearest_rank(ranks, round(coverage * 100))
    if reading.low is None:
        assert reading.reason == NO_SPREAD
    else:
        assert reading.low <= reading.depth <= (reading.high or 0)


def test_resamples_are_weighted_nearest_ranks() -> None:
    rng = np.random.default_rng(5)
    ranks = rng.integers(1, 1002, 40).astype(np.int32)
    rows = rng.integers(0, 15, 40)
    rows[:15] = np.arange(15)
    strata = np.array([0] * 8 + [1] * 7)
    drawn = resampled_depths(ranks, rows, strata, 0.8, 50, seed=9)
    weights = resample_weights(strata, 50, np.random.default_rng(9))
    for depth, weight in zip(drawn, weights, strict=True):
        repeated = sorted(
            rank for rank, row in zip(ranks, rows, strict=True) for _ in range(int(weight[row]))
        )
        assert depth == repeated[-(-8 * len(repeated) // 10) - 1]


def test_the_interval_holds_the_depth_as_often_as_it_says() -> None:
    """Depths of samples from one known distribution: its own quantile is covered."""
    rng = np.random.default_rng(11)
    truth = math.ceil(-60 * math.log(1 - 0.8))
    hits = 0
    for _ in range(120):
        ranks = np.minimum(np.ceil(rng.exponential(60, 80)), BEYOND).astype(np.int32)
        drawn = resampled_depths(ranks, np.arange(80), np.zeros(80, int), 0.8, 200, seed=3)
        low, high = np.quantile(drawn, (0.025, 0.975), method="inverted_cdf")
        hits += low <= truth <= high
    # 95% of 120 are 114, with a standard error of 2.4.
    assert 104 <= hits <= 120


def test_the_same_seed_gives_the_same_digits() -> None:
    assert reading_depth(scored(4), 0.8, OPTIONS) == reading_depth(scored(4), 0.8, OPTIONS)


def test_a_coverage_beyond_the_ranking_is_refused_with_what_is_reached() -> None:
    found = scored(2, pull=0.5)
    reach = float((found.recoverable < BEYOND).mean())
    assert reach < 0.999
    reading = reading_depth(found, 0.999, OPTIONS)
    assert (reading.depth, reading.low, reading.high) == (None, None, None)
    assert reading.refusal is not None
    assert f"{reach:.3f}" in reading.refusal
    assert reading.reach == reach


def test_an_open_upper_bound_is_said_and_no_number() -> None:
    found = scored(2, pull=0.5)
    at = int((found.recoverable < BEYOND).sum()) / len(found.recoverable)
    reading = reading_depth(found, math.floor(at * 100) / 100, OPTIONS)
    assert reading.depth is not None
    assert reading.open_above
    assert reading.high == BEYOND


@pytest.mark.parametrize("coverage", [0, -0.1, 1.01, float("nan")])
def test_no_share_no_plan(coverage: float) -> None:
    with pytest.raises(UsageError, match="must be above 0 and at most 1"):
        reading_depth(scored(1), coverage, OPTIONS)


def test_without_foreign_gold_there_is_nothing_to_plan() -> None:
    table = scored(1).table
    reading = reading_depth(scores(table.only(table.same)), 0.8, OPTIONS)
    assert (reading.n, reading.reach, reading.depth) == (0, None, None)
    assert reading.refusal == "no query has cross-language gold"


def test_one_cluster_gives_a_depth_without_interval() -> None:
    found = scored(1)
    alone = np.full_like(found.table.query_cluster, "c")
    one = scores(replace(found.table, query_cluster=alone))
    reading = reading_depth(one, 0.5, OPTIONS)
    assert reading.depth is not None
    assert reading.low is None
    assert reading.reason is not None
    assert reading.reason.startswith("not estimable")


def results(*pulls: float):
    held = {}
    for name, seed, families in (("large", 2, 300), ("small", 3, 40)):
        size = len(random_benchmark(seed, families, 60).documents)
        held[name] = {
            f"m{place}": Scored(scored(seed, pull, families), Origin(name, f"{seed}", size))
            for place, pull in enumerate(pulls)
        }
    return held


def test_a_failed_gate_refuses_and_passes_to_the_pool() -> None:
    rows = needs(results(3.0, 0.0), {"both": ["large", "small"]}, [0.5], OPTIONS)
    found = {(row.target, row.model): row for row in rows}
    assert found["large", "m0"].reading.depth is not None
    blind = found["large", "m1"].reading
    assert blind.depth is None
    assert (blind.refusal or "").startswith("gate failed: recall@10 across languages is 0.0")
    pooled = found["pool both", "m1"].reading.refusal or ""
    assert "on large" in pooled
    assert found["pool both", "m0"].reading.n == sum(
        found[name, "m0"].reading.n for name in ("large", "small")
    )


def test_small_pools_are_named_exhaustive() -> None:
    rows = needs(results(3.0), {"both": ["large", "small"]}, [0.5], OPTIONS)
    assert {row.target: row.exhaustive for row in rows} == {
        "large": False, "small": True, "pool both": True,
    }  # fmt: skip


def test_a_value_just_under_the_gate_is_seen_to_be_under_it() -> None:
    part = scored(2)
    recall = language_balanced(part.cross.recall(10), part.languages[part.cross.has])
    assert recall is not None
    why = gate_refusal({"b": part}, recall + 2e-9) or ""
    shown = float(why.split(" is ")[1].split(" on ")[0])
    assert shown < recall + 2e-9


def test_a_gate_is_passed_at_its_value() -> None:
    part = scored(2)
    assert gate_refusal({"b": part}, 0.0) is None
    assert "under 1.00" in (gate_refusal({"b": part}, 1.0) or "")
