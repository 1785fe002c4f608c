"""A cheap look at the first records of raw files, so that a wholly wrong file is named early.

What is looked at is read as the corpus would read it; nothing is selected. A file passes with one
usable record at its head: single bad records are the corpus' to refuse and count.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from lxml import etree

from isogloss.errors import DataError
from isogloss.files import one_line
from isogloss.patents.archives import Entry, Walk
from isogloss.patents.epo_read import SUFFIXES as EPO_SUFFIXES
from isogloss.patents.epo_record import read_document
from isogloss.patents.epo_tsv import has_rows, read_rows
from isogloss.patents.google_rows import RowReader
from isogloss.patents.identifiers import normalise_number
from isogloss.patents.parallel import ID_FORM, split_id
from isogloss.patents.parallel import SUFFIXES as PARALLEL_SUFFIXES
from isogloss.patents.raw_files import Named
from isogloss.patents.record import Refusal, reason_of
from isogloss.patents.tmx import read_aligned_lines
from isogloss.settings import SourceSettings

FILES = 20
LINES = 20
HEAD_BYTES = 1 << 20


class _OneRecordError(DataError):
    """A document that is refused, or a text of no known format: a fault where nothing else is."""


def wrong_files(files: Sequence[Named], settings: SourceSettings) -> list[tuple[str, str]]:
    """Look at the head of the first files of a source; of an archive, at its first members.

    Args:
        files: (path, name) in name order.
        settings: The source's part of params.yaml.

    Returns:
        (name, reason) of each file in which nothing usable was found. An XML file is one record,
        and a text of no known format is left out of the corpus with a word: these are named
        where no file is usable.
    """
    faults: list[tuple[str, str]] = []
    single: list[tuple[str, str]] = []
    usable = False
    for path, name in files[:FILES]:
        try:
            if settings.format == "google-patents":
                _look_at_rows(path)
            else:
                _look_at_file(path, name, settings)
            usable = True
        except _OneRecordError as error:
            single.append((name, reason_of(error, path)))
        except (DataError, OSError) as error:
            faults.append((name, reason_of(error, path)))
    return faults if usable else faults + single


def _look_at_rows(path: Path) -> None:
    reader = RowReader(path)
    for _, rows in reader.batches():
        if any(normalise_number(row.publication_number or "") for row in rows):
            return
        if rows:
            raise DataError("its first records hold no publication_number")
        if reader.faults:
            break
    line, reason = (reader.faults or [(1, reader.cut or "it is empty")])[0]
    raise DataError(f"its first records cannot be used (line {line}: {reason})")


def _look_at_file(path: Path, name: str, settings: SourceSettings) -> None:
    parallel = settings.format == "parallel"
    walk = Walk(PARALLEL_SUFFIXES if parallel else EPO_SUFFIXES, settings.max_unpacked_mb << 20)
    refusal: _OneRecordError | None = None
    for entry in islice(walk.entries(path, name), FILES):
        if not parallel:
            try:
                _look_at_epo(entry)
            except _OneRecordError as error:
                refusal = refusal or error
                continue
        elif entry.suffix == ".tmx":
            _pass_one_id(_tmx_ids(entry), [])
        else:
            refused: list[Refusal] = []
            segments = read_aligned_lines(_head(entry), entry.name, refused)
            _pass_one_id([segment.id for segment in segments], refused)
        return
    if refusal is not None:
        raise refusal
    raise DataError(walk.refused[0].reason if walk.refused else "holds no file that is read")


def _look_at_epo(entry: Entry) -> None:
    if entry.suffix == ".xml":
        with entry.open() as file:
            content = file.read()
        try:
            read_document(content, entry.name)
        except DataError as error:
            raise _OneRecordError(str(error)) from error
        return
    head = _head(entry)
    if not has_rows(head):
        raise _OneRecordError(
            "none of its first lines has the seven columns of the text-analytics file (office, "
            "number, kind, date, language, TITLE/ABSTR/CLAIM/..., text; tabs between)"
        )
    head.seek(0)
    refused: list[Refusal] = []
    if not list(read_rows(head, entry.name, refused)):
        _none_usable(refused)


def _head(entry: Entry) -> io.BytesIO:
    with entry.open() as file:
        return io.BytesIO(b"".join(islice(file, LINES)))


def _tmx_ids(entry: Entry) -> Iterator[str]:
    """Ids of the units that begin in the head of a file."""
    parser = etree.XMLPullParser(
        events=("start",), load_dtd=False, no_network=True, resolve_entities=False
    )
    with entry.open() as file:
        content = file.read(HEAD_BYTES)
    try:
        parser.feed(content)
        if len(content) < HEAD_BYTES:
            parser.close()
    except etree.XMLSyntaxError as error:
        raise DataError(one_line(error)) from error
    elements: Iterable[Any] = (element for _, element in parser.read_events())
    for place, element in enumerate(elements):
        if place == 0 and element.tag != "tmx":
            raise DataError(f"the root is <{element.tag}>, not <tmx>")
        if element.tag == "tu":
            yield (element.get("tuid") or "").strip()


def _pass_one_id(ids: Iterator[str] | list[str], refused: list[Refusal]) -> None:
    seen = False
    for identifier in ids:
        if split_id(identifier) is not None:
            return
        seen = True
    if seen:
        raise DataError(f"its first records cannot be used ({ID_FORM})")
    _none_usable(refused)


def _none_usable(refused: list[Refusal]) -> None:
    if not refused:
        raise DataError("holds no record")
    first = refused[0]
    raise DataError(f"its first records cannot be used (line {first.line}: {first.reason})")
