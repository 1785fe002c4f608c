"""What people do to sheets: each deed is found, and named by sheet, row and column."""

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl.worksheet.formula import ArrayFormula

from isogloss.review.row_rules import Fault, in_row_order

from .sent_sheets import GOOD, change, check, fill


def test_good_rows_are_read(file: Path) -> None:
    def edit(book: Any) -> None:
        fill(book["First"], 2, **GOOD, draft="eins!", comment="=) fine")
        fill(book["First"], 3, score="4", verdict=" Accept ")
        fill(book["Second"], 2, score=5.0, verdict="REJECT")

    change(file, lambda book: (edit(book), setattr(book["First"]["G2"], "data_type", "s")))
    result = check(file)
    assert not result.faults
    assert result.entries == {
        "q1": {"score": 4, "verdict": "accept", "draft": "eins!", "comment": "=) fine"},
        "q2": {"score": 4, "verdict": "accept", "draft": "zwei\nZeilen", "comment": None},
        "p1": {"score": 5, "verdict": "reject", "draft": "+49", "comment": None},
    }
    assert result.rows["q1"] == f"{file}, sheet 'First', row 2"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, "holds '0'; type a whole number from 1 to 5"),
        (6, "holds '6'; type"),
        (4.5, "holds '4.5'; type"),
        ("4,5", "holds '4,5'; type"),
        ("four", "holds 'four'; type"),
        ("-1", "holds '-1'; type"),
        (True, "holds 'True'; type"),
        (dt.datetime(2026, 5, 4), "holds the date '2026-05-04 00:00:00', which the program"),
        ("=2+2", "holds the formula '=2+2'; type"),
        (ArrayFormula("D2", "=SUM(A1:A2)"), "holds the formula '=SUM(A1:A2)'; type"),
        ("#N/A", "holds the error '#N/A'; type"),
        (None, "is empty; give a whole number from 1 to 5"),
    ],
)
def test_scores_off_the_scale(file: Path, value: Any, said: str) -> None:
    change(file, lambda book: fill(book["First"], 2, verdict="accept", score=value))
    result = check(file)
    assert result.refused == ["q1"]
    place = f"{file}, sheet 'First', row 2, column D 'Score (1-5)', id 'q1': "
    assert [str(fault)[: len(place)] for fault in result.faults] == [place]
    assert result.faults[0].message.startswith(said)


@pytest.mark.parametrize("value", ["4", " 4 ", "4.0", "4,0", "４", 4, 4.0, "+4"])
def test_ways_to_write_four(file: Path, value: Any) -> None:
    change(file, lambda book: fill(book["First"], 2, verdict="accept", score=value))
    assert check(file).entries["q1"]["score"] == 4


def _swap(page: Any, first: int, second: int) -> None:
    for one, other in zip(page[first], page[second], strict=True):
        held = (one.value, one.data_type), (other.value, other.data_type)
        for cell, (value, kind) in zip((other, one), held, strict=True):
            cell.value, cell.data_type = value, kind


def _copy(page: Any, row: int, to: int) -> None:
    for cell in page[row]:
        page.cell(to, cell.column).value = cell.value


DEEDS: list[tuple[str, Callable[[Any], object], str, str]] = [
    (
        "locked cell edited",
        lambda book: setattr(book["First"]["C2"], "value", "einz"),
        "q1",
        "sheet 'First', row 2, column C 'Text', id 'q1': the locked cell was changed: "
        "holds 'einz', must hold 'eins'",
    ),
    (
        "id edited",
        lambda book: setattr(book["First"]["B2"], "value", "q9"),
        "q1",
        "row 2, id 'q1': column B 'Id': the id was changed to 'q9'; write 'q1' again",
    ),
    (
        "hidden key lost",
        lambda book: setattr(book["First"]["A2"], "value", None),
        "q1",
        "row 2, id 'q1': column A 'key' (hidden) is empty or was changed; copy the row",
    ),
    (
        "row doubled",
        lambda book: _copy(book["First"], 2, 9),
        "q1",
        "row 9, id 'q1': is there already in row 2; keep one of the two",
    ),
    (
        "cells merged",
        lambda book: book["First"].merge_cells("D2:E2"),
        "q1",
        "row 2, id 'q1': cells D2:E2 are merged; part them again",
    ),
    (
        "draft emptied",
        lambda book: fill(book["First"], 2, draft=None),
        "q1",
        "row 2, column F 'Better text', id 'q1': is empty; give the text as it shall be",
    ),
]


@pytest.mark.parametrize(
    ("deed", "identifier", "said"), [deed[1:] for deed in DEEDS], ids=[deed[0] for deed in DEEDS]
)
def test_deeds_that_refuse_a_row(file: Path, deed: Any, identifier: str, said: str) -> None:
    change(file, lambda book: fill(book["First"], 2, **GOOD))
    change(file, deed)
    result = check(file)
    assert result.refused == [identifier]
    assert [fault for fault in result.faults if said in str(fault)], result.faults


def test_unknown_and_foreign_rows(file: Path) -> None:
    def edit(book: Any) -> None:
        page = book["First"]
        page["A8"], page["B8"] = "check/de/ana#zz#00000000", "zz"
        page["B9"], page["D9"] = "my own", 4
        page["A10"], page["B10"] = "check/de/ben#q1#00000000", "q1"
        _copy(book["Second"], 2, 2)
        for place, cell in enumerate(book["Second"][2], start=1):
            page.cell(11, place).value = cell.value

    change(file, edit)
    said = [str(fault).removeprefix(f"{file}, sheet 'First', ") for fault in check(file).faults]
    assert said == [
        "row 8, id 'zz': is unknown; delete the row",
        "row 9, id 'my own': is no row of this sheet (column A 'key' (hidden) is empty or was "
        "changed); delete it",
        "row 10: belongs to the sheet 'check/de/ben'; delete it here",
        "row 11: id 'p1' belongs on sheet 'Second'; move it back",
    ]


def test_a_row_whose_id_and_key_were_edited_is_not_to_be_thrown_away(file: Path) -> None:
    def edit(book: Any) -> None:
        page = book["First"]
        fill(page, 3, **GOOD)
        page["A3"], page["B3"] = page["A3"].value.replace("q2", "q7"), "q7"
        fill(page, 2, score=9, verdict="accept")
        page["A4"], page["B4"] = "torn", "q8"

    change(file, edit)
    result = check(file)
    assert result.absent == ["q2", "q3"]
    said = [str(fault).removeprefix(f"{file}, sheet 'First', ") for fault in result.faults]
    advice = (
        "if it is a row of this sheet, restore its id and column A 'key' as sent (missing here: "
        "q2, q3), otherwise delete"
    )
    assert said[0].startswith("row 2, ")
    assert said[1] == f"row 3, id 'q7': is unknown; {advice} the row"
    assert said[2].startswith("row 4, id 'q8': is no row of this sheet")
    assert said[2].endswith(f"{advice} it")


def test_faults_come_in_the_order_of_the_rows() -> None:
    faults = [
        Fault(place, None, "")
        for place in (
            "a.xlsx",
            "a.xlsx, sheet 'S', row 12",
            "a.xlsx, sheet 'T', row 1",
            "b.csv, row 3, column B",
            "a.xlsx, sheet 'S', row 2, column H",
            "b.csv, row 3, column A",
            "a.xlsx",
        )
    ]
    assert [one.place for one in in_row_order(faults)] == [
        "a.xlsx",
        "a.xlsx",
        "a.xlsx, sheet 'S', row 2, column H",
        "a.xlsx, sheet 'S', row 12",
        "a.xlsx, sheet 'T', row 1",
        "b.csv, row 3, column B",
        "b.csv, row 3, column A",
    ]


def test_order_of_rows_columns_and_sheets_does_not_matter(file: Path) -> None:
    def edit(book: Any) -> None:
        fill(book["First"], 2, **GOOD)
        _swap(book["First"], 2, 4)
        book["First"].row_dimensions[3].hidden = True
        book.move_sheet("Second", -1)
        book["First"].move_range("G1:G9", cols=3)
        book["First"].insert_rows(1)
        book["First"]["B1"] = "Please by Friday"

    change(file, edit)
    result = check(file)
    assert not result.faults
    assert list(result.entries) == ["q1"]
    assert result.rows["q1"].endswith("row 5")


def test_missing_rows_sheets_and_headings(file: Path) -> None:
    change(file, lambda book: book["First"].delete_rows(3))
    assert check(file).absent == ["q2"]
    change(file, lambda book: setattr(book["Second"], "title", "Second (2)"))
    result = check(file)
    assert result.absent == ["q2", "p1", "p2"]
    assert "has no sheet 'Second' (there are: 'First', 'Second (2)', 'Terminology')" in str(
        result.faults[0]
    )
    change(file, lambda book: setattr(book["First"]["D1"], "value", "Mark"))
    result = check(file)
    assert result.refused == ["q1", "q2", "q3"]
    assert "sheet 'First', heading: no column 'Score (1-5)'; restore it" in str(result.faults[0])
    change(file, lambda book: setattr(book["First"]["D1"], "value", "Verdict"))
    assert "two columns 'Verdict'; keep one" in str(check(file).faults[1])


def test_a_lost_key_column_is_named(file: Path) -> None:
    change(file, lambda book: book["First"].delete_cols(1))
    result = check(file)
    assert result.refused == ["q1", "q2", "q3"]
    assert "sheet 'First', heading: no column 'key'; restore it" in str(result.faults[0])


def test_text_that_would_be_lost_is_named(file: Path) -> None:
    def edit(book: Any) -> None:
        fill(book["First"], 2, **GOOD)
        book["First"]["H1"], book["First"]["H2"], book["First"]["K3"] = "My notes", "see", "here"

    change(file, edit)
    result = check(file)
    assert list(result.entries) == ["q1"]
    assert [fault.message for fault in result.faults] == [
        "row 3, column K: has no heading, so it is not read; move it into a column that has one",
        "column 'My notes' is not read; move its text into a column of the sheet",
    ]


def test_a_sheet_of_another_source_version_is_told_from_an_edit(file: Path, sent: Any) -> None:
    import dataclasses

    from isogloss.review.reading import read_return
    from isogloss.review.returns import check_return

    first = sent.sheets[0]
    newer = dataclasses.replace(
        sent,
        sheets=(
            dataclasses.replace(first, rows=({**first.rows[0], "text": "EINS"}, *first.rows[1:])),
            sent.sheets[1],
        ),
    )
    result = check_return(read_return(file), newer)
    assert [fault.message for fault in result.faults] == [
        "was made from another version of the source; make the sheet anew"
    ]
    other = check_return(read_return(file), dataclasses.replace(sent, code="check/fr/ana"))
    assert "is the sheet 'check/de/ana', expected was 'check/fr/ana'" in str(other.faults[0])


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_is_written_nothing_is_lost_and_nothing_else_raised(file: Path, data: Any) -> None:
    original = file.read_bytes()
    values = st.one_of(
        st.none(), st.integers(-2, 12), st.floats(allow_nan=False, allow_infinity=False),
        st.booleans(), st.text(alphabet="aé=+-@4,. 患\n_x0041", max_size=8),
        st.dates().map(lambda day: dt.datetime(2000 + day.year % 50, day.month, 1)),
    )  # fmt: skip
    writes = data.draw(
        st.lists(
            st.tuples(
                st.sampled_from(["First", "Second"]), st.integers(1, 6), st.integers(1, 8), values
            ),
            max_size=8,
        )
    )

    def edit(book: Any) -> None:
        for title, row, column, value in writes:
            book[title].cell(row, column).value = value

    change(file, edit)
    try:
        result = check(file)  # asserts that every id is in exactly one list
    finally:
        file.write_bytes(original)
    for values_read in result.entries.values():
        assert values_read["score"] in range(1, 6)
        assert values_read["verdict"] in ("accept", "reject")
        assert str(values_read["draft"]).strip()
