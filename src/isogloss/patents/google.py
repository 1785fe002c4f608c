"""Google Patents exports: read and select in worker processes, joined in shard and row order.

The result is the same for any number of workers: tasks are cut by bytes alone and merged in
order, and a number that occurs in several rows is joined by one process after the first pass.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from isogloss.errors import DataError
from isogloss.patents.google_rows import Row
from isogloss.patents.google_scan import (
    Kept,
    Scan,
    Task,
    hash_number,
    join,
    keep,
    read_again,
    row_versions,
    scan,
)
from isogloss.patents.ingest import Ingested, Packed, limited, rules_of
from isogloss.patents.pool import in_order
from isogloss.patents.record import Refusal
from isogloss.patents.selection import OUTCOME, Outcomes, Rules, count_rules, judge
from isogloss.settings import SourceSettings

RANGE_BYTES = 1 << 24
# Below this, starting worker processes costs more than it gains.
PARALLEL_BYTES = 1 << 25


def ingest_google(
    paths: Sequence[Path],
    settings: SourceSettings,
    workers: int = 1,
    surechembl: Path | None = None,
) -> Ingested:
    """Read and select one or many shards of an export of Google's `publications` table.

    Args:
        paths: Shards in the order that breaks ties; .jsonl, .json, .ndjson (.gz, .zst), .parquet.
        settings: Target languages and rules.
        workers: Processes at most; the result does not depend on it. Scripts that ask for more
            than one guard their entry point with ``if __name__ == "__main__"``.
        surechembl: File of numbers that count as chemistry.

    Returns:
        The publications that stay and what happened to the others.
    """
    rules = rules_of(settings, surechembl=surechembl)
    tasks = [task for path in paths for task in cut(path)]
    if sum(path.stat().st_size for path in paths) < PARALLEL_BYTES:
        workers = 1
    scans: list[Scan] = []
    unusable: dict[Path, str] = {}
    for task, result in zip(
        tasks, in_order(partial(_try_scan, rules=rules), tasks, workers, "reading"), strict=True
    ):
        if isinstance(result, str):
            unusable.setdefault(task.path, result)
            result = _nothing()
        scans.append(result)
    outcomes, kept = _merge(tasks, scans, rules, workers)
    counts = count_rules(outcomes, rules)
    order = limited([(one.number, one.date, one.documents) for one in kept], rules, counts)
    refused = _refused(tasks, scans, unusable)
    rows = sum(len(found.outcomes) for found in scans)
    faulty = sum(len(found.faults) for found in scans)
    return Ingested(
        publications=Packed([kept[index].publication for index in order]),
        records={"read": rows + faulty, "loaded": rows, "refused": faulty},
        rules=counts,
        counts=sum((found.counts for found in scans), Counter()),
        other_languages=sum((found.other_languages for found in scans), Counter()),
        refused=refused,
        cut_short=[
            {"file": task.path.name, "reason": found.cut}
            for task, found in zip(tasks, scans, strict=True)
            if found.cut
        ],
        conflicts=sorted(
            (conflict for one in kept for conflict in one.conflicts),
            key=itemgetter("id", "kind"),
        ),
    )


def cut(path: Path) -> list[Task]:
    """Cut a plain shard into ranges of bytes; packed shards and Parquet stay whole."""
    if path.suffix in (".gz", ".zst", ".parquet"):
        return [Task(path)]
    size = path.stat().st_size
    starts = range(0, max(size, 1), RANGE_BYTES)
    return [Task(path, start, min(start + RANGE_BYTES, size)) for start in starts]


def _try_scan(task: Task, rules: Rules) -> Scan | str:
    try:
        return scan(task, rules)
    except DataError as error:
        return str(error)


def _nothing() -> Scan:
    return Scan(0, [], None, np.empty(0, OUTCOME), [], Counter(), Counter())


def _refused(
    tasks: Sequence[Task], scans: Sequence[Scan], unusable: dict[Path, str]
) -> list[Refusal]:
    refused = [Refusal(path.name, reason) for path, reason in unusable.items()]
    before: Counter[Path] = Counter()
    for task, found in zip(tasks, scans, strict=True):
        refused += [
            Refusal(task.path.name, reason, line=before[task.path] + line)
            for line, reason in found.faults
        ]
        before[task.path] += found.lines
    return refused


def _merge(
    tasks: Sequence[Task], scans: Sequence[Scan], rules: Rules, workers: int
) -> tuple[Outcomes, list[Kept]]:
    """Turn outcomes of rows into outcomes of publications, reading again what must be joined."""
    rows = np.concatenate([found.outcomes for found in scans])
    offsets = np.cumsum([0, *(len(found.outcomes) for found in scans)])
    if not len(rows):
        return rows, []
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
    again = np.flatnonzero(
        (sizes > 1)
        & merged["chemical"].astype(bool)
        & (merged["targeted"] > 0)
        & (~all_chemical | (np.bitwise_count(merged["languages"]) >= rules.minimum_languages))
    )
    members = [order[starts[group] : starts[group] + sizes[group]] for group in again]
    places = np.sort(np.concatenate(members)) if members else np.empty(0, np.int64)
    taken = set(places.tolist())
    kept = [
        one
        for offset, found in zip(offsets, scans, strict=False)
        for one in found.kept
        if offset + one.row not in taken
    ]
    if members:
        joined, survivors = _join_again(tasks, offsets, places, rules, workers)
        untouched = np.ones(len(merged), bool)
        untouched[again] = False
        merged = np.concatenate([merged[untouched], joined])
        kept += survivors
    return merged, kept


def _join_again(
    tasks: Sequence[Task],
    offsets: npt.NDArray[np.int64],
    places: npt.NDArray[np.int64],
    rules: Rules,
    workers: int,
) -> tuple[Outcomes, list[Kept]]:
    """Read the rows at the given places again and judge each number as a whole."""
    owner = np.searchsorted(offsets, places, side="right") - 1
    wanted = [
        (tasks[index], (places[owner == index] - offsets[index]).tolist())
        for index in np.unique(owner).tolist()
    ]
    found: list[tuple[str, int, Row]] = []
    batches = in_order(_read_again, wanted, workers, "joining rows of one number")
    for batch in batches:
        found += [(number, len(found) + index, row) for index, (number, row) in enumerate(batch)]
    results: list[tuple[Any, ...]] = []
    kept: list[Kept] = []
    found.sort(key=itemgetter(0, 1))
    for number, group in groupby(found, key=itemgetter(0)):
        publication = join(number, [row_versions(row, rules) for _, _, row in group])
        outcome = judge(publication, rules)
        if outcome.chosen is not None:
            kept.append(keep(-1, outcome.chosen))
        results.append(
            (
                hash_number(number),
                outcome.found,
                outcome.targeted,
                outcome.chemical,
                outcome.worded,
                outcome.languages,
            )
        )
    return np.array(results, dtype=OUTCOME), kept


def _read_again(wanted: tuple[Task, list[int]]) -> list[tuple[str, Row]]:
    task, rows = wanted
    return [(number, row) for _, number, row in read_again(task, rows)]
