"""Files that are no workbooks, damaged ones, and hostile ones."""

import io
import zipfile
from pathlib import Path

import pytest

from isogloss.errors import DataError
from isogloss.review.packing import checked_bytes
from isogloss.review.reading import read_return, returned_files
from isogloss.review.xlsx_sheets import read_xlsx_sheets


def repacked(file: Path, **parts: bytes) -> None:
    """Replace parts of a workbook, named with `__` for `/`."""
    out = io.BytesIO()
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, parts.get(name.split(".")[0].replace("/", "__"), old.read(name)))
    file.write_bytes(out.getvalue())


def test_a_document_type_is_refused(file: Path) -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet>&a;</worksheet>'
    repacked(file, xl__worksheets__sheet1=bomb)
    with pytest.raises(DataError, match=r"sheet1\.xml declares a document type; refused"):
        read_return(file)
    repacked(file, xl__worksheets__sheet1=bomb.decode().encode("utf-16"))
    with pytest.raises(DataError, match="declares a document type"):
        read_return(file)


def test_a_file_that_unpacks_to_too_much_is_refused(file: Path) -> None:
    with pytest.raises(DataError, match=r"unpacks to [0-9]+ bytes, more than 1000"):
        checked_bytes(file, max_unpacked=1000)


def test_no_workbook(tmp_path: Path, file: Path) -> None:
    old = tmp_path / "old.xlsx"
    old.write_bytes(b"\xd0\xcf\x11\xe0 an older format or one with a password")
    with pytest.raises(DataError, match=r"is no \.xlsx workbook"):
        read_return(old)
    with zipfile.ZipFile(old, "w") as packed:
        packed.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    with pytest.raises(DataError, match=r"is a ZIP but no \.xlsx workbook"):
        read_return(old)
    with pytest.raises(DataError, match=r"save the sheet as \.xlsx"):
        read_return(tmp_path / "sheet.ods")
    file.write_bytes(file.read_bytes()[:-900])
    with pytest.raises(DataError, match=r"is no \.xlsx workbook"):
        read_return(file)


def test_a_damaged_part(file: Path) -> None:
    repacked(file, xl__worksheets__sheet1=b"<worksheet><sheetData>")
    with pytest.raises(DataError, match="is a damaged workbook"):
        read_xlsx_sheets(file)


def test_a_stranger_workbook(tmp_path: Path) -> None:
    from openpyxl import Workbook

    path = tmp_path / "stranger.xlsx"
    Workbook().save(path)
    with pytest.raises(DataError, match="no sheet that isogloss made"):
        read_return(path)


def test_lock_files_of_open_programs_are_left_out(tmp_path: Path) -> None:
    for name in ("b.xlsx", "a.csv", "~$b.xlsx", ".~lock.b.xlsx#", ".hidden.xlsx", "notes.txt"):
        (tmp_path / name).touch()
    assert [path.name for path in returned_files(tmp_path)] == ["a.csv", "b.xlsx"]
    with pytest.raises(DataError, match="no such folder"):
        returned_files(tmp_path / "none")


def test_work_in_another_form_is_named_and_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "anna").mkdir()
    (tmp_path / "empty").mkdir()
    for name in ("a.ods", "b.XLS", "c.xlsm", "d.tsv", "notes.txt", "anna/e.xlsx", "empty/f.txt"):
        (tmp_path / name).touch()
    found = returned_files(tmp_path)
    assert [path.name for path in found] == ["a.ods", "anna", "b.XLS", "c.xlsm", "d.tsv"]
    for path in found:
        advice = "is a folder; move the sheets" if path.is_dir() else r"save the sheet as \.xlsx"
        with pytest.raises(DataError, match=f"{path.name}: {advice}"):
            read_return(path)
