"""Which files of a source's folder are read, in name order; the others are named."""

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

Named = tuple[Path, str]


def find_files(folder: Path, format_name: str) -> tuple[list[Named], list[str]]:
    """Go through a folder and those below it.

    Args:
        folder: A source's raw data.
        format_name: The source's format, a key of `SUFFIXES`.

    Returns:
        (path, name below the folder) of the files to read, ordered by name, and the names of
        the files of other kinds.
    """
    read: list[Named] = []
    left: list[str] = []
    files = ((path, path.relative_to(folder).as_posix()) for path in folder.rglob("*"))
    for path, name in sorted(files, key=lambda named: named[1]):
        if path.is_dir():
            continue
        if name.lower().endswith(SUFFIXES[format_name]):
            read.append((path, name))
        else:
            left.append(name)
    return read, left
