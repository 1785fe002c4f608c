"""Which files of a source's folder are read, in name order; the others are named."""

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

_LINES = (".jsonl", ".json", ".ndjson")
SUFFIXES: dict[str, tuple[str, ...]] = {
    "google-patents": (
        *(f"{lines}{packed}" for lines in _LINES for packed in ("", ".gz", ".zst")),
        ".parquet",
    ),
    "epo": (".xml", ".zip", ".txt", ".tsv"),
    "parallel": (".tmx", ".jsonl", ".zip"),
}

# Papers that are kept beside raw data and hold none, whatever their ending.
_PAPERS = ("attribution", "license", "licence", "notice", "readme")

LINK = "a link to a folder, which is not followed; put the folder itself here"
SPECIAL = "a pipe, socket or device, no file"

Named = tuple[Path, str]


@dataclass(frozen=True)
class Found:
    """The files of a folder, each list in order of name.

    Attributes:
        read: (path, name below the folder) of the files to read.
        beside: Names of credits, licences and explanations.
        not_read: Names of everything else, and why.
    """

    read: list[Named]
    beside: list[str]
    not_read: dict[str, str]


def find_files(folder: Path, format_name: str) -> Found:
    """Go through a folder and those below it.

    A link to a file is read as the file, for so DVC may keep data; a link to a folder is not
    followed but named, wherever it leads: it could lead out, to itself, or to files read already.

    Args:
        folder: A source's raw data.
        format_name: The source's format, a key of `SUFFIXES`.
    """
    unread: dict[str, str] = {}

    def unlisted(error: OSError) -> None:
        unread[_below(folder, Path(error.filename))] = f"cannot be listed ({error.strerror})"

    paths: list[Path] = []
    for at, folders, files in os.walk(folder, onerror=unlisted):
        paths += [Path(at, name) for name in files]
        below = [Path(at, name) for name in folders]
        unread |= {_below(folder, path): LINK for path in below if path.is_symlink()}
    found = Found([], [], {})
    for name, path in sorted((_below(folder, path), path) for path in paths):
        if path.name.lower().startswith(_PAPERS):
            found.beside.append(name)
        elif not name.lower().endswith(SUFFIXES[format_name]):
            unread[name] = f"a source of format {format_name} has no such files"
        elif _is_special(path):
            unread[name] = SPECIAL
        else:
            found.read.append((path, name))
    found.not_read.update(sorted(unread.items()))
    return found


def _below(folder: Path, path: Path) -> str:
    return printable(path.relative_to(folder).as_posix())


def _is_special(path: Path) -> bool:
    """Whether reading could wait for ever; what is not there is the reader's to refuse."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def printable(name: str) -> str:
    """A file's name as reports and messages can hold it, on one line.

    A name need not be UTF-8: bytes that are none, and control characters, become escapes.
    """
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return _CONTROL.sub(lambda found: found.group().encode("unicode_escape").decode(), text)
