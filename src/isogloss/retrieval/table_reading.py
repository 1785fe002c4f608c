"""Reading rows of a Lance table: all of them, and never ten by default."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from isogloss.errors import StoreError

READ_BYTES = 12 << 20
"""Vectors decoded at a time while the ones before are put into their places.

Larger blocks are new memory each time, smaller ones are given back between two: either way the
system clears pages again and again, and the reading takes up to twice as long.
"""


def read_rows(dimension: int) -> int:
    """How many vectors are decoded at a time."""
    return max(1, READ_BYTES // (4 * dimension))


def all_rows(table: Any, columns: list[str], where: str | None = None) -> pa.Table:
    """Some columns of every row, or of every row that meets a condition.

    Raises:
        StoreError: Rows are missing from what was read.
    """
    # A search without a word on its limit gives ten rows; None is the word for all of them.
    query = table.search().select(columns).limit(None)
    content = (query if where is None else query.where(where)).to_arrow()
    if where is None and content.num_rows != table.count_rows():
        raise StoreError(
            f"table {table.name}: {content.num_rows} of {table.count_rows()} rows read"
        )
    return content


def id_places(ids: list[str]) -> npt.NDArray[np.intp]:
    """For the row read i-th, the index of its id among all of them, sorted."""
    places = np.arange(len(ids))
    # Rows that a merge changed or added stand behind the others.
    order = np.argsort(np.array(ids, dtype=object), kind="stable")
    places[order] = np.arange(len(ids))
    return places


def vector_matrix(table: Any, places: npt.NDArray[np.intp]) -> npt.NDArray[np.float32]:
    """The vectors as float32 (n, dimension), the row read i-th in row places[i].

    Each batch is looked at without a copy and copied once, into its place, while the next one is
    being decoded: half the time and memory of collecting them all first.
    """
    dimension: int = table.schema.field("vector").type.list_size
    out = np.empty((len(places), dimension), dtype=np.float32)
    ordered = bool((places[:-1] < places[1:]).all())
    at = 0
    scan = table.search().select(["vector"]).limit(None)
    for batch in scan.to_batches(batch_size=read_rows(dimension)):
        rows = slice(at, at + batch.num_rows)
        values = batch.column("vector").flatten().to_numpy(zero_copy_only=True)
        out[rows if ordered else places[rows]] = values.reshape(batch.num_rows, -1)
        at += batch.num_rows
    if at != len(places):
        raise StoreError(f"table {table.name}: {at} of {len(places)} vectors read")
    return out


def id_hashes(table: Any) -> dict[str, str]:
    """The hash of the text sent, by id."""
    content = all_rows(table, ["id", "hash"])
    return dict(
        zip(content.column("id").to_pylist(), content.column("hash").to_pylist(), strict=True)
    )


def any_of(column: str, values: list[str]) -> str:
    """The condition that a column holds one of some strings, quoted."""
    quoted = ",".join("'" + value.replace("'", "''") + "'" for value in values)
    return f"{column} IN ({quoted})"
