"""Worksheets saved as CSV."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from isogloss.errors import DataError
from isogloss.review.csv_sheet import read_csv_sheet

from .sent_sheets import GOOD, change, check, fill

COLUMNS = ("question_id", "language", "answer")
HEADER = b"question_id,language,answer\r\n"


def read(path: Path, content: bytes) -> Any:
    path.write_bytes(content)
    return read_csv_sheet(path, COLUMNS)


@pytest.mark.parametrize("case", ["P07"], indirect=True)
def test_case_p07(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    with_bom = read(path, b"\xef\xbb\xbf" + HEADER)
    assert list(with_bom.headings) == case["bom_header"]["expected"]
    long = b"x" * 140_000
    rows = read(path, HEADER + b'q1,de,"A\r\nB"\r\nq2,zh,' + long + b"\r\n").rows
    expected = case["rows"]["expected"]
    assert len(rows) == expected["n"]
    assert rows[0].cells["answer"].text == expected["q1_answer"]
    assert len(rows[1].cells["answer"].text) == expected["q2_length"]
    nul = read(path, HEADER + b"q3,ja,a\x00b\r\nq4,ja,c\r\n")
    assert nul.rows[0].faults == ("holds a NUL character; type the cell anew",)
    assert nul.rows[0].number == 2
    assert not nul.rows[1].faults
    lone = read(path, HEADER + b'q4,th,"a\rb"\r\n').rows
    assert [row.cells["answer"].text for row in lone] == ["a\nb"]
    with pytest.raises(DataError, match=r"row 1: no column 'question_id'; .* parted by ';'"):
        read(path, HEADER.replace(b",", b";") + b"q1;de;A\r\n")
    short = read(path, HEADER + b"q5,es\r\n").rows
    assert short[0].faults == ("has 2 cells, the heading line has 3",)


def test_refused_files(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        read_csv_sheet(tmp_path / "none.csv", COLUMNS)
    with pytest.raises(DataError, match=r"is no UTF-8 .* or save it as \.xlsx"):
        read(tmp_path / "q.csv", HEADER + "q1,de,Säure".encode("cp1252"))
    with pytest.raises(DataError, match="no column 'question_id'"):
        read(tmp_path / "q.csv", b"")


def save_as_csv(workbook: Path, title: str) -> Path:
    """What a program writes for one worksheet: every cell as text."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    for row in load_workbook(workbook)[title].iter_rows(values_only=True):
        writer.writerow(["" if value is None else value for value in row])
    path = workbook.with_suffix(".csv")
    path.write_text(out.getvalue(), encoding="utf-8-sig", newline="")
    return path


def test_a_filled_worksheet_comes_back_as_csv(file: Path) -> None:
    change(file, lambda book: fill(book["Second"], 2, **GOOD))
    result = check(save_as_csv(file, "Second"))
    assert not result.faults
    assert result.entries["p1"]["score"] == 4
    assert result.untouched == ["p2"]
    assert result.absent == ["q1", "q2", "q3"]
