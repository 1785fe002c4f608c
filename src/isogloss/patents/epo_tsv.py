"""The EPO's seven-column text-analytics file: one text of one publication a line, tabs between."""

from collections.abc import Iterator
from typing import IO

from isogloss.errors import DataError
from isogloss.files import BOM
from isogloss.patents.epo_record import EpoRecord
from isogloss.patents.identifiers import iso_date, normalise_number
from isogloss.patents.record import Refusal
from isogloss.patents.xml_text import parse_fragment, text_of

COLUMNS = 7
# Descriptions, amended claims, statements and links to PDFs are of no use here.
_USED = frozenset(["TITLE", "ABSTR", "CLAIM"])


def is_seven_columns(first_line: bytes) -> bool:
    """Whether a line looks like one of this format: seven fields, an office and a kind of text."""
    fields = first_line.removeprefix(BOM).split(b"\t", COLUMNS - 1)
    return len(fields) == COLUMNS and fields[0].strip().isalpha() and fields[5].strip().isupper()


def read_rows(file: IO[bytes], source: str, refused: list[Refusal]) -> Iterator[EpoRecord]:
    """Yield the publications of one file, whose lines stand together.

    Lines end at LF, a CR before it is dropped; cells may be of any length.

    Args:
        file: Open for reading bytes.
        source: Its name.
        refused: Takes each line that cannot be used; the others load.
    """
    current: EpoRecord | None = None
    for number, line in enumerate(file, start=1):
        content = line.removeprefix(BOM) if number == 1 else line
        if not content.strip():
            continue
        try:
            key, part = _parse(content.rstrip(b"\r\n"))
            kind, language, text = part
            if current is None or key != (current.country, current.patent, current.kind):
                if current is not None:
                    yield current
                date = iso_date(content.split(b"\t", 4)[3].decode("ascii", "replace"))
                current = EpoRecord(f"{source}, line {number}", *key, date)
            _add(current, kind, language, text)
        except DataError as error:
            refused.append(Refusal(source, str(error), line=number))
    if current is not None:
        yield current


def _parse(content: bytes) -> tuple[tuple[str, str, str], tuple[str, str | None, str]]:
    fields = content.split(b"\t", COLUMNS - 1)
    if len(fields) < COLUMNS:
        raise DataError(f"has {len(fields)} columns, must have {COLUMNS} parted by tabs")
    try:
        country, patent, kind, _, language, name = (
            field.decode("utf-8").strip() for field in fields[: COLUMNS - 1]
        )
        text = fields[-1].decode("utf-8") if name.upper() in _USED else ""
    except UnicodeDecodeError as error:
        raise DataError(f"is no UTF-8 text (byte {error.start + 1} of a cell)") from error
    key = (country.upper(), patent, kind.upper())
    if not all(normalise_number(part) for part in key):
        raise DataError("has no office, number or kind")
    return key, (name.upper(), language or None, text)


def _add(record: EpoRecord, name: str, language: str | None, text: str) -> None:
    if name not in _USED:
        return
    # Plain text is no XML: only a cell with markup is parsed as such.
    marked = "<" in text or "&" in text
    root = parse_fragment(text) if marked else None
    if name == "CLAIM":
        first = None if root is None else root.find("claim")
        if first is not None:
            root = first
        record.claims.append((language, text.strip() if root is None else text_of(root)))
    else:
        target = record.titles if name == "TITLE" else record.abstracts
        target.append((language, text.strip() if root is None else text_of(root)))
