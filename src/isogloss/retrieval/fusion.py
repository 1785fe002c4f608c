"""Several rankings of the same queries joined into one, exactly over all that they hold."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from isogloss.errors import DataError
from isogloss.retrieval.derived import RRF_K
from isogloss.retrieval.ranking import DEPTH, Ranking, rank_candidates

Floats = npt.NDArray[np.float64]


def reciprocal_rank_fusion(
    rankings: Sequence[Ranking],
    weights: Sequence[float] | None = None,
    k: int = RRF_K,
    depth: int = DEPTH,
) -> Ranking:
    """Reciprocal rank fusion (Cormack, Clarke and Buettcher, 2009), weighted.

    A document gets weight / (k + rank) from each list that holds it, and nothing from the others.

    Args:
        rankings: Of the same queries over the same documents; rows may end in padding.
        weights: One a ranking; 1 where none are given.
        k: Dampens the first ranks.
        depth: How many documents to keep per query.

    Raises:
        DataError: The rankings have different numbers of queries, or there is none.
    """

    def values(ranking: Ranking) -> Floats:
        ranks = np.arange(1, ranking.documents.shape[1] + 1, dtype=np.float64)
        return np.broadcast_to(1.0 / (k + ranks), ranking.documents.shape)

    return _add([(ranking, values(ranking)) for ranking in rankings], weights, depth)


def min_max_fusion(
    rankings: Sequence[Ranking], weights: Sequence[float] | None = None, depth: int = DEPTH
) -> Ranking:
    """Weighted sum of scores, rescaled per query and list so that the best is 1 and the last 0.

    A list whose scores are all equal gives 1 to each of its documents; a document that a list does
    not hold gets 0 from it (our reading).

    Args:
        rankings: As above.
        weights: One a ranking; 1 where none are given.
        depth: How many documents to keep per query.

    Raises:
        DataError: The rankings have different numbers of queries, or there is none.
    """
    return _add([(ranking, _rescaled(ranking)) for ranking in rankings], weights, depth)


def best_score_fusion(rankings: Sequence[Ranking], depth: int = DEPTH) -> Ranking:
    """Each document with the best score that any list gives it.

    Raises:
        DataError: The rankings have different numbers of queries, or there is none.
    """
    _check(rankings)
    documents = np.concatenate([ranking.documents for ranking in rankings], axis=1)
    scores = np.concatenate([ranking.scores for ranking in rankings], axis=1)
    # By document, its best score first; what repeats a document after that is left out.
    order = np.lexsort((-scores, documents), axis=1)
    documents = np.take_along_axis(documents, order, axis=1).copy()
    scores = np.take_along_axis(scores, order, axis=1)
    repeats = np.zeros(documents.shape, dtype=bool)
    repeats[:, 1:] = documents[:, 1:] == documents[:, :-1]
    documents[repeats] = -1
    return rank_candidates(documents, scores, depth)


def _rescaled(ranking: Ranking) -> Floats:
    held = ranking.documents >= 0
    best = np.where(held, ranking.scores, -np.inf).max(axis=1, initial=-np.inf, keepdims=True)
    last = np.where(held, ranking.scores, np.inf).min(axis=1, initial=np.inf, keepdims=True)
    span = best - last
    values = np.ones(ranking.documents.shape)
    np.divide(ranking.scores - last, span, out=values, where=held & (span > 0))
    return values


def _check(rankings: Sequence[Ranking]) -> None:
    if len({len(ranking.documents) for ranking in rankings}) != 1:
        found = ", ".join(str(len(ranking.documents)) for ranking in rankings) or "none"
        raise DataError(f"rankings to be joined are of different queries: {found} of them")


def _add(
    given: Sequence[tuple[Ranking, Floats]], weights: Sequence[float] | None, depth: int
) -> Ranking:
    """Add up weighted values by document, in the order of the rankings."""
    rankings = [ranking for ranking, _ in given]
    _check(rankings)
    weights = [1.0] * len(given) if weights is None else weights
    found = np.concatenate([ranking.documents for ranking in rankings], axis=1)
    values = np.concatenate(
        [weight * value for (_, value), weight in zip(given, weights, strict=True)], axis=1
    )
    documents = np.full(found.shape, -1, dtype=np.int32)
    scores = np.zeros(found.shape)
    for row in range(len(found)):
        held = found[row] >= 0
        members, places = np.unique(found[row, held], return_inverse=True)
        documents[row, : len(members)] = members
        scores[row, : len(members)] = np.bincount(
            places, weights=values[row, held], minlength=len(members)
        )
    return rank_candidates(documents, scores, depth)
