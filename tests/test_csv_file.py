"""CSV of others: what is wrong is said by file and row."""

from pathlib import Path
from typing import Any

import pytest

from isogloss.csv_file import CsvRow, read_csv
from isogloss.errors import DataError

HEADER = b"id,text\r\n"


@pytest.mark.parametrize("case", ["P07"], indirect=True)
def test_case_p07(case: Any, tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_bytes(b"\xef\xbb\xbf" + HEADER + b'1,"A\r\nB"\r\n2,' + b"x" * 140_000 + b"\r\n\r\n")
    found = read_csv(path, ("id",))
    assert found.headings == ["id", "text"]
    assert [row.number for row in found.rows] == [2, 3]
    assert found.rows[0].cells[1] == case["rows"]["expected"]["q1_answer"].replace("\n", "\r\n")
    assert len(found.rows[1].cells[1]) == case["rows"]["expected"]["q2_length"]


def test_rows_that_cannot_be_used_are_kept_with_their_fault(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_bytes(HEADER + b"1,a,b\n2\n3,a\x00\n4,d\n")
    assert read_csv(path, ()).rows == [
        CsvRow(2, ["1", "a", "b"], ("has 3 cells, the heading line has 2",)),
        CsvRow(3, ["2"], ("has 1 cells, the heading line has 2",)),
        CsvRow(4, ["3", "a\0"], ("holds a NUL character; type the cell anew",)),
        CsvRow(5, ["4", "d"]),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "row 1: no column 'id', do it again"),
        (b"id;text\n1;2\n", "no column 'id'; its cells are parted by ';': save it with commas"),
        (b"id\ttext\n", r"no column 'id'; its cells are parted by '\\t'"),
        (b"id,text,id\n", "row 1: two columns 'id'; keep one"),
        ("id,text\n1,Säure\n".encode("cp1252"), "q.csv: is no UTF-8 .*save it as CSV UTF-8, do it"),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "q.csv"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_csv(path, ("id",), ", do it again")
    with pytest.raises(DataError, match="no such file"):
        read_csv(tmp_path / "none.csv", ())
