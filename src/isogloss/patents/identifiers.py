"""Publication numbers, dates and clusters as sources write them, brought to one form."""

import re
from datetime import date

_BLANKS_AND_HYPHENS = re.compile(r"[\s\-\u00ad\u2010-\u2015\u2212\u200b-\u200d\ufeff\x00]+")
_EIGHT_DIGITS = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})")
# What Google's table writes where a publication belongs to no family; -1 would join strangers.
NO_FAMILY = frozenset(["", "0", "-1"])


def normalise_number(text: str) -> str:
    """A publication number upper-cased, without blanks and hyphens: ``ep-1-a1`` is ``EP1A1``."""
    plain = text.replace("-", "")
    if not (plain.isascii() and plain.isalnum()):
        plain = _BLANKS_AND_HYPHENS.sub("", text)
    return plain.upper()


def iso_date(value: int | float | str | None) -> str | None:
    """The ISO date of ``20060102``, ``"20060102"`` or ``"2006-01-02"``.

    Returns:
        The date, or None when it is missing, 0 or impossible.
    """
    if isinstance(value, float):
        value = int(value) if value.is_integer() else None
    match = _EIGHT_DIGITS.fullmatch(str(value).strip()) if value else None
    if match is None:
        return None
    try:
        return date(*(int(part) for part in match.groups())).isoformat()
    except ValueError:
        return None


def cluster_of(family_id: int | float | str | None, family: str) -> str:
    """The unit of resampling: Google's family id, else the family itself."""
    if isinstance(family_id, float):
        # A column with gaps that went through a data frame.
        family_id = int(family_id) if family_id.is_integer() else None
    text = "" if family_id is None else str(family_id).strip()
    return family if text in NO_FAMILY else text
