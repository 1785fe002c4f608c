"""Answers meet their questions by id, never by position."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from isogloss.errors import UsageError

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Joined(Generic[Answer]):
    """Answers by id.

    Attributes:
        answers: One entry an id, in the order asked; None where no answer came.
        repeated: How many answers came for an id that had one already; the first is kept.
        conflicts: Ids whose further answers differ from the first.
        unknown: Ids that were never asked, once each, in the order met.
    """

    answers: dict[str, Answer | None]
    repeated: int
    conflicts: list[str]
    unknown: list[str]


def join_by_id(ids: Sequence[str], answers: Iterable[tuple[str, Answer]]) -> Joined[Answer]:
    """Join answers that come in any order, with gaps, repetitions and strangers among them.

    Raises:
        UsageError: An id is asked twice.
    """
    twice = [name for name, count in Counter(ids).items() if count > 1]
    if twice:
        raise UsageError(f"duplicate item id {twice[0]!r}; each must be asked once")
    joined: dict[str, Answer | None] = dict.fromkeys(ids)
    met: set[str] = set()
    conflicts: dict[str, None] = {}
    unknown: dict[str, None] = {}
    repeated = 0
    for name, answer in answers:
        if name not in joined:
            unknown[name] = None
        elif name not in met:
            met.add(name)
            joined[name] = answer
        else:
            repeated += 1
            if answer != joined[name]:
                conflicts[name] = None
    return Joined(joined, repeated, list(conflicts), list(unknown))
