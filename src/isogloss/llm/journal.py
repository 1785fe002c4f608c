"""An append-only file of lines that survives a kill at any byte."""

import io
import os
import shutil
from pathlib import Path

from isogloss.files import atomic_write, one_line
from isogloss.llm.faults import RecordingError

try:
    import fcntl
except ImportError:  # Windows: two processes on one file are then not told apart.
    fcntl = None  # type: ignore[assignment]


class Journal:
    """Appends whole lines; `write` hands them to the system, `sync` brings them to the disk.

    A process that is killed loses nothing that was written, a machine that loses power nothing
    that was synced.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._out: io.FileIO | None = None

    def open(self) -> int:
        """Open for appending, alone; again is harmless.

        Returns:
            The length of the file in bytes.

        Raises:
            RecordingError: Another process is appending, or the file cannot be written.
        """
        return os.fstat(self._file().fileno()).st_size

    def _file(self) -> io.FileIO:
        if self._out is not None:
            return self._out
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            _make_own(self.path)
            out = io.FileIO(self.path, "a")
            if fcntl is not None:
                fcntl.flock(out, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            out.close()
            raise RecordingError(
                f"{self.path}: another process is appending to it; wait until it has ended"
            ) from None
        except OSError as error:
            raise RecordingError(f"{self.path}: cannot append ({one_line(error)})") from error
        self._out = out
        return out

    def cut(self, length: int) -> None:
        """Drop what lies behind a length: the torn line of a process that was killed."""
        os.truncate(self._file().fileno(), length)

    def write(self, line: bytes) -> int:
        """Append one line.

        Returns:
            Where it begins.

        Raises:
            RecordingError: The disk took it only in part (it is full); what it took is removed.
        """
        start = self.open()
        try:
            taken = self._file().write(line)
            fault = None if taken == len(line) else "the disk is full"
        except OSError as error:
            fault = one_line(error)
        if fault is not None:
            self.cut(start)
            raise RecordingError(f"{self.path}: cannot append ({fault})")
        return start

    def sync(self) -> None:
        """Return when all written lines are on the disk.

        Raises:
            RecordingError: The disk refused.
        """
        if self._out is not None:
            try:
                os.fsync(self._out.fileno())
            except OSError as error:
                raise RecordingError(
                    f"{self.path}: cannot be synced ({one_line(error)})"
                ) from error

    def close(self) -> None:
        """Sync and let go of the file."""
        if self._out is not None:
            self.sync()
            self._out.close()
            self._out = None


def _make_own(path: Path) -> None:
    """Part a file from DVC's cache: appending to a linked output would change the cached copy."""
    if path.is_symlink() or (path.exists() and path.stat().st_nlink > 1):
        with atomic_write(path) as copy:
            shutil.copyfile(path.resolve(), copy)
    elif path.exists() and not os.access(path, os.W_OK):
        path.chmod(0o644)
