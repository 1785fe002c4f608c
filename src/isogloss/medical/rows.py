"""Rows of JSONL files with their line numbers, so that every refusal can name its line."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from isogloss.errors import DataError
from isogloss.files import BOM, UNDECODABLE, one_line, open_bytes

_PLACE = r" - at `\$\.?(?P<name>[^`]*)`"
_LACKING = re.compile(r"Object missing required field `(?P<name>[^`]+)`")
_WRONG_TYPE = re.compile(rf"Expected `(?P<wanted>[^`]+)`, got `(?P<got>[^`]+)`(?:{_PLACE})?")
_OTHER = re.compile(rf"(?P<said>.+){_PLACE}")
_CUT = "Input data was truncated"
_TYPES = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}

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
            except UNDECODABLE as error:
                raise DataError(f"{path}, line {number}: {_plainly(content, error)}") from error
            yield number, row


def _plainly(content: bytes, error: Exception) -> str:
    """What is wrong with a line, in words that name the field and not the parser's types."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as broken:
        return f"is not UTF-8 (byte {broken.start + 1} of the line); save the file as UTF-8"
    if isinstance(error, RecursionError):
        return "has brackets nested too deep to be read"
    said = one_line(error)
    if found := _LACKING.fullmatch(said):
        return f"lacks the field `{found['name']}`"
    if found := _WRONG_TYPE.fullmatch(said):
        wanted = " or ".join(_TYPES.get(one, one) for one in found["wanted"].split(" | "))
        got = _TYPES.get(found["got"], found["got"])
        where = f"field `{found['name']}`" if found["name"] else "the line"
        return f"{where} must be {wanted}, but is {got}"
    if found := _OTHER.fullmatch(said):
        return f"{found['said']} (field `{found['name']}`)"
    return "breaks off; it is no whole JSON object" if said == _CUT else said
