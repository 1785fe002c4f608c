"""Outcomes of rows become outcomes of publications; what must be joined is read again.

A number that occurs in one row only has been judged already. Of the others, those that no rule can
save are settled by arithmetic; the rest is read a second time, joined and judged as a whole.
Numbers are gone through in buckets of their hash, so that memory does not grow with the export.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from isogloss.engine import LOCAL, Engine
from isogloss.patents.google_join import join, row_versions
from isogloss.patents.google_rows import Row
from isogloss.patents.google_scan import Kept, Task, hash_number, keep, read_again
from isogloss.patents.pool import in_order
from isogloss.patents.scan_files import Stored
from isogloss.patents.selection import (
    OUTCOME,
    Outcomes,
    Rules,
    add_counts,
    count_rules,
    judge,
    outcomes_array,
)

BUCKET_ROWS = 1 << 22
"""Rows whose outcomes are held at a time, about 120 MB."""

JOINED_ROWS = 1 << 18
"""Rows read again at a time."""

Places = npt.NDArray[np.int64]


class Merged(NamedTuple):
    """Publications by number.

    Attributes:
        publications: How many numbers there are.
        counts: Rows of `count_rules` over all of them.
        taken: Ascending places, among all rows, of those that were joined.
        joined: What survived of the joined ones.
    """

    publications: int
    counts: list[dict[str, Any]]
    taken: Places
    joined: list[Kept]


def merge(
    tasks: Sequence[Task],
    files: Sequence[Stored],
    offsets: Places,
    rules: Rules,
    workers: int,
    engine: Engine = LOCAL,
) -> Merged:
    """Turn outcomes of rows into outcomes of publications, reading again what must be joined.

    Args:
        tasks: The parts of the export.
        files: What was found in each.
        offsets: The place, among all rows, of each part's first one, and the number of rows.
        rules: The selection.
        workers: Processes at most.
        engine: Where rows are read again.
    """
    buckets = int(offsets[-1]) // BUCKET_ROWS + 1
    publications, counts = 0, count_rules(np.empty(0, OUTCOME), rules)
    groups: list[Places] = []
    for bucket in range(buckets):
        rows, places = _bucket(files, offsets, bucket, buckets)
        if not len(rows):
            continue
        settled, again = _settle(rows, places, rules)
        publications += len(settled) + len(again)
        counts = add_counts(counts, count_rules(settled, rules))
        groups += again
    joined: list[Kept] = []
    for members in _portions(groups):
        outcomes, survivors = _join_again(tasks, offsets, np.sort(members), rules, workers, engine)
        counts = add_counts(counts, count_rules(outcomes, rules))
        joined += survivors
    taken = np.sort(np.concatenate(groups)) if groups else np.empty(0, np.int64)
    return Merged(publications, counts, taken, joined)


def _bucket(
    files: Sequence[Stored], offsets: Places, bucket: int, buckets: int
) -> tuple[Outcomes, Places]:
    """Outcomes of the numbers in one bucket, and the places of their rows."""
    rows, places = [], []
    for offset, stored in zip(offsets, files, strict=False):
        outcomes = stored.outcomes()
        chosen = np.arange(len(outcomes))
        if buckets > 1:
            chosen = np.flatnonzero(outcomes["number"] % buckets == bucket)
        rows.append(outcomes[chosen])
        places.append(chosen + offset)
    return np.concatenate(rows), np.concatenate(places)


def _settle(rows: Outcomes, places: Places, rules: Rules) -> tuple[Outcomes, list[Places]]:
    """Outcomes of the numbers that arithmetic settles; places of the rows of each other one."""
    order = np.argsort(rows["number"], kind="stable")
    ordered = rows[order]
    starts = np.flatnonzero(np.r_[True, ordered["number"][1:] != ordered["number"][:-1]])
    merged = np.empty(len(starts), OUTCOME)
    merged["number"] = ordered["number"][starts]
    for name, reduce in (
        ("found", np.add),
        ("targeted", np.add),
        ("chemical", np.maximum),
        ("worded", np.add),
        ("languages", np.bitwise_or),
    ):
        merged[name] = reduce.reduceat(ordered[name], starts)
    sizes = np.diff(np.r_[starts, len(rows)])
    all_chemical = np.minimum.reduceat(ordered["chemical"], starts).astype(bool)
    # Words of a row without chemistry were not counted; texts of a row that left were not kept.
    again = (
        (sizes > 1)
        & merged["chemical"].astype(bool)
        & (merged["targeted"] > 0)
        & (~all_chemical | (np.bitwise_count(merged["languages"]) >= rules.minimum_languages))
    )
    members = [
        places[order[starts[group] : starts[group] + sizes[group]]]
        for group in np.flatnonzero(again)
    ]
    return merged[~again], members


def _portions(groups: Sequence[Places]) -> Iterator[Places]:
    """Groups of rows, whole, so many at a time as are read again at once."""
    portion: list[Places] = []
    size = 0
    for members in groups:
        if portion and size + len(members) > JOINED_ROWS:
            yield np.concatenate(portion)
            portion, size = [], 0
        portion.append(members)
        size += len(members)
    if portion:
        yield np.concatenate(portion)


def _join_again(
    tasks: Sequence[Task],
    offsets: npt.NDArray[np.int64],
    places: npt.NDArray[np.int64],
    rules: Rules,
    workers: int,
    engine: Engine,
) -> tuple[Outcomes, list[Kept]]:
    """Read the rows at the given places again and judge each number as a whole."""
    owner = np.searchsorted(offsets, places, side="right") - 1
    wanted = [
        (tasks[index], (places[owner == index] - offsets[index]).tolist())
        for index in np.unique(owner).tolist()
    ]
    found: list[tuple[str, int, Row]] = []
    batches = in_order(read_again, wanted, workers, "joining rows of one number", engine=engine)
    for batch in batches:
        found += [(number, len(found) + index, row) for index, (number, row) in enumerate(batch)]
    results = bytearray()
    kept: list[Kept] = []
    found.sort(key=itemgetter(0, 1))
    targets = frozenset(rules.languages)
    for number, group in groupby(found, key=itemgetter(0)):
        publication = join(number, [row_versions(row, targets) for _, _, row in group])
        outcome = judge(publication, rules)
        if outcome.chosen is not None:
            kept.append(keep(-1, outcome.chosen))
        results += outcome.packed(hash_number(number))
    return outcomes_array(results), kept
