"""Worksheets of an .xlsx file as raw cells, whichever program saved it."""

import io
import warnings
from collections.abc import Collection
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from lxml.etree import XMLSyntaxError
from openpyxl import load_workbook
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from isogloss.errors import DataError
from isogloss.files import one_line
from isogloss.review.design import KEY
from isogloss.review.packing import checked_bytes
from isogloss.review.raw_sheet import Kind, RawCell, RawRow, RawSheet, text_cell

# Someone may have put a line above the headings; they are looked for no further down than this.
_HEADING_ROWS = 20
_KINDS: dict[str, Kind] = {"f": "formula", "d": "date", "b": "truth", "e": "error"}


def read_xlsx_sheets(
    path: Path, plain: Collection[str] = ()
) -> tuple[dict[str, RawSheet], dict[str, list[list[str]]]]:
    """Read every worksheet of a workbook.

    Args:
        path: The file.
        plain: Names of worksheets that are lists without headings.

    Returns:
        Worksheets by name, and the plain ones as rows of texts.

    Raises:
        DataError: The file is no workbook or is damaged.
    """
    content = checked_bytes(path)
    try:
        with warnings.catch_warnings():
            # About styles and extensions that are of no interest here.
            warnings.simplefilter("ignore")
            book = load_workbook(io.BytesIO(content))
    except (
        KeyError, ValueError, TypeError, AttributeError, IndexError, OSError, ParseError,
        XMLSyntaxError,
    ) as error:  # fmt: skip
        raise DataError(
            f"{path}: is a damaged workbook ({one_line(error.__cause__ or error)}); save it anew"
        ) from error
    sheets: dict[str, RawSheet] = {}
    lists: dict[str, list[list[str]]] = {}
    for page in book.worksheets:
        rows = _rows(page)
        if page.title in plain:
            lists[page.title] = [
                [_raw(cell).text for _, cell in sorted(row.items())] for _, row in rows
            ]
            continue
        heading = next(
            (
                place
                for place, (_, row) in enumerate(rows[:_HEADING_ROWS])
                if any(cell.value == KEY for cell in row.values())
            ),
            # Without that heading the first row is taken for what it must be, and found wanting.
            0,
        )
        if rows:
            sheets[page.title] = _sheet(page, rows, heading)
    return sheets, lists


def _rows(page: Worksheet) -> list[tuple[int, dict[int, Any]]]:
    """The cells that exist, by row and column: iterating a page would make a million empty ones."""
    rows: dict[int, dict[int, Any]] = {}
    for (row, column), cell in page._cells.items():
        if cell.value is not None:
            rows.setdefault(row, {})[column] = cell
    return sorted(rows.items())


def _raw(cell: Any) -> RawCell:
    value = cell.value
    if cell.data_type in _KINDS:
        shown = getattr(value, "text", value)
        return RawCell(_KINDS[cell.data_type], str(shown))
    if isinstance(value, int | float):
        return RawCell("number", value)
    return text_cell(str(value))


def _sheet(page: Worksheet, rows: list[tuple[int, dict[int, Any]]], heading: int) -> RawSheet:
    titles = {column: _raw(cell).text.strip() for column, cell in rows[heading][1].items()}
    headings: dict[str, tuple[str, ...]] = {}
    for column, title in sorted(titles.items()):
        headings[title] = (*headings.get(title, ()), get_column_letter(column))
    merged = [(span.min_row, span.max_row, str(span)) for span in page.merged_cells.ranges]
    faults: list[str] = []
    found: list[RawRow] = []
    for number, cells in rows[heading + 1 :]:
        raw = {column: _raw(cell) for column, cell in cells.items()}
        if all(cell.is_blank for cell in raw.values()):
            continue
        faults += [
            f"row {number}, column {get_column_letter(column)}: has no heading, so it is not read; "
            "move it into a column that has one"
            for column, cell in raw.items()
            if column not in titles and not cell.is_blank
        ]
        spans = [span for low, high, span in merged if low <= number <= high]
        named = {titles[column]: cell for column, cell in raw.items() if column in titles}
        reasons = tuple(f"cells {span} are merged; part them again" for span in spans)
        found.append(RawRow(number, named, reasons))
    return RawSheet(page.title, headings, tuple(found), tuple(faults))
