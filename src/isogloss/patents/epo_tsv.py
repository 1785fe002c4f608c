"""The EPO's seven-column text-analytics file: one text of one publication a line, tabs between."""

import codecs
from collections.abc import Iterator
from itertools import islice
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
_KINDS = frozenset(b"TITLE ABSTR CLAIM DESCR AMEND ACSTM SREPT PDFEP".split())


# Enough that damage at the head of a file does not hide what it is.
_LOOKED_AT = 1_000


def has_rows(file: IO[bytes]) -> bool:
    """Whether one of the first lines of a file looks like one of this format.

    Raises:
        DataError: The file is UTF-16.
    """
    for number, line in enumerate(islice(file, _LOOKED_AT)):
        if number == 0 and line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise DataError("is UTF-16; export it as UTF-8")
        if looks_like_row(line.removeprefix(BOM)):
            return True
    return False


def looks_like_row(line: bytes) -> bool:
    """Whether a line begins as one of this format, whole or damaged: an office, then a number.

    Fields may be missing or wrong: such lines are refused by number, the file is read.
    """
    fields = [field.strip() for field in line.split(b"\t", COLUMNS - 1)]
    if len(fields) < 3:
        return False
    office, number = fields[:2]
    known = len(fields) == COLUMNS and fields[5].upper() in _KINDS
    return office.isalpha() and ((len(office) == 2 and _has_digit(number)) or known)


def _has_digit(number: bytes) -> bool:
    return any(character in b"0123456789" for character in number)


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
            # Read before a publication is begun: one whose only lines are refused does not load.
            kind, language, text = part[0], part[1], _text(part[0], part[2])
            if current is None or key != (current.country, current.patent, current.kind):
                if current is not None:
                    yield current
                date = iso_date(content.split(b"\t", 4)[3].decode("ascii", "replace"))
                current = EpoRecord(f"{source}, line {number}", *key, date)
            if text is not None:
                _texts(current, kind).append((language, text))
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


def _text(name: str, cell: str) -> str | None:
    """The text of a cell; None where its kind is of no use."""
    if name not in _USED:
        return None
    # Plain text is no XML: only a cell with markup is parsed as such.
    if "<" not in cell and "&" not in cell:
        return cell.strip()
    root = parse_fragment(cell)
    first = root.find("claim") if name == "CLAIM" else None
    return text_of(root if first is None else first)


def _texts(record: EpoRecord, name: str) -> list[tuple[str | None, str]]:
    return {"TITLE": record.titles, "ABSTR": record.abstracts, "CLAIM": record.claims}[name]
