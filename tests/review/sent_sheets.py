"""A small workbook, and ways to do to it what people and programs do."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from openpyxl import Workbook as OpenWorkbook
from openpyxl import load_workbook

from isogloss.review.design import (
    Choice,
    Column,
    Draft,
    Explanation,
    Remark,
    Score,
    Sheet,
    Workbook,
)
from isogloss.review.reading import read_return
from isogloss.review.returns import Return, check_return

COLUMNS = (
    Column("id", "Id", width=10),
    Column("text", "Text", width=40),
    Column("score", "Score (1-5)", Score(1, 5), help="How good?"),
    Column("verdict", "Verdict", Choice(("accept", "reject"))),
    Column("draft", "Better text", Draft(), width=40),
    Column("comment", "Comment", Remark()),
)


def sheet(title: str, *rows: tuple[str, str]) -> Sheet:
    return Sheet(title, COLUMNS, tuple({"id": i, "text": t, "draft": t} for i, t in rows))


SENT = Workbook(
    "check/de/ana",
    (
        sheet("First", ("q1", "eins"), ("q2", "zwei\nZeilen"), ("q3", "=cmd|' /C calc'!A0")),
        sheet("Second", ("p1", "+49"), ("p2", "-5 °C")),
    ),
    ["What to do."],
    [Explanation("Score", "Is it good?", "1 no, 5 yes")],
    {"Terminology": ["CT stays CT."]},
)


def fill(page: Any, row: int, **values: Any) -> None:
    """Fill cells of a row by column key."""
    places = {column.key: place for place, column in enumerate(COLUMNS, start=2)}
    for key, value in values.items():
        page.cell(row, places[key]).value = value


def change(path: Path, how: Callable[[OpenWorkbook], object]) -> None:
    """Open, change and save a workbook as a program would."""
    book = load_workbook(io.BytesIO(path.read_bytes()))
    how(book)
    book.save(path)


def check(path: Path) -> Return:
    """Read a file back; whatever happened to it, every id sent is in one list and in one only."""
    result = check_return(read_return(path), SENT)
    sorted_in = [*result.entries, *result.refused, *result.untouched, *result.absent]
    assert sorted(sorted_in) == ["p1", "p2", "q1", "q2", "q3"]
    return result


GOOD = {"score": 4, "verdict": "accept"}
