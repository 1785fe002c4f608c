"""Vectors that pass by in blocks are checked like those that are read whole."""

from collections.abc import Iterator, Sequence

import numpy as np

from isogloss.retrieval.block_search import Places
from isogloss.retrieval.nearest import FloatMatrix
from isogloss.retrieval.store import VectorStore
from isogloss.retrieval.stored_blocks import StoredBlocks
from isogloss.retrieval.vectors import name_some

UNIT_TOLERANCE = 1e-3
"""Every vector is stored at length 1 in float32; one that is further off was not written so."""


def far_from_unit(vectors: FloatMatrix) -> Places:
    """Rows whose length is not 1, NaN among them."""
    squares = np.einsum("ij,ij->i", vectors, vectors)
    return np.flatnonzero(~(np.abs(squares - 1) < UNIT_TOLERANCE))


def refuse_other_lengths(store: VectorStore, table: str, bad: Places, ids: Sequence[str]) -> None:
    """Say that a table holds vectors nobody wrote.

    Args:
        store: Its store.
        table: Its name.
        bad: Indexes into `ids` of vectors whose length is not 1.
        ids: Of every row, in id order.

    Raises:
        StoreError: There are such vectors; some are named.
    """
    if len(bad):
        named = name_some([ids[place] for place in sorted(bad.tolist())])
        raise store.damage(table, f"{len(bad)} vectors have not length 1 ({named})")


class CheckedBlocks:
    """The blocks of a table; what Lance cannot read and what has another length is a StoreError.

    Attributes:
        count: Rows.
        dimension: Of the vectors.
    """

    def __init__(self, store: VectorStore, blocks: StoredBlocks, ids: Sequence[str]) -> None:
        """Stand before a table's blocks.

        Args:
            store: What errors name.
            blocks: The table's vectors.
            ids: Of every row, in id order.
        """
        self._store, self._blocks, self._ids = store, blocks, ids
        self._checked = False
        self.count, self.dimension = blocks.count, blocks.dimension

    def __iter__(self) -> Iterator[tuple[Places, FloatMatrix]]:
        """Blocks: document indexes (n,), and their vectors float32 (n, dimension).

        Raises:
            StoreError: A block cannot be read; or, at the end of the first pass, vectors whose
                length is not 1.
        """
        passing = iter(self._blocks)
        bad = [np.empty(0, dtype=np.intp)]
        while True:
            # Only the reading stands in it: what a search raises is not the table's fault.
            with self._store.faults(self._blocks.name):
                block = next(passing, None)
            if block is None:
                break
            if not self._checked:
                bad.append(block[0][far_from_unit(block[1])])
            yield block
        self._refuse(np.concatenate(bad))
        self._checked = True

    def _refuse(self, bad: Places) -> None:
        refuse_other_lengths(self._store, self._blocks.name, bad, self._ids)
