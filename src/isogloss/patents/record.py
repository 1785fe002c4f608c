"""What every reader of the room makes: publications with their language versions."""

from typing import Any

import msgspec


class Segment(msgspec.Struct, frozen=True):
    """One aligned segment of a parallel source."""

    id: str
    text: str


class Version(msgspec.Struct):
    """One language version as the source holds it (original text)."""

    language: str
    title: str = ""
    abstract: str = ""
    claim: str = ""
    truncated: bool = False
    segments: list[Segment] = []

    @property
    def body(self) -> str:
        """The text a version cannot be without: the first claim, else the abstract."""
        return self.claim or self.abstract


class Publication(msgspec.Struct):
    """All language versions of one number: a family.

    Attributes:
        number: The family, a normalised publication number (or a passage's id).
        office: Two letters; '' where there is none.
        cluster: The unit of resampling.
        date: ISO date; None = unknown.
        codes: Compact IPC and CPC codes, ascending, each once.
        versions: Versions in target languages, in the order of shard, row and array.
        found: Versions in any language, target or not.
        titles: First title of each language in any row, for versions whose own row has none.
        conflicts: What contradicts itself, ready for the report.
    """

    number: str
    office: str = ""
    cluster: str = ""
    date: str | None = None
    codes: list[str] = []
    versions: list[Version] = []
    found: int = 0
    titles: dict[str, str] = {}
    conflicts: list[dict[str, Any]] = []


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A record or file that cannot be used, and why."""

    file: str
    reason: str
    line: int | None = None
    id: str | None = None
