"""One pass over a part of a Google Patents export; what a worker process runs.

Rows are judged one by one as if each were a whole publication. Of a row that leaves, 29 bytes
stay; of one that survives, its versions. Numbers that occur in several rows are read again and
joined by `isogloss.patents.google`, and only those whose rows together may survive.
"""

import gc
from collections import Counter
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from isogloss.errors import DataError
from isogloss.patents.google_join import join, row_codes, target_versions
from isogloss.patents.google_rows import Row, RowReader
from isogloss.patents.identifiers import normalise_number
from isogloss.patents.record import Publication, reason_of
from isogloss.patents.selection import (
    Outcomes,
    Rules,
    choose,
    long_enough,
    mask_of,
    outcomes_array,
    pack_outcome,
    passes_chemistry,
)


class Task(NamedTuple):
    """A part of an export: a whole shard, or the lines that begin in a range of its bytes."""

    path: Path
    start: int = 0
    end: int | None = None


class Kept(NamedTuple):
    """A row that survives on its own: its place, sort keys and the publication (MessagePack)."""

    row: int
    number: str
    date: str | None
    documents: int
    conflicts: list[dict[str, Any]]
    publication: bytes


class Scan(NamedTuple):
    """What one pass over a task found; `outcomes` has a row per readable row, in order."""

    lines: int
    faults: list[tuple[int, str]]
    cut: str | None
    outcomes: Outcomes
    kept: list[Kept]
    counts: Counter[str]
    other_languages: Counter[str]


_ENCODER = msgspec.msgpack.Encoder()


def hash_number(number: str) -> int:
    """64 bits of a normalised number, the same in every process."""
    return int.from_bytes(blake2b(number.encode(), digest_size=8).digest(), "little")


def scan(task: Task, rules: Rules) -> Scan:
    """Judge every row of a task on its own.

    Raises:
        DataError: The shard cannot be read at all.
    """
    targets = frozenset(rules.languages)
    reader = RowReader(*task)
    results = bytearray()
    row_count = 0
    kept: list[Kept] = []
    counts: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for lines, rows in reader.batches():
        for line, row in zip(lines, rows, strict=True):
            number = normalise_number(row.publication_number or "")
            if not number:
                reader.faults.append((line, "no publication_number"))
                continue
            found, wanted = target_versions(row.abstract_localized or (), targets, counts, others)
            codes = row_codes(row)
            key = hash_number(number)
            if not passes_chemistry(number, codes, rules):
                results += pack_outcome(key, found, len(wanted), False, 0, 0)
            elif not wanted:
                results += pack_outcome(key, found, 0, True, 0, 0)
            else:
                texts = [(language, entry.text or "") for language, entry in wanted]
                worded = long_enough(texts, rules)
                mask = mask_of((texts[index][0] for index, _ in worded), rules)
                if mask.bit_count() >= rules.minimum_languages:
                    joined = join(number, [(row, found, wanted)])
                    kept.append(keep(row_count, choose(joined, worded)))
                results += pack_outcome(key, found, len(wanted), True, len(worded), mask)
            row_count += 1
    if reader.lone_surrogates:
        counts["lone_surrogates"] = reader.lone_surrogates
    reader.faults.sort()
    return Scan(
        reader.lines, reader.faults, reader.cut, outcomes_array(results), kept, counts, others
    )


def keep(row: int, chosen: Publication) -> Kept:
    """Pack a publication that survives; its conflicts are held apart for the report."""
    conflicts, chosen.conflicts = chosen.conflicts, []
    blob = _ENCODER.encode(chosen)
    return Kept(row, chosen.number, chosen.date, len(chosen.versions), conflicts, blob)


def try_scan(task: Task, rules: Rules) -> Scan | str:
    """As `scan`, without the garbage collector, which finds nothing here and costs a tenth.

    Returns:
        The scan, or why the shard cannot be read at all.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        return scan(task, rules)
    except (DataError, OSError) as error:
        return reason_of(error, task.path)
    finally:
        if collecting:
            gc.enable()


def read_again(wanted: tuple[Task, list[int]]) -> list[tuple[str, Row]]:
    """Read the rows at the given places of a task once more, with their numbers, in order."""
    task, rows = wanted
    places = frozenset(rows)
    found: list[tuple[str, Row]] = []
    place = 0
    for _, batch in RowReader(*task).batches():
        for row in batch:
            number = normalise_number(row.publication_number or "")
            if number:
                if place in places:
                    found.append((number, row))
                place += 1
    return found
