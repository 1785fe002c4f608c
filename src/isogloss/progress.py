"""Progress of long work: a bar on a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from isogloss.foreign_text import message_line

T = TypeVar("T")

PLAIN_INTERVAL_SECONDS = 10.0


def note(line: str) -> None:
    """Print one line of progress to standard error, where it never mixes with results."""
    print(message_line(line), file=sys.stderr, flush=True)


def track(items: Iterable[T], label: str, total: int | None = None) -> Iterator[T]:
    """Yield the items while showing how many are done.

    Args:
        items: What to go through.
        label: What is being done, in the present tense.
        total: How many there are, where that is known.

    Yields:
        Each item, unchanged.
    """
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import track as rich_track

        yield from rich_track(
            items, description=label, total=total, console=Console(stderr=True), transient=True
        )
        return
    of_total = "" if total is None else f" of {total}"
    last = time.monotonic()
    for done, item in enumerate(items):
        now = time.monotonic()
        if now - last >= PLAIN_INTERVAL_SECONDS:
            note(f"{label}: {done}{of_total}")
            last = now
        yield item


def track_bytes(items: Iterable[T], label: str, sizes: Sequence[int]) -> Iterator[T]:
    """Yield the items while showing how many of their bytes are done.

    Args:
        items: What to go through.
        label: What is being done, in the present tense.
        sizes: Bytes of each item.
    """
    total, done = sum(sizes), 0
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        columns = (TextColumn(label), BarColumn(), DownloadColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(label, total=total)
            for item, size in zip(items, sizes, strict=True):
                bar.advance(task, size)
                yield item
        return
    last = time.monotonic()
    for item, size in zip(items, sizes, strict=True):
        done += size
        now = time.monotonic()
        if now - last >= PLAIN_INTERVAL_SECONDS:
            note(f"{label}: {done / 1e6:,.0f} of {total / 1e6:,.0f} MB")
            last = now
        yield item


def counted(count: int, thing: str) -> str:
    """A count with its noun, ``1 fault`` or ``2 faults``."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
