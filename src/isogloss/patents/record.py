"""What every reader of the room makes: publications with their language versions."""

from pathlib import Path
from typing import Any

import msgspec

from isogloss.files import one_line


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


def reason_of(error: BaseException, path: Path | None = None) -> str:
    """Why something is refused, in one line and without the path that a `Refusal` names already.

    Reports must not differ between two copies of a project, so no folder may stand in them.

    Args:
        error: What was raised.
        path: The file it was raised for, where the message may hold it.
    """
    # Python's own OSErrors end in the path; `strerror` is the message before it.
    text = (isinstance(error, OSError) and error.strerror) or one_line(error)
    if path is None:
        return text
    return text.removeprefix(f"{path}: ").replace(str(path), path.name)
