"""One writer per table: a second one says so and waits."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from isogloss.progress import note


@contextmanager
def one_writer(folder: Path | None, table: str) -> Iterator[None]:
    """Hold a table's lock; the system lets go of it when the process ends, however it ends.

    Args:
        folder: The store's folder; None for an object store, which has no file locks: there
            Lance's own commits guard, and the count of rows after each of them.
        table: What is written.
    """
    if folder is None:
        yield
        return
    locks = folder / ".locks"
    locks.mkdir(exist_ok=True)
    lock = FileLock(locks / f"{table}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        note(f"table {table}: another process is writing it; waiting for it")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()
