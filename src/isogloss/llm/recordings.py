"""Every response as it came, one JSON line each; a recorded request is never sent again."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import msgspec

from isogloss.files import BOM
from isogloss.llm.journal import Journal
from isogloss.llm.outcomes import Outcome

_LINE_ENDS = bytes.maketrans(b"\r\n", b"  ")


class Recording(msgspec.Struct, frozen=True):
    """One line.

    Attributes:
        key: The key of the request that was sent (a repair has one of its own).
        replicate: The request's label.
        outcome: What the response came to.
        attempt: 1, or 2 for a repair.
        response: The server's body; in the file unchanged but for line ends between its tokens.
    """

    key: str
    replicate: str
    outcome: Outcome
    attempt: int
    response: dict[str, Any]


def encode_recording(
    key: str, replicate: str, outcome: Outcome, attempt: int, response: bytes
) -> bytes:
    """One line, ended; `response` must be JSON, whose bytes stay as they are."""
    head = msgspec.json.encode(
        {"key": key, "replicate": replicate, "outcome": outcome.value, "attempt": attempt}
    )
    # A raw line end inside JSON can only stand between tokens.
    return head[:-1] + b',"response":' + response.strip().translate(_LINE_ENDS) + b"}\n"


class _Place(NamedTuple):
    """Where a line lies, and of which replicate it is."""

    replicate: str
    start: int
    length: int
    line: int


def _decode(line: bytes) -> Recording:
    # json and not msgspec: a reply cut by tokens may end in half a surrogate pair.
    return msgspec.convert(json.loads(line.removeprefix(BOM)), Recording)


class Recordings:
    """The recordings of one stage instance: an append-only JSONL file and its index.

    A line that cannot be read is passed over and counted: the reply it held is asked for again. A
    last line that a kill left torn is cut off at the next append. A key that occurs again with the
    same replicate label keeps its first line and is counted. A line of another label than the
    request's is no recording of that request: somebody has changed one of the two.

    Attributes:
        repeated: Lines whose key and label an earlier line has.
        damaged: The numbers of lines that cannot be read, a torn last line among them.
        strangers: By line, what is wrong with those that hold a request's key under another label.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._journal = Journal(path)
        self._appending = False
        self._index()

    def __enter__(self) -> "Recordings":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._spans)

    def __contains__(self, key: object) -> bool:
        return key in self._spans

    def __iter__(self) -> Iterator[str]:
        return iter(self._spans)

    def _index(self) -> None:
        self.repeated = 0
        self.damaged: list[int] = []
        self.strangers: dict[int, str] = {}
        self._spans: dict[str, tuple[_Place, ...]] = {}
        self._read_to = 0
        self._lines = 0
        if not self.path.exists():
            return
        with self.path.open("rb") as lines:
            for line in lines:
                self._lines += 1
                start, self._read_to = self._read_to, self._read_to + len(line)
                if not line.strip():
                    continue
                try:
                    entry = _decode(line)
                except (ValueError, msgspec.ValidationError, RecursionError):
                    self.damaged.append(self._lines)
                    continue
                self._add(entry.key, entry.replicate, start, len(line))

    def _add(self, key: str, replicate: str, start: int, length: int) -> None:
        had = self._spans.get(key, ())
        if any(place.replicate == replicate for place in had):
            self.repeated += 1
        else:
            place = _Place(sys.intern(replicate), start, length, self._lines)
            self._spans[key] = (*had, place)

    @property
    def faults(self) -> str | None:
        """Lines that were passed over, in one line for people; None where every line counts."""
        told = []
        if self.damaged or self.repeated:
            first = f", the first is line {self.damaged[0]}" if self.damaged else ""
            told.append(
                f"{len(self.damaged)} lines cannot be read{first} (what they held is asked again); "
                f"{self.repeated} repeat a key (the first answer is kept)"
            )
        if self.strangers:
            line, why = next(iter(self.strangers.items()))
            told.append(
                f"{len(self.strangers)} lines are of another request than their key says, line "
                f"{line} is {why} (taken for no recording)"
            )
        return f"{self.path}: {'; '.join(told)}" if told else None

    def get(self, key: str, replicate: str | None = None) -> Recording | None:
        """The first recording of a key, or None.

        Args:
            key: Of a request.
            replicate: The request's label. Lines of another one do not count and are noted among
                the strangers; None takes any line.
        """
        places = self._spans.get(key, ())
        for place in places:
            if replicate is None or place.replicate == replicate:
                with self.path.open("rb") as lines:
                    lines.seek(place.start)
                    return _decode(lines.read(place.length))
        for place in places:
            self.strangers[place.line] = f"of {place.replicate!r} and not of {replicate!r}"
        return None

    def append(
        self, key: str, replicate: str, outcome: Outcome, attempt: int, response: bytes
    ) -> None:
        """Write one line; it is on the disk after `sync`.

        Raises:
            RecordingError: The file is in use elsewhere, or the disk took no more.
        """
        self.open()
        line = encode_recording(key, replicate, outcome, attempt, response)
        start = self._journal.write(line)
        self._lines += 1
        self._read_to = start + len(line)
        self._add(key, replicate, start, len(line))

    def open(self) -> None:
        """Make ready for appending: alone on the file, a torn last line repaired.

        Done before the first call is paid, so that no reply comes that cannot be kept.

        Raises:
            RecordingError: The file is in use elsewhere or cannot be written.
        """
        if self._appending:
            return
        if self._journal.open() != self._read_to:
            # Another process has appended since this one read the file.
            self._index()
        if self._read_to and not self._ends_whole():
            self._mend()
        self._appending = True

    def _ends_whole(self) -> bool:
        with self.path.open("rb") as content:
            content.seek(self._read_to - 1)
            return content.read(1) == b"\n"

    def _mend(self) -> None:
        """A last line without its end: whole but for the LF, or torn and cut off."""
        if self.damaged and self.damaged[-1] == self._lines:
            content = self.path.read_bytes()
            self._read_to = content.rfind(b"\n") + 1
            self._journal.cut(self._read_to)
            self._lines -= 1
        else:
            self._read_to = self._journal.write(b"\n") + 1

    def sync(self) -> None:
        """Return when everything appended is on the disk."""
        self._journal.sync()

    def close(self) -> None:
        """Let go of the file."""
        self._journal.close()
        self._appending = False
