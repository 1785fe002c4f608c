"""What the machine says of a file, in words that name the path and what to do."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from isogloss.errors import WriteError

_FULL = "free some space there, or write elsewhere"
_CLOSED = "make it writable, or write elsewhere"
_IN_THE_WAY = "something of another kind has that name; move it away, or choose another name"
_CURES = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: "raise the limit on the size of files (ulimit -f), or write elsewhere",
    errno.EROFS: _CLOSED,
    errno.EACCES: _CLOSED,
    errno.EPERM: _CLOSED,
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.ENOTDIR: _IN_THE_WAY,
    errno.EISDIR: _IN_THE_WAY,
    errno.EEXIST: _IN_THE_WAY,
    errno.ELOOP: "a link leads to itself; remove it",
    errno.EIO: "the disk or its connection fails; look at the system's log",
    errno.EMFILE: "raise the limit on open files (ulimit -n)",
}


def os_fault(error: OSError, path: Path | str | None = None) -> str:
    """What happened to which path, and what to do, in one line.

    Args:
        error: As Python or Arrow raised it.
        path: Whose it is; the one that the error names where not given.
    """
    place = path if path is not None else error.filename
    words = error.strerror or " ".join(str(error).split()) or type(error).__name__
    if error.errno in _CURES:
        words = os.strerror(error.errno)
    cure = _CURES.get(error.errno or 0)
    told = f"{words}; {cure}" if cure else words
    return told if place is None else f"{os.fsdecode(place)}: {told}"


@contextmanager
def write_faults(path: Path) -> Iterator[None]:
    """Name a path where writing it fails.

    Raises:
        WriteError: The disk is full, the folder cannot be written to, the name is too long, ...;
            an error about another place is let through.
    """
    try:
        yield
    except OSError as error:
        named = error.filename
        elsewhere = named is not None and not Path(os.fsdecode(named)).is_relative_to(path.parent)
        # A folder that could not be made lies above.
        above = named is not None and path.is_relative_to(os.fsdecode(named))
        if error.errno not in _CURES or (elsewhere and not above):
            raise
        raise WriteError(os_fault(error, path)) from error
