"""One pass over a part of a Google Patents export; what a worker process runs.

Rows are judged one by one as if each were a whole publication. Of a row that leaves, 29 bytes
stay; of one that survives, its versions. Numbers that occur in several rows are read again and
joined by `isogloss.patents.google`, and only those whose rows together may survive.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from isogloss.languages import normalise_language
from isogloss.patents.codes import compact
from isogloss.patents.google_rows import Localized, Row, RowReader
from isogloss.patents.identifiers import cluster_of, iso_date, normalise_number
from isogloss.patents.placeholders import LONGEST, is_placeholder
from isogloss.patents.record import Publication, Version
from isogloss.patents.selection import Outcomes, Rules, judge, outcomes_array, passes_chemistry


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


_language = lru_cache(maxsize=4096)(normalise_language)
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
    results: list[tuple[int, int, int, bool, int, int]] = []
    kept: list[Kept] = []
    counts: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for lines, rows in reader.batches():
        for line, row in zip(lines, rows, strict=True):
            number = normalise_number(row.publication_number or "")
            if not number:
                reader.faults.append((line, "no publication_number"))
                continue
            found, wanted = _versions(row.abstract_localized or (), targets, counts, others)
            codes = row_codes(row)
            key = hash_number(number)
            if not passes_chemistry(number, codes, rules):
                results.append((key, found, len(wanted), False, 0, 0))
            elif not wanted:
                results.append((key, found, 0, True, 0, 0))
            else:
                outcome = judge(join(number, [(row, found, wanted)]), rules)
                chosen = outcome.chosen
                if chosen is not None:
                    kept.append(keep(len(results), chosen))
                results.append((key, found, len(wanted), True, outcome.worded, outcome.languages))
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


RowVersions = tuple[Row, int, list[tuple[str, Localized]]]


def read_again(task: Task, rows: Sequence[int]) -> list[tuple[int, str, Row]]:
    """Return the readable rows of a task at the given places (ascending), with their numbers."""
    wanted = frozenset(rows)
    found: list[tuple[int, str, Row]] = []
    place = 0
    for _, batch in RowReader(*task).batches():
        for row in batch:
            number = normalise_number(row.publication_number or "")
            if number:
                if place in wanted:
                    found.append((place, number, row))
                place += 1
    return found


def row_versions(row: Row, rules: Rules) -> RowVersions:
    """A row with its number of versions and those in target languages; counts go nowhere."""
    targets = frozenset(rules.languages)
    found, wanted = _versions(row.abstract_localized or (), targets, Counter(), Counter())
    return row, found, wanted


def _versions(
    entries: Iterable[Localized],
    targets: frozenset[str],
    counts: Counter[str],
    others: Counter[str],
) -> tuple[int, list[tuple[str, Localized]]]:
    found, wanted = 0, []
    for entry in entries:
        text = entry.text
        if not text or text.isspace():
            counts["abstract_without_text"] += 1
            continue
        if len(text) <= LONGEST and is_placeholder(text):
            counts["placeholder_abstract"] += 1
            continue
        found += 1
        language = _language(entry.language)
        if language in targets:
            wanted.append((str(language), entry))
        elif language is None:
            counts["language_unknown"] += 1
        else:
            others[language] += 1
    return found, wanted


def row_codes(row: Row) -> list[str]:
    """The codes of a row as written, CPC first."""
    return [
        code.code
        for codes in (row.cpc, row.ipc)
        if codes
        for code in codes
        if code.code is not None
    ]


def _titles(row: Row) -> dict[str, str]:
    titles: dict[str, str] = {}
    for entry in row.title_localized or ():
        language = _language(entry.language)
        if language is not None and entry.text and not entry.text.isspace():
            titles.setdefault(language, entry.text)
    return titles


def join(number: str, rows: Sequence[RowVersions]) -> Publication:
    """Join the rows of one number: codes united, versions pooled in the order of the rows.

    Office, date and cluster are those of the first row that knows them (our reading); rows that
    contradict each other on date or cluster are named among the conflicts.
    """
    codes: set[str] = set()
    versions: list[Version] = []
    titles: dict[str, str] = {}
    known: dict[str, list[str]] = defaultdict(list)
    for row, _, wanted in rows:
        codes.update(filter(None, map(compact, row_codes(row))))
        own = _titles(row)
        versions += [
            Version(language, own.get(language, ""), entry.text or "", "", bool(entry.truncated))
            for language, entry in wanted
        ]
        for language, title in own.items():
            titles.setdefault(language, title)
        known["office"].append((row.country_code or "").strip().upper())
        known["date"].append(iso_date(row.publication_date) or "")
        cluster = cluster_of(row.family_id, number)
        known["cluster"].append("" if cluster == number else cluster)
    values = {name: list(dict.fromkeys(filter(None, found))) for name, found in known.items()}
    conflicts = [
        {"id": number, "kind": name, "values": len(found)}
        for name, found in values.items()
        if len(found) > 1
    ]
    return Publication(
        number=number,
        office=next(iter(values["office"]), number[:2]),
        cluster=next(iter(values["cluster"]), number),
        date=next(iter(values["date"]), None),
        codes=sorted(codes),
        versions=versions,
        found=sum(found for _, found, _ in rows),
        titles=titles,
        conflicts=list(conflicts),
    )
