"""Approximate search: only the lists nearest to a query are looked through (an IVF index).

What is found there is scored and ordered as exact search orders it, so all that is lost are the
documents of the lists that were not looked at.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from isogloss.retrieval.inverted_lists import InvertedLists, Members
from isogloss.retrieval.nearest import FloatMatrix
from isogloss.retrieval.ranking import DEPTH, Ranking, rank_candidates
from isogloss.retrieval.search import CLOSE, MARGIN, exact_scores, pair_scores, search


@dataclass(frozen=True)
class Level:
    """What probing so many lists gives.

    Attributes:
        probes: Lists looked through for a query; all of them where there are fewer.
        ranking: Rows end in padding where the lists hold fewer documents than are ranked; scores
            are exact and rounded to nine decimals, as run files hold them.
        compared: int (n_queries,) documents in those lists.
    """

    probes: int
    ranking: Ranking
    compared: npt.NDArray[np.int64]


class ListIndex:
    """faiss's IVF index over lists that are parted already."""

    def __init__(self, documents: FloatMatrix, lists: InvertedLists) -> None:
        """Lay the vectors out by list; they are held a second time.

        Args:
            documents: float32 (n_documents, dimension), L2-normalised, in id order.
            lists: Of the same documents.
        """
        import faiss

        self._documents, self._lists = documents, lists
        dimension, count = documents.shape[1], len(lists.centroids)
        # The index asks its quantizer nothing: which lists a vector belongs to is given to it.
        self._quantizer = faiss.IndexFlatIP(dimension)
        self._quantizer.add(lists.centroids)
        # Its stubs show the signatures of C++, which take pointers.
        self._index: Any = faiss.IndexIVFFlat(
            self._quantizer, dimension, count, faiss.METRIC_INNER_PRODUCT
        )
        self._index.is_trained = True
        for number in range(count):
            members = lists.members(number).astype(np.int64)
            # Named, because a pointer keeps no array alive.
            vectors, own = documents[members], np.full(len(members), number, dtype=np.int64)
            self._index.add_core(
                len(members), faiss.swig_ptr(vectors), faiss.swig_ptr(members), faiss.swig_ptr(own)
            )

    def search(
        self, queries: FloatMatrix, probes: int, depth: int = DEPTH, *, margin: int = MARGIN
    ) -> Level:
        """Rank the documents of the nearest lists for every query by cosine.

        Args:
            queries: float32 (n_queries, dimension), L2-normalised.
            probes: Lists to look through; the nearest by exact cosine of their centroids.
            depth: How many documents to keep per query.
            margin: Candidates fetched beyond the depth; changes speed only.

        Returns:
            Its ranking is min(depth, n_documents) columns wide, and that of exact search where all
            lists are probed.

        Raises:
            StoreError: Queries and documents have different dimensions.
        """
        probed = search(queries, self._lists.centroids, probes)
        width = min(depth, len(self._documents))
        wanted = min(width + margin, len(self._documents))
        self._index.nprobe = probed.documents.shape[1]
        scores, found = self._index.search_preassigned(
            np.ascontiguousarray(queries),
            wanted,
            probed.documents.astype(np.int64),
            probed.scores.astype(np.float32),
        )
        exact = exact_scores(Ranking(found, scores), queries, self._documents)
        ranking = rank_candidates(found, exact, width)
        compared = self._lists.sizes[probed.documents].sum(axis=1, dtype=np.int64)
        # A chain of near-equal scores that crosses the cut and runs past the candidates may go on
        # beyond them: then every document of the lists is scored.
        near = scores[:, :-1] - scores[:, 1:] < CLOSE
        unsure = (compared > wanted) & near[:, width - 1 :].all(axis=1)
        for row in np.flatnonzero(unsure).tolist():
            members = np.concatenate(
                [self._lists.members(number) for number in probed.documents[row].tolist()]
            )
            settled = self._all_of(queries[row : row + 1], members, width)
            ranking.documents[row] = settled.documents[0]
            ranking.scores[row] = settled.scores[0]
        return Level(probes, ranking, compared)

    def _all_of(self, query: FloatMatrix, members: Members, width: int) -> Ranking:
        rows = np.zeros(len(members), dtype=np.intp)
        exact = pair_scores(query, self._documents, rows, members)
        return rank_candidates(members[None, :], exact[None, :], width)
