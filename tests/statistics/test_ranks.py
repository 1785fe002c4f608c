import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.statistics.ranks import friedman, holm


@pytest.mark.parametrize("case", ["M10"], indirect=True)
class TestFriedman:
    def test_ties(self, case):
        expected = case["ties"]["expected"]
        found = friedman(np.array(case["ties"]["input"]["blocks"]))
        assert found.statistic == pytest.approx(expected["statistic"], abs=1e-9)
        assert found.p == pytest.approx(expected["p"], abs=1e-9)
        assert found.mean_ranks == pytest.approx(expected["mean_ranks"])
        assert (found.degrees, found.reason) == (expected["df"], None)

    def test_all_equal(self, case):
        found = friedman(np.array(case["all_equal"]["input"]["blocks"], dtype=float))
        assert (found.statistic, found.p, found.reason) == (None, None, "no differences")

    def test_two_systems(self, case):
        found = friedman(np.array(case["two_systems"]["input"]["blocks"], dtype=float))
        assert found.p is None
        assert "needs three systems" in (found.reason or "")
        assert "paired test" in (found.reason or "")

    def test_one_block(self, case):
        expected = case["one_route"]["expected"]
        found = friedman(np.array(case["one_route"]["input"]["blocks"], dtype=float))
        assert found.statistic == pytest.approx(expected["statistic"])
        assert found.p == pytest.approx(expected["p"])
        assert found.reason == expected["flag"]


def test_no_blocks():
    assert friedman(np.empty((0, 3))).reason == "no block"


def test_equal_but_for_the_last_bit_is_a_tie():
    blocks = np.array([[0.1 + 0.2, 0.3, 0.3]] * 5)
    assert friedman(blocks).reason == "no differences"


@pytest.mark.parametrize("case", ["M12"], indirect=True)
@pytest.mark.parametrize("name", ["four", "pair", "capped", "ties", "with_null", "single", "empty"])
def test_holm(case, name):
    found = holm(case[name]["input"])
    expected = case[name]["expected"]
    assert [p is None for p in found] == [p is None for p in expected]
    assert [p for p in found if p is not None] == pytest.approx(
        [p for p in expected if p is not None], abs=1e-9
    )


@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=12))
def test_holm_is_monotone_capped_and_never_smaller(p_values):
    found = holm(p_values)
    pairs = sorted((p, q) for p, q in zip(p_values, found, strict=True) if p is not None)
    assert [q for _, q in pairs] == sorted(q for _, q in pairs)
    assert all(p <= q <= 1 for p, q in pairs)
