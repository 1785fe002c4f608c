"""Letters in other dress (full-width, circled, mathematical bold) become plain ones."""

import unicodedata
from functools import cache

_DRESSES = ("<wide>", "<circle>", "<font>", "<square>")


@cache
def _table() -> dict[int, str]:
    table: dict[int, str] = {}
    for code in (*range(0x2100, 0x2200), *range(0x2460, 0x2500), 0x3000, *range(0xFF01, 0xFF5F)):
        _dress(table, code)
    for code in (*range(0x1D400, 0x1D800), *range(0x1F100, 0x1F1AD)):
        _dress(table, code)
    # (A) as one character, and white letters on black that Unicode does not decompose.
    table.update({0x249C + i: f"({chr(ord('a') + i)})" for i in range(26)})
    table.update({0x1F110 + i: f"({chr(ord('A') + i)})" for i in range(26)})
    for start in (0x1F150, 0x1F170):
        table.update({start + i: chr(ord("A") + i) for i in range(26)})
    return {**table, 0x200B: "", 0x200C: "", 0x200D: "", 0x2060: "", 0xFEFF: "", 0xFE0F: ""}


def _dress(table: dict[int, str], code: int) -> None:
    kind, _, plain = unicodedata.decomposition(chr(code)).partition(" ")
    if kind in _DRESSES and " " not in plain and int(plain, 16) < 0x80:
        table[code] = chr(int(plain, 16))


def plain_letters(text: str) -> str:
    """Give every dressed-up ASCII character its plain form; zero-width ones leave.

    Units such as the sign for degrees Celsius stay, so that they never turn into a letter.
    """
    return text if text.isascii() else text.translate(_table())
