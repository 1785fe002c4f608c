"""Inference relations are compared by name: numbers and spellings differ between sources."""

import re
import unicodedata
from functools import cache

from isogloss.medical.data import load

RELATIONS = ("entailment", "neutral", "contradiction")


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


@cache
def _names() -> dict[str, str]:
    data = load("relations")
    return {
        _plain(name): relation
        for relation in RELATIONS
        for names in data[relation].values()
        for name in names
    }


@cache
def _mention() -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in sorted(_names(), key=len, reverse=True))
    denials = "|".join(re.escape(_plain(word)) for word in load("relations")["denials"])
    # Scripts without blanks have no word edges: there a name may touch its neighbours.
    edge, end = r"(?<![a-zà-ÿ])", r"(?![a-zà-ÿ])"
    return re.compile(f"(?P<denial>{edge}(?:{denials})[\\s-]*)?{edge}(?P<name>{names}){end}")


def relation(name: str) -> str | None:
    """The relation that a label names, by exact name in any of the nine languages.

    Args:
        name: For instance ``contradictory``, ``Widerspruch`` or ``蕴含``.

    Returns:
        One of `RELATIONS`; None for anything else, ``not entailment`` among it.
    """
    return _names().get(_plain(name).strip(" \t\r\n.。\"'*"))


def is_unlabelled(gold: str | None) -> bool:
    """Whether a gold label says that there is none (``-`` in SNLI's format)."""
    return gold is None or _plain(gold).strip() in load("relations")["unlabelled"]


def relation_of_id(number: int, names: dict[str, str]) -> str:
    """The relation behind a numeric label of a data set.

    Args:
        number: The label as the source stores it.
        names: The source's own label names by number (as text).

    Raises:
        ValueError: The number has no name, or its name is no relation.
    """
    name = names.get(str(number))
    found = None if name is None else relation(name)
    if found is None:
        raise ValueError(f"label {number} names no relation; the source names {names}")
    return found


def committed_relation(text: str) -> str | None:
    """The one relation a reply commits to: named and not denied; None where none or several are.

    Args:
        text: A short reply, for instance ``It is neither entailment nor contradiction: neutral.``
    """
    exact = relation(text)
    if exact:
        return exact
    named = {_names()[m["name"]] for m in _mention().finditer(_plain(text)) if not m["denial"]}
    return named.pop() if len(named) == 1 else None
