"""Which files of a source's folder are read, in name order; the others are named."""

import os
import re
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

Named = tuple[Path, str]


@dataclass(frozen=True)
class Found:
    """The files of a folder, each list in order of name.

    Attributes:
        read: (path, name below the folder) of the files to read.
        beside: Names of credits, licences and explanations.
        not_read: Names of other files, which are of no kind that is read.
    """

    read: list[Named]
    beside: list[str]
    not_read: list[str]


def find_files(folder: Path, format_name: str) -> Found:
    """Go through a folder and those below it.

    Args:
        folder: A source's raw data.
        format_name: The source's format, a key of `SUFFIXES`.
    """
    found = Found([], [], [])
    files = ((path, printable(path.relative_to(folder).as_posix())) for path in folder.rglob("*"))
    for path, name in sorted(files, key=lambda named: named[1]):
        if path.is_dir():
            continue
        if path.name.lower().startswith(_PAPERS):
            found.beside.append(name)
        elif name.lower().endswith(SUFFIXES[format_name]):
            found.read.append((path, name))
        else:
            found.not_read.append(name)
    return found


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def printable(name: str) -> str:
    """A file's name as reports and messages can hold it, on one line.

    A name need not be UTF-8: bytes that are none, and control characters, become escapes.
    """
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return _CONTROL.sub(lambda found: found.group().encode("unicode_escape").decode(), text)
