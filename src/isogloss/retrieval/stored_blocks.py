"""A table's vectors as they pass by in blocks, for pools that need not fit into memory."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from isogloss.errors import StoreError
from isogloss.retrieval.block_search import Places
from isogloss.retrieval.nearest import FloatMatrix
from isogloss.retrieval.table_reading import read_rows

BLOCK_BYTES = 128 << 20
"""Vectors held at a time: few enough for any machine, enough for a search to be worth its start."""


class StoredBlocks:
    """One tagged version of a table; a pass reads it from the disk anew.

    Attributes:
        name: Of the table.
        count: Rows that are read.
        dimension: Of the vectors.
    """

    def __init__(
        self, table: Any, places: Places, block_bytes: int = BLOCK_BYTES, start: int | None = None
    ) -> None:
        """Look at a table.

        Args:
            table: A table of LanceDB at a tag.
            places: The index, in id order, of the row read i-th.
            block_bytes: Vectors held at a time.
            start: The first row read, where as many rows as there are places are read; None = all.
        """
        self._table, self._places, self._start = table, places, start
        self.name: str = table.name
        self.count = len(places)
        self.dimension: int = table.schema.field("vector").type.list_size
        self._rows = max(1, min(self.count, block_bytes // (4 * self.dimension)))

    def __iter__(self) -> Iterator[tuple[Places, FloatMatrix]]:
        """Blocks: document indexes (n,), and their vectors float32 (n, dimension).

        The array of one block is used again for the next.

        Raises:
            StoreError: The table has more rows than places.
        """
        block = np.empty((self._rows, self.dimension), dtype=np.float32)
        start = filled = 0
        for vectors in self._batches():
            taken = 0
            while taken < len(vectors):
                part = vectors[taken : taken + self._rows - filled]
                block[filled : filled + len(part)] = part
                filled, taken = filled + len(part), taken + len(part)
                if filled == self._rows:
                    yield self._places[start : start + filled], block
                    start, filled = start + filled, 0
        if filled:
            yield self._places[start : start + filled], block[:filled]

    def _batches(self) -> Iterator[FloatMatrix]:
        read = 0
        scan = self._table.search().select(["vector"]).limit(None)
        if self._start is not None:
            scan = scan.offset(self._start).limit(self.count)
        for batch in scan.to_batches(batch_size=read_rows(self.dimension)):
            read += batch.num_rows
            if read > self.count:
                raise StoreError(f"table {self._table.name}: holds over {self.count} vectors")
            values = batch.column("vector").flatten().to_numpy(zero_copy_only=True)
            yield values.reshape(batch.num_rows, -1)
