"""New and changed rows on their way into a table, in portions, so that memory stays bounded.

A run killed between two portions leaves a version without a tag, which is never read; the next run
finds what lies there by its hash and goes on behind it.
"""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from isogloss.retrieval.table_reading import all_rows, any_of
from isogloss.retrieval.tables import Rows, TableSpec

MERGE_BYTES = 128 << 20
"""Texts and vectors written at a time; Lance and Arrow hold a few copies of them."""

NAMED_AT_ONCE = 10_000
"""Ids and hashes in one condition, which is parsed as text."""


def portions(rows: Rows, spec: TableSpec) -> Iterator[Rows]:
    """Rows in order, about `MERGE_BYTES` at a time."""
    width = 4 * (spec.dimension or 0)
    start = held = 0
    for at, text in enumerate(rows.texts):
        # Hash and id are some hundred bytes more; a character is one byte to four.
        held += width + 2 * len(text) + 200
        if held >= MERGE_BYTES:
            yield rows.take(range(start, at + 1))
            start, held = at + 1, 0
    if start < len(rows.ids):
        yield rows.take(range(start, len(rows.ids)))


class Source:
    """What was computed for texts: what is staged, and what the table held before the merge."""

    def __init__(self, spec: TableSpec, staging: Any, table: Any) -> None:
        """Look where each text lies.

        Args:
            spec: The table to be filled.
            staging: The staging table, or None.
            table: The table as it is, or None; checked out, so that no merge changes it.
        """
        self._spec = spec
        self._staging, self._table = staging, table
        self._staged: dict[str, int] = {}
        if staging is not None:
            hashes = all_rows(staging, ["hash"]).column("hash").to_pylist()
            self._staged = {text_hash: offset for offset, text_hash in enumerate(hashes)}
        self._held = None if table is None else all_rows(table, ["hash"]).column("hash")

    def of(self, rows: Rows) -> pa.Table:
        """The columns of some rows, in their order.

        Raises:
            KeyError: A text was neither staged nor in the table.
        """
        names = self._spec.staging_schema.names
        staged = sorted({self._staged[key] for key in rows.hashes if key in self._staged})
        parts = []
        if staged:
            parts.append(self._staging.take_offsets(staged).select(names).to_arrow())
        if self._held is not None:
            wanted = pa.array(sorted(set(rows.hashes) - self._staged.keys()), pa.string())
            shared = pc.unique(self._held.filter(pc.is_in(self._held, wanted))).to_pylist()
            for start in range(0, len(shared), NAMED_AT_ONCE):
                some = any_of("hash", shared[start : start + NAMED_AT_ONCE])
                parts.append(all_rows(self._table, names, some))
        computed = pa.concat_tables([part.cast(self._spec.staging_schema) for part in parts])
        places = {key: at for at, key in enumerate(computed.column("hash").to_pylist())}
        taken = computed.take(pa.array([places[key] for key in rows.hashes]))
        columns = {"id": pa.array(rows.ids), "text": pa.array(rows.texts)}
        columns |= {name: taken.column(name) for name in names}
        schema = self._spec.schema
        return pa.table([columns[name] for name in schema.names], schema=schema)


def merge(table: Any, content: pa.Table, deleted: list[str]) -> None:
    """Write one portion: ids the table knows are changed, others added; remove rows with it.

    Args:
        table: What is written to.
        content: The portion, its ids distinct.
        deleted: Ids to be removed in the same step.
    """
    writing = table.merge_insert("id").when_matched_update_all(where="target.hash != source.hash")
    writing = writing.when_not_matched_insert_all()
    if deleted:
        writing = writing.when_not_matched_by_source_delete(any_of("id", deleted))
    writing.execute(content, on_bad_vectors="error")


def delete(table: Any, ids: list[str]) -> None:
    """Remove rows by id."""
    for start in range(0, len(ids), NAMED_AT_ONCE):
        table.delete(any_of("id", ids[start : start + NAMED_AT_ONCE]))
