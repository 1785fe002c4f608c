"""What a pass over a part of an export found, kept on the disk: memory holds one part at a time.

A part whose files are there is not read again, so an ingest that was killed goes on where it was.
The key of a part covers its bytes' place, size and time, the rules and the code that judges.
"""

import hashlib
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from isogloss.patents.google_scan import Kept, Scan, Task, try_scan
from isogloss.patents.selection import OUTCOME, Outcomes, Rules
from isogloss.write_faults import write_faults

KEY_DIGITS = 24


class KeptRow(NamedTuple):
    """A row that survives on its own, without its text: as `Kept`, with the length of its blob."""

    row: int
    number: str
    date: str | None
    documents: int
    conflicts: list[dict[str, Any]]
    size: int


class Header(msgspec.Struct):
    """What is small of a part; `unusable` says why the whole shard cannot be read."""

    unusable: str | None = None
    rows: int = 0
    lines: int = 0
    faults: list[tuple[int, str]] = []
    cut: str | None = None
    counts: dict[str, int] = {}
    other_languages: dict[str, int] = {}
    sizes: list[int] = msgspec.field(default_factory=list)


class Stored:
    """The files of one part."""

    def __init__(self, folder: Path, key: str) -> None:
        self._header = folder / f"{key}.header"
        self._outcomes = folder / f"{key}.outcomes"
        self._kept = folder / f"{key}.kept"
        self._blobs = folder / f"{key}.blobs"
        self._parts = (self._outcomes, self._kept, self._blobs)

    @property
    def whole(self) -> bool:
        """Whether the part was gone through to its end, and all of it is there."""
        if not self._header.is_file():
            return False
        try:
            header = self.header()
            sizes = [path.stat().st_size for path in self._parts]
        except (OSError, msgspec.DecodeError):
            return False
        return sizes == header.sizes

    def header(self) -> Header:
        """What is small of the part, read anew each time."""
        return msgspec.msgpack.decode(self._header.read_bytes(), type=Header)

    def kept(self) -> list[KeptRow]:
        """The rows that survive on their own, read anew each time."""
        return msgspec.msgpack.decode(self._kept.read_bytes(), type=list[KeptRow])

    def outcomes(self) -> Outcomes:
        """A row per readable row, in order."""
        return np.fromfile(self._outcomes, dtype=OUTCOME)

    @property
    def rows(self) -> int:
        """How many readable rows there are."""
        return self._outcomes.stat().st_size // OUTCOME.itemsize

    def blob(self, offset: int, size: int) -> bytes:
        """The MessagePack of one publication."""
        # Opened anew each time: an export may have more parts than a process may have open files.
        with self._blobs.open("rb", buffering=0) as file:
            file.seek(offset)
            return file.read(size)

    def write(self, scan: Scan | str) -> None:
        """Write a scan, or why there is none; the header comes last and makes the part whole."""
        if isinstance(scan, str):
            header, outcomes, kept = Header(unusable=scan), b"", list[Kept]()
        else:
            outcomes, kept = scan.outcomes.tobytes(), scan.kept
            header = Header(
                rows=len(scan.outcomes), lines=scan.lines, faults=scan.faults, cut=scan.cut,
                counts=dict(scan.counts), other_languages=dict(scan.other_languages),
            )  # fmt: skip
        rows = [KeptRow(*one[:5], len(one.publication)) for one in kept]
        blobs = b"".join(one.publication for one in kept)
        for path, content in zip(
            self._parts, (outcomes, msgspec.msgpack.encode(rows), blobs), strict=True
        ):
            with write_faults(path):
                path.write_bytes(content)
            header.sizes.append(len(content))
        # Not forced to the disk: a part that a power cut leaves incomplete is read again.
        begun = self._header.with_suffix(".begun")
        with write_faults(begun):
            begun.write_bytes(msgspec.msgpack.encode(header))
            begun.replace(self._header)


def store_joined(folder: Path, kept: list[Kept]) -> Stored:
    """Keep what was joined of several rows as one more part, which has no rows of its own."""
    stored = Stored(folder, "joined")
    nothing = np.empty(0, OUTCOME)
    stored.write(Scan(0, [], None, nothing, kept, Counter(), Counter()))
    return stored


def scan_to_files(work: tuple[Task, str], rules: Rules, folder: Path) -> None:
    """Go through a part and keep what was found, unless that was done before."""
    task, key = work
    stored = Stored(folder, key)
    if not stored.whole:
        stored.write(try_scan(task, rules))


def key_of(task: Task, rules: Rules) -> str:
    """Of a part as it would be judged now; a shard that is not there has a key as well."""
    seen = [_stamp(task.path), None if rules.surechembl is None else _stamp(rules.surechembl)]
    state = repr((seen, task.start, task.end, rules, _code()))
    return hashlib.sha256(state.encode()).hexdigest()[:KEY_DIGITS]


def _stamp(path: Path) -> tuple[str, int, int]:
    try:
        status = path.stat()
    except OSError:
        return str(path), -1, -1
    return str(path), status.st_size, status.st_mtime_ns


@lru_cache(maxsize=1)
def _code() -> str:
    """Of the room's own files: what other code has judged is judged again."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
