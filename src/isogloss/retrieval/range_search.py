"""Exact search over ranges of a table's rows, each wherever an engine puts it, then one merge.

A range is ranked by exact scores, rounded, and so is the pool: what is among the first of the pool
is among the first of its range, and near ties need no second look across the borders.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from isogloss.engine import Engine
from isogloss.progress import track
from isogloss.retrieval.block_search import Places, search_blocks
from isogloss.retrieval.checked_blocks import CheckedBlocks, refuse_other_lengths
from isogloss.retrieval.nearest import FloatMatrix, Nearest, nearest_on
from isogloss.retrieval.ranking import Ranking, rank_candidates
from isogloss.retrieval.store import VectorStore
from isogloss.retrieval.stored_blocks import StoredBlocks
from isogloss.retrieval.table_reading import all_rows, id_places

RANGE_BYTES = 512 << 20
"""Vectors of one range at most; a worker reads a block of them at a time."""


class Table(NamedTuple):
    """One tagged table of a store, to be opened wherever it is read.

    Attributes:
        uri: The store.
        model: The key of the model, for what errors advise.
        name: The table.
        tag: The dataset version.
    """

    uri: str
    model: str
    name: str
    tag: str


class Range(NamedTuple):
    """Consecutive rows of a table.

    Attributes:
        start: The first row.
        places: The index, in id order, of each row's document.
    """

    start: int
    places: Places


class Found(NamedTuple):
    """What a range gave: its ranking, or indexes of documents whose vectors nobody wrote."""

    ranking: Ranking | None
    bad: Places


class _OtherLengthsError(Exception):
    """Vectors have not length 1; which ones is named by who knows the ids."""


class _RangeBlocks(CheckedBlocks):
    def _refuse(self, bad: Places) -> None:
        if len(bad):
            raise _OtherLengthsError(bad)


def search_ranges(
    engine: Engine,
    table: Table,
    queries: FloatMatrix,
    ids: Sequence[str],
    depth: int,
    block_bytes: int,
    range_bytes: int = RANGE_BYTES,
    device: str | None = "cpu",
) -> Ranking:
    """Rank all documents for every query by cosine, as `search_blocks` does.

    Args:
        engine: Searches the ranges; each worker must reach the store.
        table: The documents.
        queries: float32 (n_queries, dimension), L2-normalised.
        ids: Of all documents, in id order.
        depth: How many documents to keep per query.
        block_bytes: Vectors that a worker holds at a time.
        range_bytes: Vectors of one range at most.
        device: Where each worker finds candidates; None = an accelerator where it has one.

    Returns:
        The ranking, min(depth, n_documents) columns wide; its scores are exact and rounded to nine
        decimals, as run files hold them.

    Raises:
        StoreError: Queries and documents have different dimensions, or vectors cannot be read or
            have not length 1; they are named.
        UsageError: The engine cannot place work on that device.
        EncoderError: A worker has no such device.
    """
    store = VectorStore(table.uri, table.model)
    opened = store.at(table.name, table.tag)
    with store.faults(table.name):
        places = id_places(all_rows(opened, ["id"]).column("id").to_pylist())
        dimension: int = opened.schema.field("vector").type.list_size
    rows = max(1, min(-(-len(places) // engine.slots), range_bytes // (4 * dimension)))
    # Fewer rows than are kept would only make more to merge.
    rows = max(rows, min(depth, range_bytes // (4 * dimension)), 1)
    parts = [Range(at, places[at : at + rows]) for at in range(0, len(places), rows)]
    searching = partial(
        search_range, table=table, queries=queries, depth=depth, block_bytes=block_bytes
    )
    label = f"searching {table.name} in ranges"
    bad = [np.empty(0, dtype=np.intp)]
    merged = _nothing(len(queries))
    with engine.holding(partial(nearest_on, device), device) as held:
        for one in track(held.map(searching, parts, len(parts)), label, len(parts)):
            bad.append(one.bad)
            if one.ranking is not None:
                merged = merge_rankings([merged, one.ranking], depth)
    refuse_other_lengths(store, table.name, np.concatenate(bad), ids)
    return merged


def search_range(
    nearest: Nearest,
    part: Range,
    table: Table,
    queries: FloatMatrix,
    depth: int,
    block_bytes: int,
) -> Found:
    """Rank the documents of one range by what `nearest` finds; indexes are those of the pool."""
    store = VectorStore(table.uri, table.model)
    order = np.argsort(part.places)
    # Counted within the range, in id order, so that equal scores fall as they do in the pool.
    inside = np.empty(len(order), dtype=np.intp)
    inside[order] = np.arange(len(order))
    opened = store.at(table.name, table.tag)
    with store.faults(table.name):
        blocks = StoredBlocks(opened, inside, block_bytes, part.start)
    try:
        ranking = search_blocks(queries, _RangeBlocks(store, blocks, ()), depth, nearest=nearest)
    except _OtherLengthsError as error:
        return Found(None, part.places[order[error.args[0]]])
    documents = part.places[order][ranking.documents].astype(np.int32)
    return Found(Ranking(documents, ranking.scores), np.empty(0, dtype=np.intp))


def merge_rankings(rankings: Iterable[Ranking], depth: int) -> Ranking:
    """The first `depth` of several rankings of disjoint documents for the same queries.

    Args:
        rankings: Scores rounded as `rank_candidates` does, each ranking `depth` wide or whole.
        depth: How many documents to keep per query.
    """
    parts = list(rankings)
    documents = np.concatenate([one.documents for one in parts], axis=1)
    scores = np.concatenate([one.scores for one in parts], axis=1)
    return rank_candidates(documents, scores, depth)


def _nothing(n_queries: int) -> Ranking:
    return Ranking(np.empty((n_queries, 0), dtype=np.int32), np.empty((n_queries, 0)))
