"""Work spread over processes, results in the order of the work."""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

from isogloss.progress import track, track_bytes

Work = TypeVar("Work")
Result = TypeVar("Result")

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
) -> Iterator[Result]:
    """Yield ``function(item)`` for each item, in order, while showing progress.

    Args:
        function: Importable by a fresh process, as its argument and result must be.
        work: What to do.
        workers: Processes; 1 = in this one.
        label: What is being done.
        sizes: Bytes of each item, where progress is to be told in bytes.
    """
    if workers <= 1 or len(work) <= 1:
        yield from _tracked(map(function, work), label, len(work), sizes)
        return
    # Fresh processes inherit no threads and no locks, on every platform.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(work)), mp_context=context) as pool:
        yield from _tracked(pool.map(function, work), label, len(work), sizes)


def _tracked(
    results: Iterator[Result], label: str, count: int, sizes: Sequence[int] | None
) -> Iterator[Result]:
    if sizes is None:
        return track(results, label, total=count)
    return track_bytes(results, label, sizes)
