"""A small workbook as it is sent."""

from pathlib import Path

import pytest

from isogloss.review.design import Workbook
from isogloss.review.workbook import workbook_bytes

from .sent_sheets import SENT


@pytest.fixture
def sent() -> Workbook:
    return SENT


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The workbook as sent."""
    path = tmp_path / "sheet.xlsx"
    path.write_bytes(workbook_bytes(SENT)[0])
    return path
