"""What Lance raises, as one line of ours: which table of which store, what broke, the way out."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from isogloss.errors import StoreError
from isogloss.files import one_line
from isogloss.retrieval.stored_tables import parse_table_name

SHOWN = 240
"""So much of Lance's own message is shown."""

_SOURCE_PLACE = re.compile(r",?\s*\S*\.rs:\d+(:\d+)?")
_STAGING = ".staging"
# What damaged files can end in within Lance; neither has a class that could be imported.
_PANICS = {"PanicException", "RustPanic"}
_WAYS_OUT = (
    (
        r"no space left|quota exceeded|file too large|os error (28|122|27)\b",
        "free space and run it again",
    ),
    (
        r"permission denied|os error 13\b|read-only file system|os error 30\b",
        "get the right to read and write there and run it again",
    ),
    (r"too many open files|os error 24\b", "raise the limit (ulimit -n) and run it again"),
    (r"commit conflict|concurrent", "another writer was at work: run it again"),
)


@contextmanager
def store_faults(uri: str, table: str | None = None, model: str | None = None) -> Iterator[None]:
    """Turn what Lance and Arrow raise within the block into a StoreError.

    Our own errors pass as they are, and so does an interrupt.

    Args:
        uri: The store.
        table: What is read or written; None where the store as a whole is.
        model: The key of the model whose table it is, where it is known.

    Raises:
        StoreError: One line that names table and store, and says what to do.
    """
    try:
        yield
    except (RuntimeError, OSError, ValueError, pa.ArrowException) as error:
        raise StoreError(fault(uri, table, model, error)) from error
    except BaseException as error:
        if type(error).__name__ not in _PANICS:
            raise
        raise StoreError(fault(uri, table, model, error)) from error


def fault(uri: str, table: str | None, model: str | None, error: BaseException) -> str:
    """The line for an exception of Lance, without the places in its sources."""
    message = _SOURCE_PLACE.sub("", one_line(error)).removeprefix("lance error: ").strip()
    where = uri if table is None else f"{uri}: table {table}"
    for pattern, advice in _WAYS_OUT:
        if re.search(pattern, message, re.IGNORECASE):
            return f"{where}: {message[:SHOWN]}; {advice}"
    return f"{where}: {message[:SHOWN]}; {way_out(uri, table, model)}"


def way_out(uri: str, table: str | None, model: str | None) -> str:
    """What to do about a table that cannot be used: nothing in it cannot be computed again."""
    if table is None:
        return "check that lancedb.uri of params.yaml names a folder or a store you can reach"
    parsed = parse_table_name(table.removesuffix(_STAGING))
    benchmark = "its benchmark" if parsed is None else parsed.benchmark
    if model is not None:
        again = f"isogloss embed {benchmark} {model}"
    elif parsed is not None:
        again = f"isogloss embed {benchmark} with the model of release {parsed.release}"
    else:
        again = "isogloss embed again"
    return f"if it is damaged, delete {uri.rstrip('/')}/{table}.lance and run {again}"
