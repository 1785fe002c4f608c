"""What every source reader hands over: drafts of items, and records left out with a reason."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


class LeftOutError(Exception):
    """A record that is well-formed but has no place, counted under its reason."""


class RefusedError(Exception):
    """A record that cannot be used as it stands; the message says why."""


@dataclass(frozen=True)
class Draft:
    """An item before it has an id.

    Attributes:
        dataset: Slug.
        language: ISO 639-1.
        lines: The opening of the input, by its fixed English word; empty word for a bare question.
        options: Their texts in order.
        target: Index of the right option, or the reference answer.
    """

    dataset: str
    language: str
    lines: dict[str, str]
    target: int | str
    options: list[str] = field(default_factory=list)


Records = Iterator[tuple[str, Mapping[str, Any], str]]
"""Each record: its name in the file (a row, a question id), its fields, what makes it unusable."""


def text_of(record: Mapping[str, Any], key: str) -> str:
    """A field that must hold text, surrounding blanks removed.

    Raises:
        RefusedError: It is missing, no text, or blank.
    """
    value = record.get(key)
    if not isinstance(value, str) or not value.strip():
        raise RefusedError(f"field {key!r} is missing or empty")
    return value.strip()
