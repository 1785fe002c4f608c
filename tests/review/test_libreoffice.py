"""Sheets that LibreOffice has opened and saved, where it is installed."""

import shutil
import subprocess
from pathlib import Path

import pytest
from openpyxl import load_workbook

from .sent_sheets import GOOD, change, check, fill
from .translation_sample import ITEMS, first_sheet, merged

OFFICE = shutil.which("soffice")


def converted(file: Path, ending: str) -> Path:
    out = file.parent / "saved"
    home = f"-env:UserInstallation=file://{file.parent / 'home'}"
    subprocess.run(
        [str(OFFICE), home, "--headless", "--convert-to", ending, "--outdir", str(out), str(file)],
        check=True, capture_output=True, timeout=900,
    )  # fmt: skip
    return out / f"{file.stem}.{ending.partition(':')[0]}"


@pytest.mark.slow
@pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize("ending", ["xlsx", "csv:Text - txt - csv (StarCalc):44,34,76,1,,0"])
def test_saved_by_libreoffice(file: Path, ending: str) -> None:
    change(file, lambda book: fill(book["First"], 4, **GOOD, comment="a_x0041_\nb"))
    result = check(converted(file, ending))
    assert not result.faults
    assert list(result.entries) == ["q3"]
    assert result.entries["q3"]["draft"] == "=cmd|' /C calc'!A0"
    assert result.untouched[:2] == ["q1", "q2"]


@pytest.mark.slow
@pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed")
def test_a_review_sheet_saved_by_libreoffice(tmp_path: Path) -> None:
    path = first_sheet(tmp_path, "ana", {item.id: {"scores": (3, 4, 5)} for item in ITEMS})
    saved = converted(path, "xlsx")
    page = load_workbook(saved)["Choice questions"]
    assert page.protection.sheet
    assert page.column_dimensions["A"].hidden
    assert '"1,2,3,4,5"' in {rule.formula1 for rule in page.data_validations.dataValidation}
    found = merged([saved])
    assert not found.faults
    assert all(found.first[item.id].keeps(item) for item in ITEMS)
    assert found.sheets[0].read == sorted(item.id for item in ITEMS)
