"""A ranking: what every retriever returns and every metric reads."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from isogloss.errors import DataError

DEPTH = 1000
"""How many documents of a query are ranked; what lies deeper is a miss."""

DECIMALS = 9
"""Scores are rounded to so many decimals before they are ordered and written."""


@dataclass(frozen=True)
class Ranking:
    """The top documents of every query, best first; the first column is rank 1.

    Attributes:
        documents: int32 (n_queries, depth) indexes into the benchmark's documents, padded with -1.
        scores: float64 (n_queries, depth), padded with -inf.
    """

    documents: npt.NDArray[np.int32]
    scores: npt.NDArray[np.float64]

    def tied(self) -> int:
        """Queries for which documents have equal scores."""
        left, right = self.scores[:, :-1], self.scores[:, 1:]
        return int(((left == right) & np.isfinite(right)).any(axis=1).sum())


def rank_candidates(
    documents: npt.NDArray[np.integer],
    scores: npt.NDArray[np.floating],
    depth: int = DEPTH,
) -> Ranking:
    """Order candidates by score, rounded to nine decimals, descending, then document id ascending.

    Document indexes follow the ids as text, so comparing indexes breaks ties as ids would (our
    reading: the paper names no order among equal scores).

    Args:
        documents: (n_queries, n_candidates) document indexes, distinct within a row; -1 pads.
        scores: (n_queries, n_candidates) the candidates' scores; those of padding are ignored.
        depth: How many to keep.

    Returns:
        The ranking, at most `depth` columns wide.

    Raises:
        DataError: A score is NaN or infinite.
    """
    present = documents >= 0
    # Adding zero turns -0.0 into 0.0, which would otherwise be written as another text.
    rounded = np.asarray(np.round(scores, DECIMALS) + 0.0, dtype=np.float64)
    if not np.isfinite(rounded[present]).all():
        row = int(np.argwhere(~np.isfinite(rounded) & present)[0, 0])
        raise DataError(f"query {row}: a score is not finite, so it has no place in an order")
    rounded[~present] = -np.inf
    order = np.lexsort((documents, -rounded), axis=1)[:, :depth]
    return Ranking(
        documents=np.take_along_axis(documents, order, axis=1).astype(np.int32),
        scores=np.take_along_axis(rounded, order, axis=1),
    )
