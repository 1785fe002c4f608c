"""One worksheet saved as CSV by a spreadsheet program."""

import csv
import io
import sys
from collections.abc import Sequence
from pathlib import Path

from openpyxl.utils import get_column_letter

from isogloss.errors import DataError
from isogloss.files import one_line
from isogloss.review.raw_sheet import RawRow, RawSheet, text_cell


def read_csv_sheet(path: Path, required: Sequence[str]) -> RawSheet:
    """Read a comma-separated file with a heading line.

    A BOM is dropped, cells may hold line breaks and any length of text. A row with a NUL or with
    more or fewer cells than the heading line is kept with a fault that names it.

    Args:
        path: The file, UTF-8.
        required: Headings without which the file is refused.

    Raises:
        DataError: There is no such file, it is no UTF-8, or a required heading is missing.
    """
    if not path.is_file():
        raise DataError(f"{path}: no such file")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path}: is no UTF-8 ({one_line(error)}); save it as .xlsx or as CSV UTF-8"
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
    for heading in required:
        if heading not in headings:
            parted = next((mark for mark in ";\t" if any(mark in text for text in headings)), None)
            advice = f"; its cells are parted by {parted!r}: save it with commas" if parted else ""
            raise DataError(f"{path}, row 1: no column {heading!r}{advice}, or save it as .xlsx")
    rows = [
        _row(number, record, headings)
        for number, record in enumerate(records[1:], start=2)
        if any(cell.strip() for cell in record)
    ]
    letters = {
        heading: tuple(
            get_column_letter(place)
            for place, other in enumerate(headings, start=1)
            if other == heading
        )
        for heading in headings
    }
    return RawSheet("", letters, tuple(rows))


def _row(number: int, record: list[str], headings: list[str]) -> RawRow:
    faults = []
    if len(record) != len(headings):
        faults.append(f"has {len(record)} cells, the heading line has {len(headings)}")
    if any("\0" in cell for cell in record):
        faults.append("holds a NUL character; type the cell anew")
    cells = {heading: text_cell(cell) for heading, cell in zip(headings, record, strict=False)}
    return RawRow(number, cells, tuple(faults))
