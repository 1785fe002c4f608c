"""Agreement coefficients against their definitions in fractions."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.errors import DataError
from isogloss.statistics.agreement import (
    cohen_kappa,
    contingency,
    exact_share,
    gwet_ac1,
    lin_ccc,
    wilson,
    within_share,
)

TABLES = st.integers(2, 5).flatmap(
    lambda q: st.lists(st.lists(st.integers(0, 9), min_size=q, max_size=q), min_size=q, max_size=q)
)


def table_of(check: dict[str, Any]) -> np.ndarray:
    given_ = check["input"]
    if "table" in given_:
        return np.array(given_["table"])
    return contingency(given_["a"], given_["b"], given_["categories"])


@pytest.mark.parametrize("case", ["L13"], indirect=True)
def test_case_l13(case: dict[str, Any]) -> None:
    figures = {"percent_agreement": exact_share, "kappa": cohen_kappa, "ac1": gwet_ac1}
    tested = 0
    for name, check in case.items():
        if name == "symmetry":
            continue
        table = table_of(check)
        for figure, expected in check["expected"].items():
            found = figures[figure](table)
            assert found == (None if expected is None else pytest.approx(expected, abs=1e-9)), name
            assert figures[figure](table.T) == found, "raters swapped"
            tested += 1
    assert tested == 13


def test_published_97_items() -> None:
    """ChemCLIR-Bench A.3: raw 0.969, kappa 0, AC1 0.97 over the three declared bands."""
    human, model = ["good"] * 94 + ["fair"] * 3, ["good"] * 97
    table = contingency(human, model, ["reject", "fair", "good"])
    assert round(exact_share(table), 3) == 0.969
    assert cohen_kappa(table) == 0
    assert round(gwet_ac1(table), 2) == 0.97
    assert within_share(table) == 1


@pytest.mark.parametrize("case", ["L15"], indirect=True)
def test_case_l15(case: dict[str, Any]) -> None:
    tested = 0
    for name, check in case.items():
        if check["input"].get("divisor") == "n-1":
            continue
        found = lin_ccc(check["input"]["x"], check["input"]["y"])
        expected = check["expected"]
        assert found == (None if expected is None else pytest.approx(expected, abs=1e-9)), name
        tested += 1
    assert tested == 7
    assert lin_ccc([0.1, 0.7, 0.3], [0.1, 0.7, 0.3]) == 1
    assert lin_ccc([], []) is None
    assert lin_ccc([0.1, 0.1, 0.1], [0.1, 0.1, 0.1]) is None


@given(TABLES)
def test_coefficients_follow_their_definitions(rows: list[list[int]]) -> None:
    table = np.array(rows)
    n, q = sum(map(sum, rows)), len(rows)
    if not n:
        assert exact_share(table) is None
        assert cohen_kappa(table) is None
        assert gwet_ac1(table) is None
        return
    a = [Fraction(sum(row), n) for row in rows]
    b = [Fraction(sum(column), n) for column in zip(*rows, strict=True)]
    po = Fraction(sum(rows[k][k] for k in range(q)), n)
    pe = sum(x * y for x, y in zip(a, b, strict=True))
    kappa = None if pe == 1 else float((po - pe) / (1 - pe))
    assert cohen_kappa(table) == (None if kappa is None else pytest.approx(kappa, abs=1e-12))
    pi = [(x + y) / 2 for x, y in zip(a, b, strict=True)]
    chance = sum(p * (1 - p) for p in pi) / (q - 1)
    assert gwet_ac1(table) == pytest.approx(float((po - chance) / (1 - chance)), abs=1e-12)
    observed = sum(Fraction(rows[i][j], n) * (i - j) ** 2 for i in range(q) for j in range(q))
    expected = sum(a[i] * b[j] * (i - j) ** 2 for i in range(q) for j in range(q))
    weighted = cohen_kappa(table, quadratic=True)
    assert weighted == (
        pytest.approx(float(1 - observed / expected), abs=1e-12) if expected else None
    )
    if q == 2:
        assert weighted == cohen_kappa(table)


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=30))
def test_concordance_follows_its_definition(pairs: list[tuple[int, int]]) -> None:
    n = len(pairs)
    mx, my = Fraction(sum(x for x, _ in pairs), n), Fraction(sum(y for _, y in pairs), n)
    covariance = sum((x - mx) * (y - my) for x, y in pairs) / n
    scale = sum((x - mx) ** 2 + (y - my) ** 2 for x, y in pairs) / n + (mx - my) ** 2
    found = lin_ccc([x for x, _ in pairs], [y for _, y in pairs])
    assert found == (pytest.approx(float(2 * covariance / scale), abs=1e-12) if scale else None)
    assert found is None or found == lin_ccc([y for _, y in pairs], [x for x, _ in pairs])


def test_a_rating_outside_the_categories_is_named() -> None:
    with pytest.raises(DataError, match="'maybe' is not among"):
        contingency(["yes"], ["maybe"], ["yes", "no"])
    with pytest.raises(DataError, match="2 ratings against 1"):
        contingency(["yes", "no"], ["yes"], ["yes", "no"])


def test_within_share_counts_neighbours() -> None:
    table = contingency([1, 1, 1, 5], [1, 2, 3, 5], [1, 2, 3, 4, 5])
    assert (exact_share(table), within_share(table), within_share(table, 2)) == (0.5, 0.75, 1)


def test_wilson() -> None:
    # A limit is the share that the observed one lies 1.96 of its standard errors away from.
    for limit in wilson(34, 40):
        assert abs(34 / 40 - limit) / (limit * (1 - limit) / 40) ** 0.5 == pytest.approx(1.959964)
    assert wilson(0, 10)[0] == 0
    assert wilson(10, 10)[1] == 1
    assert wilson(0, 0) is None
