"""Who fills in a sheet: short ids that fit file names, one for each person."""

import re
import unicodedata

from isogloss.errors import UsageError

_SHAPE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


def person(identifier: str) -> str:
    """Check the id of a person.

    Raises:
        UsageError: It is empty, too long, or holds more than letters, digits, dots, underscores
            and hyphens.
    """
    if not is_person(identifier):
        raise UsageError(
            f"{identifier!r} is no id of a person: use up to 40 letters, digits, '.', '_' and '-'"
        )
    return identifier


def is_person(identifier: str) -> bool:
    """Whether a text is the id of a person; files that someone edited may hold anything."""
    return _SHAPE.fullmatch(identifier) is not None


def same_person(first: str, second: str) -> bool:
    """Whether two ids differ in case or spelling of their characters alone."""
    return _folded(first) == _folded(second)


def _folded(identifier: str) -> str:
    return unicodedata.normalize("NFKC", identifier).strip().casefold()
