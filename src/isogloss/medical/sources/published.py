"""Files as publishers give them, whatever their form, become named records."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from isogloss.csv_file import read_csv
from isogloss.errors import DataError
from isogloss.files import UNDECODABLE, open_bytes, read_jsonl, read_parquet
from isogloss.medical.sources.draft import Records
from isogloss.medical.sources.liveqa import liveqa_records

NAMES = ("pairID", "question_id", "qid", "id")
"""Fields by which publishers name a record."""


def records(path: Path, fields: Sequence[str]) -> Records:
    """Yield the records of a file, named by row, place or question id.

    Args:
        path: JSONL, JSON, CSV, Parquet or XML; JSON lines may be packed (.gz, .zst).
        fields: What a table must have as columns. Records of JSON need not hold every field; those
            that lack one are refused one by one.

    Raises:
        DataError: The file cannot be read, or a table lacks a column.
    """
    suffix = path.suffix.lower()
    if suffix == ".xml":
        yield from ((name, record, "") for name, record in liveqa_records(path))
    elif suffix == ".csv":
        table = read_csv(path, fields)
        for row in table.rows:
            cells = dict(zip(table.headings, row.cells, strict=False))
            yield f"row {row.number}", cells, "; ".join(row.faults)
    elif suffix == ".parquet":
        yield from _parquet(path, fields)
    else:
        rows = _whole(path) if suffix == ".json" else None
        yield from _named(read_jsonl(path) if rows is None else rows)


def _parquet(path: Path, fields: Sequence[str]) -> Records:
    table = read_parquet(path)
    for field in fields:
        if field not in table.column_names:
            raise DataError(f"{path}: no column {field!r}; it has {', '.join(table.column_names)}")
    for number, row in enumerate(table.to_pylist(), start=1):
        yield f"row {number}", row, ""


def _named(rows: Iterable[Any]) -> Records:
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping):
            yield f"record {number}", {}, "is no JSON object"
            continue
        given = next((row[key] for key in NAMES if row.get(key)), None)
        yield f"record {number}" + ("" if given is None else f" ({given})"), row, ""


def _whole(path: Path) -> list[Any] | None:
    """The records of a file that is one JSON value: a list, or HEAD-QA's exams; None for lines."""
    with open_bytes(path) as content:
        try:
            found = msgspec.json.decode(content.read())
        except UNDECODABLE:
            return None
    if isinstance(found, Mapping) and isinstance(found.get("exams"), Mapping):
        return [row for name, exam in found["exams"].items() for row in _exam(path, name, exam)]
    return found if isinstance(found, list) else None


def _exam(path: Path, name: str, exam: Any) -> list[Any]:
    data = exam.get("data") if isinstance(exam, Mapping) else None
    if not isinstance(data, list):
        raise DataError(f"{path}: exam {name!r} has no list 'data'")
    return data
