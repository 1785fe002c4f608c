"""One worksheet saved as CSV by a spreadsheet program."""

from collections.abc import Sequence
from pathlib import Path

from openpyxl.utils import get_column_letter

from isogloss.csv_file import read_csv
from isogloss.review.raw_sheet import RawRow, RawSheet, text_cell


def read_csv_sheet(path: Path, required: Sequence[str]) -> RawSheet:
    """Read a comma-separated file with a heading line.

    A BOM is dropped, cells may hold line breaks and any length of text. A row with a NUL or with
    more or fewer cells than the heading line is kept with a fault that names it.

    Args:
        path: The file, UTF-8.
        required: Headings without which the file is refused.

    Raises:
        DataError: There is no such file, it is no UTF-8, or a required heading is missing or there
            twice.
    """
    found = read_csv(path, required, ", or save it as .xlsx")
    rows = tuple(
        RawRow(
            row.number,
            {
                heading: text_cell(cell)
                for heading, cell in zip(found.headings, row.cells, strict=False)
            },
            row.faults,
        )
        for row in found.rows
    )
    letters = {
        heading: tuple(
            get_column_letter(place)
            for place, other in enumerate(found.headings, start=1)
            if other == heading
        )
        for heading in found.headings
    }
    return RawSheet("", letters, rows)
