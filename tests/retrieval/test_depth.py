import numpy as np
import pytest

from isogloss.retrieval.depth import depth_ratio, nearest_rank, nearest_rank_error, seat
from isogloss.retrieval.gold import BEYOND


def ranks(values):
    return np.array([BEYOND if value is None else value for value in values], dtype=np.int32)


@pytest.mark.parametrize("case", ["M03"], indirect=True)
class TestNearestRank:
    @pytest.mark.parametrize(
        "name",
        [
            *("two_misses", "three_misses", "order_free", "n4", "n1", "n0"),
            *("no_interpolation", "misses_dropped_is_wrong"),
        ],
    )
    def test_cases(self, case, name):
        assert nearest_rank(ranks(case[name]["input"]), 80) == case[name]["expected"]

    def test_seats(self, case):
        expected = {int(n): place for n, place in case["seat_by_n"]["expected"].items()}
        assert {n: seat(n, 80) for n in expected} == expected


def test_seats_are_exact_where_floats_are_not():
    # 0.07 * 100 = 7.000000000000001 in floats, whose ceiling is 8.
    assert seat(100, 7) == 7
    assert seat(10**17 + 5, 80) == 8 * 10**16 + 4


def test_ratio_of_depths():
    same, cross = ranks([1, 2, 3, None]), ranks([4, 7, None, None])
    assert depth_ratio(same, cross, 50) == 3.5
    assert depth_ratio(same, ranks([1, None, None, None]), 50) is None
    assert depth_ratio(ranks([]), ranks([]), 50) is None


class TestStandardError:
    def test_against_the_binomial_spread_of_one_order_statistic(self):
        rng = np.random.default_rng(0)
        drawn = ranks(rng.permutation(np.arange(1, 501)))
        error = nearest_rank_error(drawn, 80, 2000, 1).value
        # Ranks 1..500 are uniform: the spread of the 80th percentile is 500 sqrt(.8 .2 / 500).
        assert error == pytest.approx(500 * np.sqrt(0.16 / 500), rel=0.1)

    def test_it_is_the_deviation_of_resampled_percentiles(self):
        given = ranks([1, 5, 9, 40, 80, 200, None])
        rng = np.random.default_rng(3)
        rows = rng.integers(0, 7, size=(300, 7), dtype=np.int32)
        drawn = [nearest_rank(given[row], 80) for row in rows]
        found = nearest_rank_error(given, 80, 300, 3)
        expected = np.std([1000 if value is None else value for value in drawn], ddof=1)
        assert found.value == pytest.approx(expected)
        assert found.censored == drawn.count(None) / 300 > 0

    def test_none_without_a_figure_or_a_spread(self):
        assert nearest_rank_error(ranks([1, None]), 80, 100, 0).reason
        assert nearest_rank_error(ranks([]), 80, 100, 0).reason
        found = nearest_rank_error(ranks([4]), 80, 100, 0)
        assert (found.value, found.reason) == (
            None,
            "not estimable: the resamples have no spread",
        )
