"""What someone filled into a cell becomes a score, a choice or a text, or a reason why not."""

import re
import unicodedata

from isogloss.review.cell_text import printable
from isogloss.review.design import Choice, Entry, Score
from isogloss.review.raw_sheet import RawCell

Value = int | str
_WHOLE = re.compile(r"[+]?(\d{1,4})(?:[.,]0*)?")


def entered(cell: RawCell | None, entry: Entry) -> Value | None:
    """Read one filled-in cell.

    Args:
        cell: The cell; None where the row has none in this column.
        entry: What may be filled in.

    Returns:
        A score as int, a choice in its declared spelling, a text; None where nothing was filled in.

    Raises:
        ValueError: The cell holds something else; the message says what and what to do.
    """
    if cell is None or cell.is_blank:
        return None
    if cell.kind == "formula":
        raise ValueError(f"holds the formula {_short(cell)}; type {entry}")
    if cell.kind == "date":
        raise ValueError(
            f"holds the date {_short(cell)}, which the program made of what was typed; type {entry}"
        )
    if cell.kind == "error":
        raise ValueError(f"holds the error {_short(cell)}; type {entry}")
    if isinstance(entry, Score):
        return _score(cell, entry)
    if isinstance(entry, Choice):
        wanted = _folded(cell.text)
        for option in entry.options:
            if cell.kind == "text" and _folded(option) == wanted:
                return option
        raise ValueError(f"holds {_short(cell)}; choose {entry}")
    if cell.kind == "truth":
        raise ValueError(f"holds the truth value {_short(cell)}; type {entry}")
    return printable(cell.text)[0]


def _score(cell: RawCell, scale: Score) -> int:
    score: int | None = None
    if cell.kind == "number" and isinstance(cell.value, int):
        score = cell.value
    elif cell.kind == "number" and isinstance(cell.value, float) and cell.value.is_integer():
        score = int(cell.value)
    elif cell.kind == "text":
        # A program set to text, or CSV, keeps a typed 4 as text; full-width digits count too.
        whole = _WHOLE.fullmatch(_folded(cell.text))
        score = int(whole[1]) if whole else None
    if score is None or not scale.low <= score <= scale.high:
        raise ValueError(f"holds {_short(cell)}; type {scale}")
    return score


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().casefold()


def _short(cell: RawCell) -> str:
    text = " ".join(cell.text.split())
    return repr(text if len(text) <= 40 else f"{text[:37]}...")
