"""Text on its way into a spreadsheet cell and back: nothing executes, nothing is cut in silence."""

import re
import unicodedata

from isogloss.errors import DataError

# What one cell can hold, in UTF-16 units, by every spreadsheet program; openpyxl cuts in silence.
LONGEST = 32_767
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")


def printable(text: str) -> tuple[str, int]:
    """Make a text that XML can carry: LF line ends, no control characters, no lone surrogates.

    Returns:
        The text, and how many characters left it.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    clean = _ILLEGAL.sub("", lines)
    return clean, len(lines) - len(clean)


def to_cell(text: str, where: str) -> str:
    """Encode a printable text for a cell.

    ``_x0041_`` is how the format itself spells a character, so such a text is escaped once more.

    Raises:
        DataError: The text is longer than a cell can hold.
    """
    escaped = _ESCAPE.sub(r"_x005F_x\1_", text)
    units = len(escaped.encode("utf-16-le")) // 2
    if units > LONGEST:
        raise DataError(f"{where}: {units} characters, a cell holds {LONGEST}; leave this row out")
    return escaped


def from_cell(content: str) -> str:
    """Decode what a cell holds and drop what no text should carry."""
    return printable(_ESCAPE.sub(lambda found: chr(int(found[1], 16)), content))[0]


def same_text(first: str, second: str) -> bool:
    """Whether two texts are equal but for what spreadsheet programs change on their own.

    Those are Unicode composition, line ends, and blanks at the ends of lines.
    """
    return normal(first) == normal(second)


def normal(text: str) -> str:
    """The form in which `same_text` compares."""
    lines = unicodedata.normalize("NFC", printable(text)[0]).split("\n")
    return "\n".join(line.rstrip() for line in lines).strip()
