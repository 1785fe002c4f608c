"""A staging table: what has been computed, on disk as it is computed, so that a kill costs little.

Rows are keyed by the hash of the text sent, so they can be used whichever id asks for that text.
"""

import time
from collections.abc import Callable, Iterable

import pyarrow as pa

from isogloss.errors import StoreError
from isogloss.retrieval.tables import Computed, Rows, TableSpec
from isogloss.retrieval.vectors import check_vectors

Embed = Callable[[Rows], Iterable[Computed]]
"""Turns rows into what is computed from them, in batches of any order and size."""

FLUSH_SECONDS = 5.0
FLUSH_ROWS = 4096


def stage(pending: Rows, embed: Embed, spec: TableSpec, append: Callable[[pa.Table], None]) -> int:
    """Compute rows and append them, in parts of a few seconds' work.

    Args:
        pending: One row a distinct text.
        embed: The encoder.
        spec: The table that is filled.
        append: Writes rows to the staging table.

    Returns:
        How many texts were computed.

    Raises:
        EncoderError: Vectors are bad; nothing of that batch is kept.
        StoreError: The encoder gave back other texts than it was sent, or not all.
    """
    names = dict(zip(pending.hashes, pending.ids, strict=True))
    waiting: list[pa.Table] = []
    last = time.monotonic()
    done = 0
    for computed in embed(pending):
        try:
            ids = [names.pop(text_hash) for text_hash in computed.hashes]
        except KeyError as error:
            raise StoreError(f"{spec.model}: gave back a text that was not sent to it") from error
        if spec.dimension is not None:
            if computed.vectors is None:
                raise StoreError(f"{spec.model}: gave no vectors for {len(ids)} texts")
            check_vectors(computed.vectors, ids, spec.dimension, spec.model)
        waiting.append(computed.table(spec))
        done += len(ids)
        full = sum(table.num_rows for table in waiting) >= FLUSH_ROWS
        if full or time.monotonic() - last >= FLUSH_SECONDS:
            append(pa.concat_tables(waiting))
            waiting, last = [], time.monotonic()
    if waiting:
        append(pa.concat_tables(waiting))
    if names:
        raise StoreError(
            f"{spec.model}: {len(names)} of {len(pending.ids)} texts came back without vectors, "
            f"{next(iter(names.values()))} among them"
        )
    return done


def without_vectors(pending: Rows) -> Iterable[Computed]:
    """What full-text tables compute: nothing."""
    if pending.ids:
        yield Computed(pending.hashes, [None] * len(pending.ids), None)
