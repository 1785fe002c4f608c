"""Work spread by an engine, results in the order of the work, while progress is shown."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from isogloss.engine import LOCAL, Engine, Result, Work
from isogloss.progress import track, track_bytes

MOST_WORKERS = 4


def default_workers() -> int:
    """One process per usable core, four at most."""
    usable = getattr(os, "sched_getaffinity", None)
    cores = len(usable(0)) if usable else os.cpu_count() or 1
    return max(1, min(MOST_WORKERS, cores))


def in_order(
    function: Callable[[Work], Result],
    work: Sequence[Work],
    workers: int,
    label: str,
    sizes: Sequence[int] | None = None,
    engine: Engine = LOCAL,
) -> Iterator[Result]:
    """Yield ``function(item)`` for each item, in order, while showing progress.

    Args:
        function: Importable by a fresh process, as its argument and result must be.
        work: What to do.
        workers: Processes at most, where the engine is this machine; 1 = in this one.
        label: What is being done.
        sizes: Bytes of each item, where progress is to be told in bytes.
        engine: Where the work is done.
    """
    results = engine.map(function, work, workers)
    if sizes is None:
        return track(results, label, total=len(work))
    return track_bytes(results, label, sizes)


def size_of(path: Path) -> int:
    """Bytes of a file; 0 where there is none to be read, which reading it will tell."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
