"""Reading CSV that others saved: every fault named by file and row, no cell too long."""

import csv
import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from isogloss.errors import DataError
from isogloss.files import one_line


@dataclass(frozen=True)
class CsvRow:
    """One row below the headings.

    Attributes:
        number: As spreadsheet programs count rows; the heading line is 1.
        cells: As many as the file has there.
        faults: What makes the row unusable.
    """

    number: int
    cells: list[str]
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class CsvFile:
    """Headings, surrounding blanks removed, and every row that holds anything."""

    headings: list[str]
    rows: list[CsvRow]


def read_csv(path: Path, required: Sequence[str], advice: str = "") -> CsvFile:
    """Read a comma-separated file with a heading line.

    A BOM is dropped, cells may hold line breaks and any length of text. A row with a NUL or with
    more or fewer cells than the heading line is kept with a fault that names it.

    Args:
        path: The file, UTF-8.
        required: Headings without which the file is refused.
        advice: What else its owner may do, after what is wrong.

    Raises:
        DataError: There is no such file, it is no UTF-8, or a required heading is missing.
    """
    if not path.is_file():
        raise DataError(f"{path}: no such file")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path}: is no UTF-8 ({one_line(error)}); save it as CSV UTF-8{advice}"
        ) from error
    # The reader's own limit of 128 KiB a cell is far under what a cell may hold.
    limit = csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    try:
        records = list(csv.reader(io.StringIO(text, newline="")))
    except csv.Error as error:
        raise DataError(f"{path}: is no CSV ({one_line(error)})") from error
    finally:
        csv.field_size_limit(limit)
    headings = [heading.strip() for heading in records[0]] if records else []
    _check_headings(path, headings, required, advice)
    rows = [
        CsvRow(number, record, _faults(record, headings))
        for number, record in enumerate(records[1:], start=2)
        if any(cell.strip() for cell in record)
    ]
    return CsvFile(headings, rows)


def _check_headings(
    path: Path, headings: Sequence[str], required: Sequence[str], advice: str
) -> None:
    for heading in required:
        if heading not in headings:
            parted = next((mark for mark in ";\t" if any(mark in text for text in headings)), None)
            wrong = f"; its cells are parted by {parted!r}: save it with commas" if parted else ""
            raise DataError(f"{path}, row 1: no column {heading!r}{wrong}{advice}")
        if headings.count(heading) > 1:
            raise DataError(f"{path}, row 1: two columns {heading!r}; keep one")


def _faults(record: Sequence[str], headings: Sequence[str]) -> tuple[str, ...]:
    faults = []
    if len(record) != len(headings):
        faults.append(f"has {len(record)} cells, the heading line has {len(headings)}")
    if any("\0" in cell for cell in record):
        faults.append("holds a NUL character; type the cell anew")
    return tuple(faults)
