"""Numbers and units of a text, comparable across the ways that languages write them."""

import re
import unicodedata
from decimal import Decimal
from functools import cache
from importlib.resources import files

# Digits that separators of any language may part; a blank only before exactly three digits.
_NUMBER = re.compile(r"\d+(?:[.,'’]\d+| \d{3}(?!\d))*")
_THOUSANDS = re.compile(r"\d{1,3}([.,'’ ])\d{3}(?:\1\d{3})*")
_UNBROKEN = re.compile(r"\d+(?:[.,'’]\d+)*")
_LETTER = re.compile(r"[A-Za-zÀ-ÿμ]")


def plain(text: str) -> str:
    """One form of full-width digits, compatibility signs and blanks; case stays, units need it."""
    return unicodedata.normalize("NFKC", text)


def _readings(written: str) -> frozenset[Decimal]:
    """The values that a written number may stand for.

    "1,000" is a thousand or one, by language: both are kept, so that a number counts as absent
    only where no reading of it is there.
    """
    readings = set()
    if _THOUSANDS.fullmatch(written):
        readings.add(Decimal(re.sub(r"\D", "", written)))
    whole, mark, rest = _part(written)
    digits = re.sub(r"\D", "", whole)
    readings.add(Decimal(f"{digits}.{rest}" if mark in {".", ","} else digits + rest))
    return frozenset(readings)


def _part(written: str) -> tuple[str, str, str]:
    """The number at its last separator: "1.234,5" becomes ("1.234", ",", "5")."""
    found = re.search(r"[.,'’ ](?=\d+$)", written)
    if found is None:
        return written, "", ""
    return written[: found.start()], found.group(), written[found.end() :]


@cache
def _units() -> tuple[dict[str, str], re.Pattern[str]]:
    """Unit by the ways of writing it, and a pattern of a number with one of them behind it."""
    from ruamel.yaml import YAML

    path = files("isogloss").joinpath("qac", "units.yaml")
    content: dict[str, list[str]] = YAML(typ="safe", pure=True).load(
        path.read_text(encoding="utf-8")
    )
    names = {plain(form): unit for unit, forms in content.items() for form in (unit, *forms)}
    longest = sorted(names, key=lambda name: (-len(name), name))
    forms = "|".join(re.escape(name) + _end(name) for name in longest)
    return names, re.compile(rf"\d[ -]?({forms})")


def _end(name: str) -> str:
    """A unit in Latin letters ends where the word ends; "%ige" and Chinese write on."""
    return f"(?!{_LETTER.pattern})" if _LETTER.match(name[-1]) else ""


def units(text: str) -> set[str]:
    """The units that stand behind a number of a text, each under one name for all languages."""
    names, pattern = _units()
    return {names[found[1]] for found in pattern.finditer(plain(text))}


def missing_quantities(answer: str, document: str) -> list[str]:
    """Numbers and units of an answer that the document does not hold, as written, in order.

    Numbers and units are looked up apart: an answer may give "20-30 °C" where the document says
    "between 20 °C and 30 °C".
    """
    text = plain(document)
    # "20 100 ml flasks" holds 20 and 100 beside what may be one number.
    written = {found.group() for rule in (_NUMBER, _UNBROKEN) for found in rule.finditer(text)}
    there = set().union(*map(_readings, written))
    missing = [
        found.group()
        for found in _NUMBER.finditer(plain(answer))
        if not _readings(found.group()) & there
    ]
    return missing + sorted(units(answer) - units(document))
