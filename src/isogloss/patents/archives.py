"""Files of a source one by one, those inside ZIP archives too; nothing is ever unpacked to disk."""

import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO

from isogloss.patents.record import Refusal, reason_of

# ValueError: names or fields of the archive's directory that cannot be decoded.
_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
)


@dataclass(frozen=True)
class Entry:
    """A file, or a member of an archive, not opened yet.

    Attributes:
        name: Path below the source's folder; members follow their archive after ``!/``.
        open: Opens it for reading bytes.
    """

    name: str
    open: Callable[[], IO[bytes]]

    @property
    def suffix(self) -> str:
        """Lower-case file ending."""
        return PurePosixPath(self.name).suffix.lower()


@dataclass
class Walk:
    """Goes through files in name order and notes what it leaves out.

    Attributes:
        suffixes: Endings that are read.
        max_unpacked_bytes: What one archive may unpack to, nested archives included.
        refused: Archives and members that cannot be used.
        not_read: Members of other kinds, and why.
    """

    suffixes: frozenset[str]
    max_unpacked_bytes: int
    refused: list[Refusal] = field(default_factory=list)
    not_read: dict[str, str] = field(default_factory=dict)

    def entries(self, path: Path, name: str) -> Iterator[Entry]:
        """Yield a file itself, or the members of a ZIP in name order (ZIPs inside: one level)."""
        if path.suffix.lower() != ".zip":
            yield Entry(name, lambda: path.open("rb"))
            return
        yield from self._archive(
            lambda: path.open("rb"), name, self.max_unpacked_bytes, nested=False
        )

    def _archive(
        self, opener: Callable[[], IO[bytes]], name: str, budget: int, *, nested: bool
    ) -> Iterator[Entry]:
        try:
            with opener() as file, zipfile.ZipFile(file) as archive:
                members = [info for info in archive.infolist() if not info.is_dir()]
                # A member never gives more than its declared size, so the sum is a true bound.
                size = sum(info.file_size for info in members)
                if size > budget:
                    self._refuse(
                        name,
                        f"unpacks to {size:,} bytes, over the limit of {budget:,} "
                        "(max_unpacked_mb of the source)",
                    )
                    return
                for info in sorted(members, key=lambda member: member.filename):
                    yield from self._member(archive, info, name, budget - size, nested=nested)
        except _FAULTS as error:
            self._refuse(name, f"is no readable ZIP archive ({reason_of(error)})")

    def _member(
        self,
        archive: zipfile.ZipFile,
        info: zipfile.ZipInfo,
        parent: str,
        budget: int,
        *,
        nested: bool,
    ) -> Iterator[Entry]:
        name = f"{parent}!/{info.filename}"
        if leaves_archive(info.filename):
            self._refuse(name, "its name climbs out of the archive or is absolute")
            return
        suffix = PurePosixPath(info.filename).suffix.lower()
        if suffix not in self.suffixes and suffix != ".zip":
            self.not_read[name] = "a source of this format has no such files"
            return
        if suffix == ".zip" and nested:
            self.not_read[name] = "archives are opened one level deep"
            return
        try:
            content = archive.read(info)
        except _FAULTS as error:
            self._refuse(name, f"cannot be unpacked ({reason_of(error)})")
            return
        if suffix == ".zip":
            yield from self._archive(lambda: io.BytesIO(content), name, budget, nested=True)
        else:
            yield Entry(name, lambda: io.BytesIO(content))

    def _refuse(self, name: str, reason: str) -> None:
        self.refused.append(Refusal(name, reason))


def leaves_archive(name: str) -> bool:
    """Whether a member's name is absolute or climbs, in the manner of any platform."""
    windows = PureWindowsPath(name)
    return (
        bool(windows.drive or windows.root)
        or name.startswith("/")
        or ".." in windows.parts
        or "\x00" in name
    )
