"""Google Patents exports: read and select in worker processes, joined in shard and row order.

The result is the same for any number of workers: tasks are cut by bytes alone and merged in
order, and a number that occurs in several rows is joined by one process after the first pass.
"""

import os
from collections import Counter
from collections.abc import Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path

import numpy as np

from isogloss.patents.google_merge import merge
from isogloss.patents.google_scan import Scan, Task, try_scan
from isogloss.patents.ingest import Ingested, Packed, limited, rules_of
from isogloss.patents.pool import in_order
from isogloss.patents.raw_files import printable
from isogloss.patents.record import Refusal
from isogloss.patents.selection import OUTCOME, count_rules
from isogloss.settings import SourceSettings

RANGE_BYTES = 1 << 24
# Below this, starting worker processes costs more than it gains.
PARALLEL_BYTES = 1 << 25


def ingest_google(
    paths: Sequence[Path],
    settings: SourceSettings,
    workers: int = 1,
    surechembl: Path | None = None,
    names: Sequence[str] | None = None,
) -> Ingested:
    """Read and select one or many shards of an export of Google's `publications` table.

    Args:
        paths: Shards in the order that breaks ties; .jsonl, .json, .ndjson (.gz, .zst), .parquet.
        settings: Target languages and rules.
        workers: Processes at most; the result does not depend on it. Scripts that ask for more
            than one guard their entry point with ``if __name__ == "__main__"``.
        surechembl: File of numbers that count as chemistry.
        names: What the report calls each shard; without, its path below the folder they share.

    Returns:
        The publications that stay and what happened to the others.
    """
    rules = rules_of(settings, surechembl=surechembl)
    tasks = [task for path in paths for task in cut(path)]
    if sum(map(_size, paths)) < PARALLEL_BYTES:
        workers = 1
    scans: list[Scan] = []
    unusable: dict[Path, str] = {}
    for task, result in zip(
        tasks, in_order(partial(try_scan, rules=rules), tasks, workers, "reading"), strict=True
    ):
        if isinstance(result, str):
            unusable.setdefault(task.path, result)
            result = _nothing()
        scans.append(result)
    # One refusal for the whole shard, whatever its other ranges gave.
    scans = [
        _nothing() if task.path in unusable else found
        for task, found in zip(tasks, scans, strict=True)
    ]
    outcomes, kept = merge(tasks, scans, rules, workers)
    counts = count_rules(outcomes, rules)
    order = limited([(one.number, one.date, one.documents) for one in kept], rules, counts)
    named = _names(paths) if names is None else dict(zip(paths, names, strict=True))
    refused = _refused(tasks, scans, unusable, named)
    rows = sum(len(found.outcomes) for found in scans)
    return Ingested(
        publications=Packed([kept[index].publication for index in order]),
        records={
            "read": rows + len(refused),
            "loaded": rows,
            "refused": len(refused),
            "publications": len(outcomes),
        },
        rules=counts,
        counts=sum((found.counts for found in scans), Counter()),
        other_languages=sum((found.other_languages for found in scans), Counter()),
        refused=refused,
        cut_short=[
            {"file": named[task.path], "reason": found.cut}
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
    if path.suffix.lower() in (".gz", ".zst", ".parquet"):
        return [Task(path)]
    size = _size(path)
    starts = range(0, max(size, 1), RANGE_BYTES)
    return [Task(path, start, min(start + RANGE_BYTES, size)) for start in starts]


def _size(path: Path) -> int:
    """Bytes of a shard; 0 where there is none to be read, which reading it will tell."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _names(paths: Sequence[Path]) -> dict[Path, str]:
    """Shards by their path below the folder they share."""
    if not paths:
        return {}
    folder = os.path.commonpath([path.parent for path in paths])
    return {path: printable(path.relative_to(folder).as_posix()) for path in paths}


def _nothing() -> Scan:
    return Scan(0, [], None, np.empty(0, OUTCOME), [], Counter(), Counter())


def _refused(
    tasks: Sequence[Task], scans: Sequence[Scan], unusable: dict[Path, str], names: dict[Path, str]
) -> list[Refusal]:
    refused = [Refusal(names[path], reason) for path, reason in unusable.items()]
    before: Counter[Path] = Counter()
    for task, found in zip(tasks, scans, strict=True):
        refused += [
            Refusal(names[task.path], reason, line=before[task.path] + line)
            for line, reason in found.faults
        ]
        before[task.path] += found.lines
    return refused
