"""Exact cosine search over a whole pool: float32 finds the candidates, float64 settles the order.

Float32 libraries disagree on the order of documents whose cosines lie within their rounding error,
and with it on which document is tenth. The order here is that of the float64 cosine rounded to nine
decimals, then of the document index; it does not depend on block sizes, threads or storage order.
"""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from isogloss.errors import StoreError
from isogloss.retrieval.nearest import FloatMatrix, Nearest, by_faiss
from isogloss.retrieval.ranking import DECIMALS, DEPTH, Ranking

CLOSE = 1e-6
"""Neighbours closer than this are ordered by their float64 scores."""

MARGIN = 64
"""Candidates beyond the depth, so that a tie across the cut is usually seen whole."""

THREADS = min(8, os.cpu_count() or 1)

PAIRS_AT_ONCE = 1024
"""Pairs rescored at a time: threads seldom meet over the interpreter, and memory stays bounded."""


def search(
    queries: FloatMatrix,
    documents: FloatMatrix,
    depth: int = DEPTH,
    *,
    margin: int = MARGIN,
    block: int = 2048,
    nearest: Nearest = by_faiss,
) -> Ranking:
    """Rank all documents for every query by cosine (ChemCLIR-Bench section 3; ties: our reading).

    Args:
        queries: float32 (n_queries, dimension), L2-normalised.
        documents: float32 (n_documents, dimension), L2-normalised, in id order.
        depth: How many documents to keep per query.
        margin: Candidates fetched beyond the depth; changes speed only.
        block: Queries searched at a time; bounds memory and changes nothing else.
        nearest: Finds the candidates, wherever it does.

    Returns:
        The ranking, min(depth, n_documents) columns wide. Its order is exact; its scores are
        float32 where no neighbour is near, so what is written comes from `exact_scores`.

    Raises:
        StoreError: Queries and documents have different dimensions.
    """
    if queries.ndim != 2 or documents.ndim != 2 or queries.shape[1] != documents.shape[1]:
        raise StoreError(
            f"query vectors are {queries.shape} and document vectors {documents.shape}: "
            "they are not of one model; embed the benchmark again"
        )
    width = min(depth, len(documents))
    ranked = np.empty((len(queries), width), dtype=np.int32)
    scores = np.empty((len(queries), width), dtype=np.float64)
    for start in range(0, len(queries), block):
        rows = slice(start, start + block)
        found = _search_block(queries[rows], documents, width, margin, nearest)
        ranked[rows], scores[rows] = found.documents, found.scores
    return Ranking(ranked, scores)


def exact_scores(
    ranking: Ranking, queries: FloatMatrix, documents: FloatMatrix
) -> npt.NDArray[np.float64]:
    """Score every ranked pair in float64, rounded to nine decimals, as run files hold it.

    Returns:
        float64 of the ranking's shape, -inf where the ranking is padded.
    """
    rows, columns = np.nonzero(ranking.documents >= 0)
    scores = np.full(ranking.documents.shape, -np.inf)
    scores[rows, columns] = pair_scores(queries, documents, rows, ranking.documents[rows, columns])
    return scores


def pair_scores(
    queries: FloatMatrix,
    documents: FloatMatrix,
    query_rows: npt.NDArray[np.integer],
    document_rows: npt.NDArray[np.integer],
) -> npt.NDArray[np.float64]:
    """Dot products of stored float32 vectors in float64, rounded to nine decimals.

    A product of two float32 numbers is exact in float64, and numpy adds a contiguous row pairwise
    in a fixed order, so a score depends on the pair alone and never on its neighbours.
    """
    scores = np.empty(len(query_rows), dtype=np.float64)
    # Queries are few: widened once instead of once a pair.
    wide = queries.astype(np.float64)

    starts = range(0, len(query_rows), PAIRS_AT_ONCE)
    threads = min(THREADS, max(1, len(starts)))

    def score(share: int) -> None:
        # One room a thread for all its parts: memory made anew for each would cost a sixth more.
        left = np.empty((PAIRS_AT_ONCE, wide.shape[1]))
        right = np.empty(left.shape, dtype=documents.dtype)
        for start in starts[share::threads]:
            part = slice(start, start + PAIRS_AT_ONCE)
            rows = slice(len(query_rows[part]))
            # Every index is in bounds; "clip" lets numpy write to `out` without a copy.
            np.take(wide, query_rows[part], axis=0, out=left[rows], mode="clip")
            np.take(documents, document_rows[part], axis=0, out=right[rows], mode="clip")
            np.multiply(left[rows], right[rows], out=left[rows])
            left[rows].sum(axis=1, out=scores[part])

    # Numpy lets go of the interpreter for parts of this size, so threads share the work.
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(score, range(threads)))
    return np.round(scores, DECIMALS) + 0.0


def _search_block(
    queries: FloatMatrix, documents: FloatMatrix, width: int, margin: int, nearest: Nearest
) -> Ranking:
    wanted = min(width + margin, len(documents))
    scores, found = nearest(queries, documents, wanted)
    near = scores[:, :-1] - scores[:, 1:] < CLOSE
    exact = scores.astype(np.float64)
    _order_close(queries, documents, found, exact, near)
    ranked = Ranking(found[:, :width].astype(np.int32), exact[:, :width])
    # A chain of near-equal scores that crosses the cut and runs past the candidates may go on
    # beyond them: only the whole row says where it ends.
    if wanted < len(documents):
        for row in np.flatnonzero(near[:, width - 1 :].all(axis=1)):
            _search_row(queries[row], documents, width, ranked, row)
    return ranked


def _order_close(
    queries: FloatMatrix,
    documents: FloatMatrix,
    found: npt.NDArray[np.int64],
    scores: npt.NDArray[np.float64],
    near: npt.NDArray[np.bool_],
) -> None:
    """Reorder, in place, each chain of near-equal neighbours by exact score, then by index.

    A chain keeps the columns it holds, because everything outside lies at least `CLOSE` away.
    """
    chained = np.zeros(found.shape, dtype=bool)
    chained[:, 1:] |= near
    chained[:, :-1] |= near
    rows, columns = np.nonzero(chained)
    if not len(rows):
        return
    members = found[rows, columns]
    exact = pair_scores(queries, documents, rows, members)
    # A member opens a chain unless it is near the member in the column before it.
    opens = np.ones(len(rows), dtype=bool)
    linked = columns > 0
    opens[linked] = ~near[rows[linked], columns[linked] - 1]
    order = np.lexsort((members, -exact, np.cumsum(opens)))
    found[rows, columns] = members[order]
    scores[rows, columns] = exact[order]


def _search_row(
    query: npt.NDArray[np.float32],
    documents: FloatMatrix,
    width: int,
    ranked: Ranking,
    row: np.intp,
) -> None:
    scores = documents @ query
    descending = np.argsort(-scores, kind="stable")
    gaps = scores[descending[width - 1 : -1]] - scores[descending[width:]] >= CLOSE
    end = width + int(np.argmax(gaps)) if gaps.any() else len(documents)
    found = descending[None, :end]
    exact = scores[found].astype(np.float64)
    near = exact[:, :-1] - exact[:, 1:] < CLOSE
    _order_close(query[None, :], documents, found, exact, near)
    ranked.documents[row] = found[0, :width]
    ranked.scores[row] = exact[0, :width]
