"""CSV that people open: no cell of it is a formula to a spreadsheet program."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

# Spreadsheet programs take a cell that begins so for a formula, Japanese ones full-width signs too.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")

# Digits of ASCII alone: whatever else is a number to Python may be none to a spreadsheet program.
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


def plain(text: str) -> str:
    """A text that no spreadsheet program takes for a formula; a number stays one."""
    return f"'{text}" if text.startswith(FORMULA) and not NUMBER.fullmatch(text) else text


def people_csv(rows: Iterable[Sequence[Any]]) -> str:
    """Rows as CSV with LF line ends; None is an empty cell, texts are made plain.

    Numbers stay what they are, also where they come as text, as negative ones do.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _cell(value: Any) -> Any:
    return plain(value) if isinstance(value, str) else value
