"""Writing a workbook: locked sources, dropdowns, a key sheet, hidden keys, text as text."""

import io
import json
from collections.abc import Sequence

from openpyxl import Workbook as OpenWorkbook
from openpyxl.cell.cell import Cell, MergedCell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from isogloss.review.cell_text import printable, to_cell
from isogloss.review.design import KEY, Choice, Draft, Entry, Score, Sheet, Workbook, row_key
from isogloss.review.packing import stable

KEY_SHEET = "Key"
META_SHEET = "isogloss"
FORMAT = "isogloss sheet 1"

_WRAP = Alignment(wrap_text=True, vertical="top")
_CENTRED = Alignment(horizontal="center", vertical="top")
_LINE = Side(style="thin", color="FFD0D0D0")
_GRID = Border(left=_LINE, right=_LINE, top=_LINE, bottom=_LINE)
_HEADING = PatternFill("solid", fgColor="FF1F3A5F")
_SHOWN = PatternFill("solid", fgColor="FFF2F2F2")
_TO_FILL = PatternFill("solid", fgColor="FFFFFBE6")
_OPEN = Protection(locked=False)
_FONT = "Calibri"
_LINE_HEIGHT, _HIGHEST_ROW = 15.0, 409.0


def workbook_bytes(workbook: Workbook) -> tuple[bytes, int]:
    """Lay out a workbook.

    Args:
        workbook: What it holds. Texts must have been made by `printable` or are made so here.

    Returns:
        The .xlsx file, the same bytes for the same content, and the number of characters left out
        because no cell can hold them (control characters, lone surrogates).

    Raises:
        DataError: A text is longer than a cell can hold; the row's id is named.
    """
    book = OpenWorkbook()
    first = book.active
    if first is not None:
        book.remove(first)
    dropped = sum(
        _fill(book.create_sheet(sheet.title), workbook.code, sheet) for sheet in workbook.sheets
    )
    _explain(book.create_sheet(KEY_SHEET), workbook)
    for title, notes in workbook.notes.items():
        _list(book.create_sheet(title), [[note] for note in notes], [100])
    meta = book.create_sheet(META_SHEET)
    _list(meta, _meta(workbook), [24, 60])
    meta.sheet_state = "veryHidden"
    out = io.BytesIO()
    book.save(out)
    return stable(out.getvalue()), dropped


def _meta(workbook: Workbook) -> list[list[str]]:
    rows = [["format", FORMAT], ["code", workbook.code]]
    # One id a line: a list in one cell would outgrow it.
    for sheet in workbook.sheets:
        rows += [
            ["id", json.dumps([sheet.title, row["id"]], ensure_ascii=False)] for row in sheet.rows
        ]
    return rows


def _fill(page: Worksheet, code: str, sheet: Sheet) -> int:
    dropped = 0
    _put(page.cell(1, 1), KEY)
    for place, column in enumerate(sheet.columns, start=2):
        _put(page.cell(1, place), column.title)
        page.column_dimensions[get_column_letter(place)].width = column.width
    for cell in page[1]:
        cell.font, cell.fill = Font(name=_FONT, size=11, bold=True, color="FFFFFFFF"), _HEADING
        cell.alignment, cell.border = _WRAP, _GRID
    page.column_dimensions["A"].hidden = True
    page.row_dimensions[1].height = 2 * _LINE_HEIGHT
    for number, row in enumerate(sheet.rows, start=2):
        where = f"sheet {sheet.title!r}, id {row['id']!r}"
        clean: dict[str, str] = {}
        for column in sheet.columns:
            clean[column.key], lost = printable(row.get(column.key, ""))
            dropped += lost
        _put(page.cell(number, 1), to_cell(row_key(code, sheet, clean), where))
        for place, column in enumerate(sheet.columns, start=2):
            cell = page.cell(number, place)
            if column.entry is None or isinstance(column.entry, Draft):
                _put(cell, to_cell(clean[column.key], f"{where}, {column.title}"))
            _dress(cell, column.entry)
        page.row_dimensions[number].height = _height(sheet, clean)
    _validate(page, sheet)
    page.freeze_panes = "C2"
    page.auto_filter.ref = f"A1:{get_column_letter(len(sheet.columns) + 1)}{len(sheet.rows) + 1}"
    _protect(page)
    _fit_to_width(page)
    page.print_title_rows = "1:1"
    return dropped


def _put(cell: Cell | MergedCell, text: str) -> None:
    """Set a text that stays a text, whatever it begins with, also after someone edits the cell."""
    if text:
        cell.value = text
        # The setter takes "=..." for a formula and "#N/A" for an error.
        cell.data_type = "s"
    cell.number_format = "@"
    if text[:1] in tuple("=+-@'\t\n"):
        cell.quotePrefix = True


def _dress(cell: Cell | MergedCell, entry: Entry | None) -> None:
    cell.alignment, cell.border = _WRAP, _GRID
    if entry is None:
        cell.fill = _SHOWN
        return
    cell.fill, cell.protection = _TO_FILL, _OPEN
    if isinstance(entry, Score):
        # A number stays a number; as text it would still be understood.
        cell.number_format, cell.alignment = "0", _CENTRED
    else:
        cell.number_format = "@"


def _height(sheet: Sheet, texts: dict[str, str]) -> float:
    """A row as high as its longest wrapped text needs; wide scripts take two places a character."""
    lines = 1
    for column in sheet.columns:
        needed = 0
        for line in texts[column.key].split("\n"):
            places = sum(2 if ord(character) > 0x2E7F else 1 for character in line)
            needed += max(1, -(-places // max(column.width - 1, 1)))
        lines = max(lines, needed)
    return min(lines * _LINE_HEIGHT, _HIGHEST_ROW)


def _validate(page: Worksheet, sheet: Sheet) -> None:
    for place, column in enumerate(sheet.columns, start=2):
        if isinstance(column.entry, Score):
            options = [str(value) for value in range(column.entry.low, column.entry.high + 1)]
        elif isinstance(column.entry, Choice):
            options = list(column.entry.options)
        else:
            continue
        rule = DataValidation(type="list", formula1=f'"{",".join(options)}"', allow_blank=True)
        rule.showErrorMessage, rule.showInputMessage = True, True
        rule.errorTitle, rule.error = "Not on the scale", f"Give {column.entry}."
        rule.promptTitle, rule.prompt = column.title[:32], (column.help or str(column.entry))[:255]
        letter = get_column_letter(place)
        rule.add(f"{letter}2:{letter}{max(len(sheet.rows), 1) + 1}")
        page.add_data_validation(rule)


def _protect(page: Worksheet) -> None:
    protection = page.protection
    protection.sheet = True
    # In the format these flags say what is *forbidden*: widths and filters stay free.
    protection.autoFilter = protection.formatColumns = protection.formatRows = False


def _fit_to_width(page: Worksheet) -> None:
    page.page_setup.orientation = "landscape"
    page.page_setup.fitToHeight = 0
    page.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)


def _explain(page: Worksheet, workbook: Workbook) -> None:
    rows: list[list[str]] = [[line] for line in workbook.introduction]
    rows += [[], ["Criterion", "Asks", "Scale"]]
    heading = len(rows)
    rows += [[line.name, line.asks, line.scale] for line in workbook.explanations]
    _list(page, rows, [30, 90, 90])
    for cell in page[heading]:
        cell.font = Font(name=_FONT, size=11, bold=True)
    for number in range(1, len(workbook.introduction) + 1):
        # A sentence may run over the empty cells to its right.
        page.cell(number, 1).alignment = Alignment(wrap_text=False, vertical="top")


def _list(page: Worksheet, rows: Sequence[Sequence[str]], widths: Sequence[int]) -> None:
    for place, width in enumerate(widths, start=1):
        page.column_dimensions[get_column_letter(place)].width = width
    for number, row in enumerate(rows, start=1):
        for place, text in enumerate(row, start=1):
            cell = page.cell(number, place)
            _put(cell, to_cell(printable(text)[0], f"sheet {page.title!r}, row {number}"))
            cell.alignment = _WRAP
    _fit_to_width(page)
    _protect(page)
