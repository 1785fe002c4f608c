"""Aligned segments out of TMX files and JSONL files.

JSONL (our own format): one segment a line, ``{"id": "DOCUMENT:SEGMENT", "texts": {"en": "...",
"fr": "..."}}``. In TMX the id is the ``tuid`` of a ``tu``, the languages are those of its ``tuv``.
"""

import json
from collections.abc import Iterator
from typing import IO, Any

import msgspec
from lxml import etree

from isogloss.errors import DataError
from isogloss.files import BOM, one_line
from isogloss.patents.record import Refusal
from isogloss.patents.xml_text import parse_xml, text_of

XML_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


class AlignedSegment(msgspec.Struct):
    """One segment in several languages.

    Attributes:
        id: As the file writes it.
        texts: (language tag, text) in the order of the file, which may name a language twice.
    """

    id: str
    texts: list[tuple[str, str]]


def read_tmx(content: bytes, name: str, refused: list[Refusal]) -> Iterator[AlignedSegment]:
    """Yield the segments of one TMX file.

    Args:
        content: The whole file.
        name: Its name, for `refused`.
        refused: Takes units without id; the others load.

    Raises:
        DataError: The file is no well-formed TMX.
    """
    root = parse_xml(content)
    if root.tag != "tmx":
        raise DataError(f"the root is <{root.tag}>, not <tmx>")
    for unit in root.iter("tu"):
        identifier = (unit.get("tuid") or "").strip()
        if not identifier:
            line: Any = unit.sourceline
            refused.append(Refusal(name, "a tu has no tuid", line=line))
            continue
        yield AlignedSegment(identifier, _texts(unit))


def _texts(unit: etree._Element) -> list[tuple[str, str]]:
    texts = []
    for variant in unit.iterfind("tuv"):
        segment = variant.find("seg")
        # TMX before 1.4 writes `lang` without the prefix.
        language = variant.get(XML_LANGUAGE) or variant.get("lang") or ""
        texts.append((language, "" if segment is None else text_of(segment)))
    return texts


class _Line(msgspec.Struct):
    id: str
    texts: dict[str, str]


class _RawLine(msgspec.Struct):
    texts: msgspec.Raw


_LINES = msgspec.json.Decoder(_Line)
_RAW_LINES = msgspec.json.Decoder(_RawLine)


def _decode(content: bytes) -> AlignedSegment:
    line = _LINES.decode(content)
    # A dict keeps the last text of a language that is named twice; the file's order has both.
    texts = json.loads(bytes(_RAW_LINES.decode(content).texts), object_pairs_hook=list)
    return AlignedSegment(line.id, texts)


def read_aligned_lines(
    file: IO[bytes], name: str, refused: list[Refusal]
) -> Iterator[AlignedSegment]:
    """Yield the segments of one JSONL file.

    Args:
        file: Open for reading bytes.
        name: Its name, for `refused`.
        refused: Takes each line that cannot be used; the others load.
    """
    for number, line in enumerate(file, start=1):
        content = line.removeprefix(BOM) if number == 1 else line
        if not content.strip():
            continue
        try:
            segment = _decode(content)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            refused.append(Refusal(name, one_line(error), line=number))
            continue
        yield segment
