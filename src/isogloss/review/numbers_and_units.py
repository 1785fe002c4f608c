"""Figures and units of a source that a translation must keep.

Number words are not understood, so what is found here is asked about and never refused.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from isogloss.review.criteria import load

_GROUP = "\u00a0\u202f\u2009'’"
_NUMBER = re.compile(rf"\d+(?:[.,٫{_GROUP}]\d+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")


@dataclass(frozen=True)
class Quantity:
    """One figure of a text: as written, what it may mean, and the unit beside it."""

    written: str
    values: frozenset[str]
    unit: str | None


def quantities(text: str) -> list[Quantity]:
    """Every figure of a text in order, digits of all scripts alike."""
    plain = "".join(
        str(unicodedata.decimal(one)) if one.isdecimal() else one
        for one in unicodedata.normalize("NFC", text)
    )
    return [
        Quantity(found[0], _values(found[0]), _unit(plain, found.start(), found.end()))
        for found in _NUMBER.finditer(plain)
    ]


def quantity_questions(source: str, text: str) -> list[str]:
    """What to ask a reviewer about the figures of a translation.

    Args:
        source: The source text.
        text: Its translation.

    Returns:
        One line for each figure that lacks, that the source does not have, or whose unit differs.
    """
    left = quantities(text)
    questions = []
    for wanted in quantities(source):
        same = [one for one in left if one.values & wanted.values]
        if not same:
            questions.append(f"the number {wanted.written} of the source is not there in digits")
            continue
        best = next((one for one in same if one.unit == wanted.unit), same[0])
        left.remove(best)
        if wanted.unit and best.unit != wanted.unit:
            there = f"{best.unit} stands there" if best.unit else "no known unit stands there"
            questions.append(f"{wanted.written} {wanted.unit} in the source: {there}")
    return questions + [f"the number {one.written} is not in the source" for one in left]


def _values(written: str) -> frozenset[str]:
    """The values a figure may have: 1,500 is 1500 in English and 1.5 in German."""
    joined = re.sub(f"[{_GROUP}]", "", written).replace("٫", ",")
    swapped = joined.translate(str.maketrans(",.", ".,"))
    return frozenset(_english(joined) | _english(swapped)) or frozenset({joined})


def _english(written: str) -> set[str]:
    whole, point, decimals = written.partition(".")
    if "," in decimals or "." in decimals or ("," in whole and not _THOUSANDS.fullmatch(whole)):
        return set()
    number = Decimal(whole.replace(",", "") + point + decimals)
    return {f"{number.normalize():f}"}


@cache
def _spellings() -> list[tuple[re.Pattern[str], re.Pattern[str], str]]:
    """Pattern after a figure, pattern before it, and the unit; longer spellings come first."""
    pairs = [(name, unit) for unit, names in load("units").items() for name in names]
    found = []
    for name, unit in sorted(pairs, key=lambda pair: (-len(pair[0]), pair)):
        flags = re.IGNORECASE if len(name) > 4 else 0
        latin_end = r"(?![A-Za-zÀ-ɏ/])" if re.search(r"[A-Za-zÀ-ɏ]$", name) else ""
        latin_start = r"(?<![A-Za-zÀ-ɏ/])" if re.match(r"[A-Za-zÀ-ɏ]", name) else ""
        word = re.escape(name)
        found.append(
            (
                re.compile(rf"[\s\-]?{word}{latin_end}", flags),
                re.compile(rf"{latin_start}{word}[\s\-]?$", flags),
                str(unit),
            )
        )
    return found


def _unit(text: str, start: int, end: int) -> str | None:
    after, before = text[end : end + 40], text[max(0, start - 24) : start]
    return next(_matches(after, before), None)


def _matches(after: str, before: str) -> Iterator[str]:
    # Behind the figure first: "5 mg 10 mL" has a unit on both sides of 10.
    for pattern, _, unit in _spellings():
        if pattern.match(after):
            yield unit
    for _, pattern, unit in _spellings():
        if pattern.search(before) and not re.search(r"\d[\s\-]?\S*\s?$", before[-12:]):
            yield unit
