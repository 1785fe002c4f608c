"""Fill in a sheet as a reviewer would, and send it back with the same bytes each time."""

import io
from collections.abc import Mapping
from pathlib import Path

from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from isogloss.errors import DataError
from isogloss.files import write_bytes
from isogloss.review.packing import stable

ITEM = "Item"
ANSWER = "Answer no."
"""Headings of the columns that hold ids."""

Entries = Mapping[str, int | str]
"""What goes into the cells of one row, by heading."""


def fill(sheet: Path, out: Path, entries: Mapping[str, Entries], ids: str) -> None:
    """Fill in every row of a sheet.

    Args:
        sheet: The workbook as made by isogloss.
        out: Where the returned file goes.
        entries: By what stands in the column of ids; a heading that a page lacks is passed over.
        ids: The heading of that column.

    Raises:
        DataError: A row has no entries, or entries have no row.
    """
    book = load_workbook(sheet)
    left = set(entries)
    for page in book.worksheets:
        headings = _headings(page)
        if ids not in headings:
            continue
        for row in range(2, page.max_row + 1):
            identifier = str(page.cell(row, headings[ids]).value)
            if identifier not in entries:
                raise DataError(f"{sheet}: nothing was written for {identifier}")
            left.discard(identifier)
            for heading, value in entries[identifier].items():
                if heading in headings:
                    page.cell(row, headings[heading]).value = value
    if left:
        raise DataError(f"{sheet}: holds no row for {min(left)}")
    content = io.BytesIO()
    book.save(content)
    write_bytes(out, stable(content.getvalue()))


def _headings(page: Worksheet) -> dict[str, int]:
    return {str(cell.value): cell.column for cell in page[1] if cell.value is not None}
