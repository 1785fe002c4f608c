"""Inference relations are compared by name: numbers and spellings differ between sources."""

import re
import unicodedata
from functools import cache
from itertools import pairwise

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


# Scripts without blanks have no word edges: there a name may touch its neighbours.
_EDGE, _END = r"(?<![a-zà-ÿ])", r"(?![a-zà-ÿ])"


def _any(key: str) -> str:
    found = [one for patterns in load("relations")[key].values() for one in patterns]
    return "|".join(rf"{_EDGE if re.match('[a-zà-ÿ]', one) else ''}(?:{one})" for one in found)


@cache
def _mention() -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in sorted(_names(), key=len, reverse=True))
    return re.compile(f"{_EDGE}(?:{names}){_END}")


@cache
def _denials() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """What denies a name after it in a clause, one just before it, and one anywhere before it."""
    near = re.compile(rf"\W*(?:\w+\W+){{0,2}}?(?:{_any('denials')})")
    return re.compile(_any("denials")), near, re.compile(_any("denials_behind"))


@cache
def _clauses() -> re.Pattern[str]:
    return re.compile(rf"[.!?;,:\n。！？；、，：()（）]|{_any('parts')}")


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
    named = {found for clause in _split(_plain(text)) for found in _affirmed(clause)}
    return named.pop() if len(named) == 1 else None


def _split(text: str) -> list[str]:
    """Clauses, each with the word that ends it: that may be the denial."""
    ends = [0, *(mark.end() for mark in _clauses().finditer(text)), len(text)]
    return [text[start:end] for start, end in pairwise(ends)]


def _affirmed(clause: str) -> list[str]:
    before, near, behind = _denials()
    names = list(_mention().finditer(clause))
    found = []
    for index, name in enumerate(names):
        last = index + 1 == len(names)
        rest = clause[name.end() : len(clause) if last else names[index + 1].start()]
        denied = before.search(clause[: name.start()]) or behind.search(rest)
        if not denied and not (last and near.match(rest)):
            found.append(_names()[name.group()])
    return found
