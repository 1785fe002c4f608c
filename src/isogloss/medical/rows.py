"""Rows of JSONL files with their line numbers, so that every refusal can name its line."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from isogloss.errors import DataError
from isogloss.files import BOM, one_line, open_bytes

Row = TypeVar("Row", bound=msgspec.Struct)


def numbered_rows(path: Path, kind: type[Row]) -> Iterator[tuple[int, Row]]:
    """Yield each row of a JSONL file with its line number, counted from 1.

    Blank lines are passed over, a BOM is dropped, other fields than the type's are ignored.

    Raises:
        DataError: A line is no JSON object of that type; file and line are named.
    """
    decode = msgspec.json.Decoder(kind).decode
    with open_bytes(path) as lines:
        for number, line in enumerate(lines, start=1):
            content = line.removeprefix(BOM) if number == 1 else line
            if not content.strip():
                continue
            try:
                row = decode(content)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise DataError(f"{path}, line {number}: {one_line(error)}") from error
            yield number, row
