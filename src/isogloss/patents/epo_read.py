"""The EPO's files to records, a batch of files at a time, wherever an engine reads them."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from isogloss.engine import LOCAL, Engine
from isogloss.errors import DataError
from isogloss.patents.archives import Entry, Walk
from isogloss.patents.epo_record import EpoRecord, read_document
from isogloss.patents.epo_tsv import has_rows, read_rows
from isogloss.patents.pool import in_order, size_of
from isogloss.patents.raw_files import Named
from isogloss.patents.record import Refusal, reason_of

SUFFIXES = frozenset([".xml", ".txt", ".tsv"])
# Small files are read together; fewer bytes than this are not worth a process of their own.
BATCH_BYTES = 1 << 24


class Read(NamedTuple):
    """What a batch of files gave, in the order of the files.

    Attributes:
        records: Publications.
        archives: Archives and their members that cannot be used.
        refused: Files and lines that cannot be used.
        not_read: Files of other kinds, and why.
    """

    records: list[EpoRecord]
    archives: list[Refusal]
    refused: list[Refusal]
    not_read: dict[str, str]


def read_all(
    files: Sequence[Named], max_unpacked_bytes: int, workers: int = 1, engine: Engine = LOCAL
) -> Read:
    """Read files; the result is the same however many processes share them.

    Args:
        files: (path, name) in name order.
        max_unpacked_bytes: What one archive may unpack to.
        workers: Processes at most, where the engine is this machine.
        engine: Where files are read; each lies there under the same path.
    """
    whole = Read([], [], [], {})
    batches = list(_batches(files))
    sizes = [sum(size_of(path) for path, _ in batch) for batch in batches]
    reading = partial(read_batch, max_unpacked_bytes=max_unpacked_bytes)
    for part in in_order(reading, batches, workers, "reading", sizes, engine):
        whole.records.extend(part.records)
        whole.archives.extend(part.archives)
        whole.refused.extend(part.refused)
        whole.not_read.update(part.not_read)
    return whole


def read_batch(files: Sequence[Named], max_unpacked_bytes: int) -> Read:
    """Read some files, one after the other."""
    walk = Walk(SUFFIXES, max_unpacked_bytes)
    found = Read([], walk.refused, [], walk.not_read)
    for path, name in files:
        for entry in walk.entries(path, name):
            found.records.extend(_read(entry, found))
    return found


def _batches(files: Sequence[Named]) -> Iterator[list[Named]]:
    batch: list[Named] = []
    held = 0
    for path, name in files:
        batch.append((path, name))
        held += size_of(path)
        if held >= BATCH_BYTES:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


def _read(entry: Entry, found: Read) -> list[EpoRecord]:
    try:
        with entry.open() as file:
            if entry.suffix == ".xml":
                return [read_document(file.read(), entry.name)]
            if not has_rows(file):
                why = "none of its first lines is one of the text-analytics format"
                found.not_read[entry.name] = why
                return []
        with entry.open() as file:
            return list(read_rows(file, entry.name, found.refused))
    except (DataError, OSError) as error:
        found.refused.append(Refusal(entry.name, reason_of(error)))
        return []
