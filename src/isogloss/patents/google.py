"""Google Patents exports: read and select in worker processes, joined in shard and row order.

The result is the same for any number of workers: parts are cut by bytes alone and merged in order,
and a number that occurs in several rows is joined by one process after the first pass. What a part
gave lies on the disk, so memory does not grow with the export and a killed ingest goes on.
"""

import os
from collections.abc import Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from isogloss.engine import LOCAL, Engine
from isogloss.patents.google_merge import merge
from isogloss.patents.google_report import look_through
from isogloss.patents.google_scan import Task
from isogloss.patents.ingest import Ingested, limit_row, rules_of
from isogloss.patents.pool import in_order, size_of
from isogloss.patents.raw_files import printable
from isogloss.patents.scan_files import Stored, key_of, scan_to_files, store_joined
from isogloss.patents.selection import Rules
from isogloss.patents.unknown_tags import parted
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
    work: Path | None = None,
    engine: Engine = LOCAL,
) -> Ingested:
    """Read and select one or many shards of an export of Google's `publications` table.

    Args:
        paths: Shards in the order that breaks ties; .jsonl, .json, .ndjson (.gz, .zst), .parquet.
        settings: Target languages and rules.
        workers: Processes at most; the result does not depend on it. Scripts that ask for more
            than one guard their entry point with ``if __name__ == "__main__"``.
        surechembl: File of numbers that count as chemistry.
        names: What the report calls each shard; without, its path below the folder they share.
        work: A folder that keeps what was read, so that a killed ingest goes on; the caller
            removes it when the publications have been used. Without, a temporary one. Like the
            shards it must lie where every worker of the engine finds it.
        engine: Where parts are read; the result does not depend on it.

    Returns:
        The publications that stay and what happened to the others.
    """
    rules = rules_of(settings, surechembl=surechembl)
    holder = None
    if work is None:
        holder = TemporaryDirectory(prefix="isogloss-ingest-")
        work = Path(holder.name)
    tasks = [task for path in paths for task in cut(path)]
    if sum(map(size_of, paths)) < PARALLEL_BYTES:
        workers = 1
    files = _read(tasks, rules, work, workers, engine)
    named = _names(paths) if names is None else dict(zip(paths, names, strict=True))
    seen = look_through(tasks, files, named)
    # One refusal for a whole shard that cannot be read, whatever its other ranges gave.
    usable = [place for place, task in enumerate(tasks) if task.path not in seen.unusable]
    tasks, files = [tasks[place] for place in usable], [files[place] for place in usable]
    offsets = np.cumsum([0, *(stored.rows for stored in files)], dtype=np.int64)
    merged = merge(tasks, files, offsets, rules, workers, engine)
    files.append(store_joined(work, merged.joined))
    # Only now, so that worker processes are not started from one that holds more than it needs.
    from isogloss.patents.kept_index import (
        StoredPublications,
        conflicts_of,
        in_document_order,
        kept_table,
        newest,
    )

    kept = kept_table(files, offsets, merged.taken)
    if rules.limit is not None:
        kept = newest(kept, rules.limit)
        documents = int(kept.column("documents").to_numpy().sum())
        merged.counts.append(limit_row(rules.limit, merged.counts, len(kept), documents))
    kept = in_document_order(kept)
    rows = int(offsets[-1])
    counts, unknown = parted(seen.counts)
    return Ingested(
        publications=StoredPublications(files, kept, holder),
        records={
            "read": rows + len(seen.refused),
            "loaded": rows,
            "refused": len(seen.refused),
            "publications": merged.publications,
        },
        rules=merged.counts,
        counts=counts,
        unknown_tags=unknown,
        other_languages=seen.other_languages,
        refused=seen.refused,
        cut_short=seen.cut_short,
        conflicts=sorted(conflicts_of(kept), key=itemgetter("id", "kind")),
    )


def cut(path: Path) -> list[Task]:
    """Cut a plain shard into ranges of bytes; packed shards and Parquet stay whole."""
    if path.suffix.lower() in (".gz", ".zst", ".parquet"):
        return [Task(path)]
    size = size_of(path)
    starts = range(0, max(size, 1), RANGE_BYTES)
    return [Task(path, start, min(start + RANGE_BYTES, size)) for start in starts]


def _read(
    tasks: Sequence[Task], rules: Rules, folder: Path, workers: int, engine: Engine
) -> list[Stored]:
    """Go through every part that was not gone through before."""
    folder.mkdir(parents=True, exist_ok=True)
    keys = [key_of(task, rules) for task in tasks]
    sizes = [size_of(task.path) if task.end is None else task.end - task.start for task in tasks]
    scanning = partial(scan_to_files, rules=rules, folder=folder)
    parts = list(zip(tasks, keys, strict=True))
    for _ in in_order(scanning, parts, workers, "reading", sizes, engine):
        pass
    return [Stored(folder, key) for key in keys]


def _names(paths: Sequence[Path]) -> dict[Path, str]:
    """Shards by their path below the folder they share."""
    if not paths:
        return {}
    folder = os.path.commonpath([path.parent for path in paths])
    return {path: printable(path.relative_to(folder).as_posix()) for path in paths}
