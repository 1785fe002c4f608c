"""Exact search over a pool that need not fit into memory: its vectors pass by in blocks.

The order is that of `search`. One pass finds candidates in float32, a second one scores them in
float64; only where near-equal scores run across the cut and past the candidates does a third one
look at whole rows.
"""

from collections.abc import Iterator
from typing import Protocol

import numpy as np
import numpy.typing as npt

from isogloss.errors import StoreError
from isogloss.retrieval.nearest import FloatMatrix, Nearest, by_faiss
from isogloss.retrieval.ranking import DEPTH, Ranking, rank_candidates
from isogloss.retrieval.search import CLOSE, MARGIN, pair_scores

Places = npt.NDArray[np.intp]

ROW_BYTES = 1 << 26
"""Whole rows of scores held at a time, in the rare third pass."""


class Blocks(Protocol):
    """A pool's vectors, block by block; every pass gives the same blocks.

    Attributes:
        count: Documents in the pool.
        dimension: Of the vectors.
    """

    count: int
    dimension: int

    def __iter__(self) -> Iterator[tuple[Places, FloatMatrix]]:
        """Blocks: document indexes (n,), and their L2-normalised vectors float32 (n, dimension)."""
        ...


def search_blocks(
    queries: FloatMatrix,
    blocks: Blocks,
    depth: int = DEPTH,
    *,
    margin: int = MARGIN,
    nearest: Nearest = by_faiss,
) -> Ranking:
    """Rank all documents for every query by cosine (ChemCLIR-Bench section 3; ties: our reading).

    Memory is that of one block, of the candidates and of the queries.

    Args:
        queries: float32 (n_queries, dimension), L2-normalised.
        blocks: The documents' vectors.
        depth: How many documents to keep per query.
        margin: Candidates fetched beyond the depth; changes speed only.
        nearest: Finds the candidates, wherever it does.

    Returns:
        The ranking, min(depth, n_documents) columns wide; its scores are exact and rounded to nine
        decimals, as run files hold them.

    Raises:
        StoreError: Queries and documents have different dimensions, or the blocks hold another
            number of documents than they say.
    """
    if queries.ndim != 2 or queries.shape[1] != blocks.dimension:
        raise StoreError(
            f"query vectors are {queries.shape} and document vectors have dimension "
            f"{blocks.dimension}: they are not of one model; embed the benchmark again"
        )
    width = min(depth, blocks.count)
    scores, found = _candidates(queries, blocks, min(width + margin, blocks.count), nearest)
    near = scores[:, :-1] - scores[:, 1:] < CLOSE
    ranking = rank_candidates(found, _exact(queries, blocks, found), width)
    if found.shape[1] < blocks.count:
        unsure = np.flatnonzero(near[:, width - 1 :].all(axis=1))
        at_once = max(1, ROW_BYTES // (4 * blocks.count))
        for start in range(0, len(unsure), at_once):
            rows = unsure[start : start + at_once]
            settled = _whole_rows(queries[rows], blocks, width)
            ranking.documents[rows] = settled.documents
            ranking.scores[rows] = settled.scores
    return ranking


def _candidates(
    queries: FloatMatrix, blocks: Blocks, wanted: int, nearest: Nearest
) -> tuple[FloatMatrix, npt.NDArray[np.int64]]:
    import faiss

    best = faiss.ResultHeap(len(queries), wanted, keep_max=True)
    seen = 0
    for places, vectors in blocks:
        seen += len(places)
        scores, found = nearest(queries, vectors, min(wanted, len(places)))
        best.add_result(scores, places[found])
    if seen != blocks.count:
        raise StoreError(f"{seen} of {blocks.count} vectors read; embed the benchmark again")
    best.finalize()
    return best.D, best.I


def _exact(
    queries: FloatMatrix, blocks: Blocks, found: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """The float64 score of every candidate; -1 in `found` stays -inf."""
    exact = np.full(found.shape, -np.inf)
    row_of = np.full(blocks.count, -1, dtype=np.int64)
    for places, vectors in blocks:
        row_of[places] = np.arange(len(places))
        local = np.where(found >= 0, row_of[found], -1)
        rows, columns = np.nonzero(local >= 0)
        exact[rows, columns] = pair_scores(queries, vectors, rows, local[rows, columns])
        row_of[places] = -1
    return exact


def _whole_rows(queries: FloatMatrix, blocks: Blocks, width: int) -> Ranking:
    """Rank with every document that lies near the cut, however many they are."""
    scores = np.empty((len(queries), blocks.count), dtype=np.float32)
    for places, vectors in blocks:
        scores[:, places] = queries @ vectors.T
    ends = [_chain_end(row, width) for row in scores]
    found = np.full((len(queries), max(len(end) for end in ends)), -1, dtype=np.int64)
    for row, documents in enumerate(ends):
        found[row, : len(documents)] = documents
    return rank_candidates(found, _exact(queries, blocks, found), width)


def _chain_end(scores: npt.NDArray[np.float32], width: int) -> npt.NDArray[np.intp]:
    """The first `width` documents and all that follow them without a gap."""
    descending = np.argsort(-scores, kind="stable")
    gaps = scores[descending[width - 1 : -1]] - scores[descending[width:]] >= CLOSE
    return descending[: width + int(np.argmax(gaps)) if gaps.any() else len(scores)]
