"""Audits of queries: the sheet, the ratings, the figures."""

import io
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest
from openpyxl import load_workbook

from isogloss.errors import DataError
from isogloss.review.bands import band
from isogloss.review.criteria import query_criteria
from isogloss.review.query_audit import (
    QUERY_AUDIT,
    QueryRating,
    checked_queries,
    human_score,
    query_workbook,
    sample_queries,
)
from isogloss.review.query_figures import query_agreement
from isogloss.review.workbook import workbook_bytes

from .audit_rows import query_row


def rating(query: str, scores: list[int], mode: str = "technical", who: str = "ana") -> QueryRating:
    return QueryRating(query, who, dict(zip(query_criteria(mode), scores, strict=True)), "")


def table(*rows: dict[str, Any]) -> pa.Table:
    return pa.Table.from_pylist(list(rows), schema=QUERY_AUDIT)


@pytest.mark.parametrize(
    ("score", "name"),
    [("0", "reject"), ("3", "reject"), ("25/8", "fair"), ("55/8", "fair"), ("7", "good")],
)
def test_bands(score: str, name: str) -> None:
    assert band(Fraction(score)) == name


def test_the_published_check() -> None:
    sample = [query_row(f"q{n}", score=5) for n in range(97)]
    ratings = [rating(f"q{n}", [9] * 8 if n < 94 else [5] * 8) for n in range(97)]
    bands = query_agreement(ratings, sample)["bands"]
    assert bands["table"] == [[0, 0, 0], [0, 0, 3], [0, 0, 94]]
    assert bands["raw"] == pytest.approx(0.969, abs=5e-4)
    assert bands["kappa"] == 0.0
    assert bands["ac1"] == pytest.approx(0.97, abs=5e-3)


def test_figures_by_hand() -> None:
    sample = [query_row("a", score=4), query_row("b", "general", score=1), query_row("c")]
    ratings = [
        rating("a", [8, 8, 8, 8, 8, 8, 8, 0]),
        rating("a", [8, 8, 8, 8, 8, 8, 8, 10], who="ben"),
        rating("b", [3, 3, 3, 3, 3, 3, 3, 4], "general"),
    ]
    assert human_score(ratings[:2]) == Fraction(61, 8)
    figures = query_agreement(ratings, sample)
    assert figures["n_queries"] == 2
    assert figures["n_ratings"] == 3
    assert figures["annotators"] == ["ana", "ben"]
    # |61/8 - 8| = 3/8 and |25/8 - 2| = 9/8.
    assert figures["mae"] == 0.75
    assert figures["human_mean"] == pytest.approx((61 / 8 + 25 / 8) / 2)
    assert figures["bands"]["table"] == [[0, 0, 0], [1, 0, 0], [0, 0, 1]]
    assert figures["modes"]["general"]["mae"] == 1.125
    assert figures["criteria"]["linguistic_quality"] == {
        "n_queries": 2, "human_mean": 4.5, "model_mean": 5.0, "mae": 2.5,
    }  # fmt: skip
    assert "focus" in figures["criteria"]
    histogram = figures["histograms"]
    assert [n for n, count in enumerate(histogram["technical"]["human"]) if count] == [7]
    assert [n for n, count in enumerate(histogram["general"]["model"]) if count] == [8]
    assert len(histogram["general"]["model"]) == 41
    assert figures["notes"] == [
        "1 sampled queries are not rated",
        "kappa of technical is null: one band only",
    ]


def test_one_sided_ratings_have_no_kappa_and_say_so() -> None:
    figures = query_agreement([rating("a", [9] * 8)], [query_row("a", score=5)])
    assert figures["bands"]["kappa"] is None
    assert figures["bands"]["ac1"] == 1.0
    assert any("kappa is null" in note for note in figures["notes"])
    nothing = query_agreement([], [query_row("a")])
    assert nothing["mae"] is None
    assert nothing["bands"]["raw"] is None
    assert nothing["notes"] == ["no query has been rated: every figure is null"]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([query_row("a"), query_row("a")], r"row 2, query 'a': the id is there already"),
        (
            [query_row("a", mode="technical", focus=6)],
            r"row 1, query 'a': focus is 6, must be 0 to 5",
        ),
        ([query_row("a", focus=None)], r"focus is None, must be 0 to 5"),
        ([query_row("a", search_realism=3)], r"search_realism is no criterion of mode 'technical'"),
    ],
)
def test_tables_that_are_refused(rows: list[dict[str, Any]], said: str) -> None:
    with pytest.raises(DataError, match=said):
        checked_queries(table(*rows), "t.parquet")


def test_an_unknown_mode_is_refused() -> None:
    row = {**query_row("a"), "mode": "other"}
    with pytest.raises(DataError, match="query 'a': mode 'other' is none of technical general"):
        checked_queries(table(row), "t.parquet")


def test_the_sheet_shows_no_score_of_the_model() -> None:
    rows = [query_row(f"q{n}", "general" if n % 2 else "technical", score=n % 6) for n in range(20)]
    sample = sample_queries(rows, 6, seed=1)
    assert [row["mode"] for row in sample] == ["general"] * 3 + ["technical"] * 3
    other = [{**row, **dict.fromkeys(query_criteria(row["mode"]), 0)} for row in sample]
    content, _ = workbook_bytes(query_workbook(sample, "epo-llm", "ana"))
    assert content == workbook_bytes(query_workbook(other, "epo-llm", "ana"))[0]
    book = load_workbook(io.BytesIO(content))
    assert book.sheetnames == ["Technical", "General", "Key", "isogloss"]
    headings = [cell.value for cell in book["General"][1]]
    assert headings[6:] == [
        "Grounding (0-10)", "Precision (0-10)", "Numerical fidelity (0-10)",
        "Search realism (0-10)", "Retrievability (0-10)", "Lexical distance (0-10)",
        "Conceptual framing (0-10)", "Linguistic quality (0-10)", "Comment",
    ]  # fmt: skip
