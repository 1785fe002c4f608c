"""What a made workbook holds and promises."""

import io
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from isogloss.errors import DataError
from isogloss.review.cell_text import printable
from isogloss.review.design import Workbook
from isogloss.review.reading import read_return
from isogloss.review.returns import check_return
from isogloss.review.workbook import workbook_bytes

from .sent_sheets import SENT, check, sheet

CHARACTERS = st.characters(codec="utf-8") | st.sampled_from("=+-@_x0041\r\n\t")


def test_the_same_content_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    first, _ = workbook_bytes(SENT)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert workbook_bytes(SENT)[0] == first
    with zipfile.ZipFile(io.BytesIO(first)) as packed:
        assert {entry.date_time[0] for entry in packed.infolist()} == {1980}
        core = packed.read("docProps/core.xml").decode()
        assert core.count("2000-01-01T00:00:00Z") == 2


def test_text_never_becomes_a_formula() -> None:
    texts = ["=1+1", "+1", "-1", "@SUM(A1)", "#N/A", "'x", "\t=1", "0012", "1e5", "2024-01-01"]
    rows = [(f"i{place}", text) for place, text in enumerate(texts)]
    content, _ = workbook_bytes(Workbook("c/d", (sheet("First", *rows),)))
    page = load_workbook(io.BytesIO(content))["First"]
    for number, text in enumerate(texts, start=2):
        for column in "CF":
            cell = page[f"{column}{number}"]
            assert (cell.value, cell.data_type, cell.number_format) == (text, "s", "@")
    assert page["C2"].quotePrefix
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        assert not any(b"<f>" in packed.read(name) for name in packed.namelist())


def test_sources_are_locked_and_entries_are_open(file: Path) -> None:
    book = load_workbook(file)
    page = book["First"]
    assert page.protection.sheet
    assert [cell.protection.locked for cell in page[2]] == [True] * 3 + [False] * 4
    assert page.freeze_panes == "C2"
    assert page.column_dimensions["A"].hidden
    assert book["isogloss"].sheet_state == "veryHidden"
    assert all(book[name].protection.sheet for name in ("Key", "Terminology", "isogloss"))
    rules = {rule.formula1: str(rule.sqref) for rule in page.data_validations.dataValidation}
    assert rules == {'"1,2,3,4,5"': "D2:D4", '"accept,reject"': "E2:E4"}
    assert [cell.value for cell in book["Key"][4]] == ["Score", "Is it good?", "1 no, 5 yes"]
    assert page.row_dimensions[3].height == 30


def test_characters_no_cell_can_hold_leave_and_are_counted() -> None:
    made = Workbook("c/d", (sheet("First", ("a", "x\x00\x0by\ud800\r\nz")),))
    content, dropped = workbook_bytes(made)
    assert dropped == 6  # three in the text, three in its draft
    assert load_workbook(io.BytesIO(content))["First"]["C2"].value == "xy\nz"


def test_a_text_that_no_cell_can_hold_is_refused_by_id() -> None:
    with pytest.raises(DataError, match=r"sheet 'First', id 'long', Text: 32768 characters"):
        workbook_bytes(Workbook("c/d", (sheet("First", ("long", "x" * 32_768)),)))
    workbook_bytes(Workbook("c/d", (sheet("First", ("long", "x" * 32_767)),)))


def test_an_untouched_sheet_reads_as_untouched(file: Path) -> None:
    result = check(file)
    assert result.untouched == ["q1", "q2", "q3", "p1", "p2"]
    assert not result.faults


@settings(max_examples=20)
@given(
    st.lists(
        st.text(st.characters(codec="utf-8") | st.sampled_from("=+-@_x0041\r\n\t")), max_size=4
    )
)
def test_any_text_goes_there_and_back(texts: list[str]) -> None:
    rows = [(f"i#{place}", text) for place, text in enumerate(texts)]
    made = Workbook("c/d", (sheet("First", *rows),))
    content, dropped = workbook_bytes(made)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.xlsx"
        path.write_bytes(content)
        result = check_return(read_return(path), made) if rows else None
    if result is not None:
        assert not result.faults
        assert result.untouched == [name for name, _ in rows]
    assert dropped == 2 * sum(printable(text)[1] for text in texts)
