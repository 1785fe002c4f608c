"""Reading a returned file: .xlsx from any program, or one worksheet saved as .csv."""

import json
from collections.abc import Mapping
from pathlib import Path

from isogloss.errors import DataError
from isogloss.review.csv_sheet import read_csv_sheet
from isogloss.review.design import KEY, split_key
from isogloss.review.raw_sheet import RawReturn, RawSheet
from isogloss.review.workbook import FORMAT, KEY_SHEET, META_SHEET
from isogloss.review.xlsx_sheets import read_xlsx_sheets

SUFFIXES = (".xlsx", ".csv")
# What other programs save; somebody's work is in it, so it is named and never passed over.
UNREAD = (".ods", ".fods", ".xls", ".xlsm", ".xlsb", ".xltx", ".ots", ".tsv", ".numbers", ".gsheet")


def returned_files(folder: Path) -> list[Path]:
    """The returned files of a folder in name order; the lock files of open programs are left out.

    Spreadsheets in forms that `read_return` refuses, and folders that hold any, are among them, so
    that it can say so.

    Raises:
        DataError: There is no such folder.
    """
    if not folder.is_dir():
        raise DataError(f"{folder}: no such folder of returned sheets")
    return sorted(path for path in folder.iterdir() if _is_sheet(path) or _holds_sheets(path))


def _is_sheet(path: Path) -> bool:
    return path.suffix.lower() in (*SUFFIXES, *UNREAD) and not path.name.startswith(("~$", "."))


def _holds_sheets(path: Path) -> bool:
    return path.is_dir() and any(_is_sheet(below) for below in path.rglob("*"))


def read_return(path: Path) -> RawReturn:
    """Read one returned file as it is.

    Raises:
        DataError: The file cannot be read, or was not made by this program.
    """
    if path.is_dir():
        raise DataError(f"{path}: is a folder; move the sheets in it up into {path.parent}")
    suffix = path.suffix.lower()
    if suffix == ".csv":
        sheet = read_csv_sheet(path, required=(KEY,))
        return RawReturn(str(path), _code_of_rows(path, {"": sheet}), None, {"": sheet})
    if suffix != ".xlsx":
        raise DataError(f"{path}: save the sheet as .xlsx (or each worksheet as .csv, UTF-8)")
    sheets, plain = read_xlsx_sheets(path, plain=(META_SHEET, KEY_SHEET))
    meta = plain.get(META_SHEET, [])
    code, assigned = _meta(path, meta)
    return RawReturn(str(path), code or _code_of_rows(path, sheets), assigned, sheets)


def _meta(path: Path, rows: list[list[str]]) -> tuple[str, Mapping[str, tuple[str, ...]] | None]:
    """Code and assigned ids from the hidden sheet; nothing where a program dropped that sheet."""
    values = dict(row[:2] for row in rows if len(row) > 1 and row[0] != "id")
    if not rows:
        return "", None
    if values.get("format") != FORMAT:
        raise DataError(
            f"{path}, sheet {META_SHEET!r}: format is {values.get('format')!r}, this program reads "
            f"{FORMAT!r}"
        )
    assigned: dict[str, list[str]] = {}
    for number, row in enumerate(rows, start=1):
        if row[0] != "id":
            continue
        try:
            title, identifier = json.loads(row[1])
        except (ValueError, IndexError) as error:
            raise DataError(
                f"{path}, sheet {META_SHEET!r}, row {number}: was changed; take the sheet as sent"
            ) from error
        assigned.setdefault(title, []).append(identifier)
    return values.get("code", ""), {title: tuple(ids) for title, ids in assigned.items()}


def _code_of_rows(path: Path, sheets: Mapping[str, RawSheet]) -> str:
    for sheet in sheets.values():
        for row in sheet.rows:
            parts = split_key(row.cells[KEY].text) if KEY in row.cells else None
            if parts:
                return parts[0]
    raise DataError(f"{path}: no row has a key; this is no sheet that isogloss made")
