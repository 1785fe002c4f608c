"""Lines of JSON and the fields of their objects, each fault named by file, line and key."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from isogloss.errors import BenchmarkError, DataError
from isogloss.files import BOM, UNDECODABLE, one_line, open_bytes
from isogloss.foreign_text import shown
from isogloss.ids import RULE, is_id


def object_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each line that is not blank as an object, with its place in words."""
    try:
        with open_bytes(path) as lines:
            for number, line in enumerate(lines, start=1):
                content = line.removeprefix(BOM) if number == 1 else line
                if content.strip():
                    where = f"{path}, line {number}"
                    yield where, _as_object(content, where)
    except BenchmarkError:
        raise
    except DataError as error:
        raise BenchmarkError(str(error)) from error


def _as_object(content: bytes, where: str) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(content)
    except UNDECODABLE as error:
        raise BenchmarkError(f"{where}: {one_line(error)}") from error
    if not isinstance(value, dict):
        raise BenchmarkError(f"{where}: must be one JSON object")
    return value


def id_of(raw: dict[str, Any], where: str) -> str:
    """The record's own id, under the key that BEIR gives it."""
    name = name_of(raw, "_id", where)
    if not name:
        raise BenchmarkError(f"{where}: lacks '_id'")
    return name


def name_of(record: dict[str, Any], key: str, where: str) -> str:
    """A name without white space; a whole number is taken as its digits."""
    value = record.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if value is None or value == "":
        return ""
    if not isinstance(value, str):
        raise BenchmarkError(f"{where}: {key} must be text")
    if not is_id(value):
        raise BenchmarkError(
            f"{where}: {key} '{shown(value)}': {RULE}, which no run file can carry; rename it"
        )
    return value


def text_of(record: dict[str, Any], key: str, where: str) -> str:
    """A text field; absent and null are both empty."""
    value = record.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BenchmarkError(f"{where}: {key} must be text")
    return value
