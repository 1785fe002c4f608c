"""IPC and CPC symbols: their compact form, their class, and which of them are chemistry.

Old and new spellings mean the same symbol: ``5C 07H  21/00   A`` (a leading edition number),
``C07H  21/00        20060101AFI20050713BHEP`` and ``C07H21/00``.
"""

import re
from functools import lru_cache

CHEMICAL_PREFIXES = ("C", "A61K", "A61P")

_BLANKS = re.compile(r"\s+")
_EDITION = re.compile(r"^\d+")
# A section letter alone or followed by the two digits of a class; `CLAIM` is no code.
_CODE = re.compile(r"[A-HY](?:\d\d.*)?", re.DOTALL)
_SYMBOL = re.compile(
    r"[\s\d]*([A-HY])(?:\s*(\d\s*\d)(?:\s*([A-Z])(?:\s*(\d{1,4})(?:\s*/\s*(\d{1,6}))?)?)?)?"
)


def _joined(code: str) -> str:
    """The code upper-cased without blanks and edition number; '' when it is none."""
    text = _EDITION.sub("", _BLANKS.sub("", code)).upper()
    return text if _CODE.fullmatch(text) else ""


@lru_cache(maxsize=1 << 17)
def is_chemical(code: str) -> bool:
    """Whether a code starts with C, A61K or A61P (the chemistry rule of the corpus)."""
    return _joined(code).startswith(CHEMICAL_PREFIXES)


@lru_cache(maxsize=1 << 17)
def compact(code: str) -> str:
    """A code as ``C07H21/00``, without edition, dates and indicators; '' when it is none."""
    if not _joined(code):
        return ""
    match = _SYMBOL.match(code.upper())
    if match is None:
        return ""
    section, digits, letter, group, subgroup = match.groups(default="")
    digits = _BLANKS.sub("", digits)
    return f"{section}{digits}{letter}{group}" + (f"/{subgroup}" if subgroup else "")


def ipc_class(code: str) -> str | None:
    """The class of a compact code (``C07``); None without one, and for CPC's own section Y."""
    return code[:3] if len(code) >= 3 and code[0] != "Y" else None
