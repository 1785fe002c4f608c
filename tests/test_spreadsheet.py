import csv
import io
import re

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.medical.tables import csv_text
from isogloss.qac.plan import PlannedQuery, plan_table
from isogloss.report.comparison.leaderboard import Entry, leaderboard_csv
from isogloss.report.comparison.significance import significance_csv
from isogloss.report.page.table import Cell, Column, Row, Table, table_csv
from isogloss.report.releases.dataset_change_text import families_csv
from isogloss.spreadsheet import FORMULA, people_csv, plain
from isogloss.stages.results import csv_text as results_csv

NUMBER = r"[+-][0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?"
ODD = "=cmd|' /C calc'!A0"
PLANNED = PlannedQuery("f:en:technical", "en", "technical", "all", ODD, "-1", "en")
PAGE = Table("k", "c", ("of",), (Column("x", "x"),), (Row((ODD,), (Cell("", -1),)),))


@given(st.text())
def test_no_text_is_a_formula(text: str) -> None:
    assert not plain(text).startswith(FORMULA) or re.fullmatch(NUMBER, text)
    assert plain(text).removeprefix("'") == text.removeprefix("'")


def test_numbers_stay_numbers_and_none_is_empty() -> None:
    assert people_csv([["-0.5", -0.5, None, "-x", "+1e3"]]) == "-0.5,-0.5,,'-x,+1e3\n"


@pytest.mark.parametrize("text", ["+0.2", "-1", "+1e3", "-0"])
def test_a_number_is_no_formula(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize(
    "text", ["-1_000", "+inf", "-nan", "\t5", "-\u0663", "-1+1", "+1\n", "-", "-.5"]
)
def test_what_only_python_takes_for_a_number_is_made_plain(text: str) -> None:
    assert plain(text) == f"'{text}"


def pair(a: str) -> dict[str, object]:
    figures = {"delta": -0.1, "ci": [-0.2, 0.0], "p": 0.5, "p_holm": 0.5}
    return {"a": a, "b": "b", **figures}


@pytest.mark.parametrize(
    "text",
    [
        csv_text([["model", "x"], [ODD, -1]]),
        leaderboard_csv([Entry("b", ODD, {"gap": {"delta": -0.1, "ci": [-0.2, 0.0], "p": 0.5}})]),
        significance_csv({"benchmarks": {"b": {"significance": {"n": 3, "pairs": [pair(ODD)]}}}}),
        families_csv([[ODD, "kept", "", "", "-1"]]),
        results_csv(pa.table({"setup": [ODD, None], "gap": [-0.5, None]})),
        plan_table([PLANNED]),
        table_csv(PAGE),
    ],
    ids=["medical", "leaderboard", "significance", "families", "results", "plan", "page"],
)
def test_tables_that_people_open_hold_no_formula(text: str) -> None:
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert f"'{ODD}" in cells
    assert any(cell.startswith("-") for cell in cells)
    for cell in cells:
        assert not cell.startswith(FORMULA) or float(cell) < 0
