"""Documents parted among lists by spherical k-means, the same on every machine.

Which centroid is nearest is settled by `search`, so it depends on no library's rounding, block size
or number of threads; means are added up in float64, row by row.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from isogloss.retrieval.nearest import FloatMatrix
from isogloss.retrieval.search import search

Members = npt.NDArray[np.intp]

TRAINING_DOCUMENTS = 256
"""So many documents a list are looked at to find the centroids, as faiss does."""

ROUNDS = 10
"""Of k-means, as faiss does for such an index; it ends before where nothing moves."""

NEAR = 4
"""Centroids beyond the nearest that float32 picks out for float64; changes speed only."""

VANISHED = 1e-6
"""A list whose vectors point everywhere has no direction: it keeps the centroid it had."""


@dataclass(frozen=True)
class InvertedLists:
    """A pool in lists.

    Attributes:
        centroids: float32 (n_lists, dimension), L2-normalised.
        documents: (n_documents,) document indexes, list by list, ascending within each.
        starts: (n_lists + 1,) where each list begins in `documents`, and where the last one ends.
    """

    centroids: FloatMatrix
    documents: Members
    starts: Members

    @property
    def sizes(self) -> Members:
        """Documents of each list, (n_lists,); none is empty."""
        return np.diff(self.starts)

    def members(self, number: int) -> Members:
        """The documents of one list."""
        return self.documents[self.starts[number] : self.starts[number + 1]]


def part(vectors: FloatMatrix, lists: int, seed: int) -> InvertedLists:
    """Part documents among lists, each under its nearest centroid.

    Centroids are fitted to at most `TRAINING_DOCUMENTS` documents a list, drawn by the seed. A list
    that no document falls into, as where there are fewer distinct vectors, is left out.

    Args:
        vectors: float32 (n_documents, dimension), L2-normalised.
        lists: How many; at most n_documents.
        seed: The same seed gives the same bytes.
    """
    rng = np.random.default_rng(seed)
    size = min(len(vectors), TRAINING_DOCUMENTS * lists)
    training = vectors[np.sort(rng.choice(len(vectors), size, replace=False))]
    # They start as distinct documents: of equal centroids only the first is ever nearest.
    drawn: dict[bytes, int] = {}
    for row in rng.permutation(size).tolist():
        if len(drawn) < lists:
            drawn.setdefault(training[row].tobytes(), row)
    centroids = training[sorted(drawn.values())]
    for _ in range(ROUNDS):
        moved = _means(training, _nearest(training, centroids), centroids)
        if np.array_equal(moved, centroids):
            break
        centroids = moved
    filled, number = np.unique(_nearest(vectors, centroids), return_inverse=True)
    return InvertedLists(
        centroids=np.ascontiguousarray(centroids[filled]),
        documents=np.argsort(number, kind="stable"),
        starts=np.concatenate([[0], np.cumsum(np.bincount(number))]).astype(np.intp),
    )


def _nearest(vectors: FloatMatrix, centroids: FloatMatrix) -> npt.NDArray[np.int32]:
    """The nearest centroid of each vector, of equally near ones the first."""
    return search(vectors, centroids, 1, margin=NEAR).documents[:, 0]


def _means(
    vectors: FloatMatrix, nearest: npt.NDArray[np.int32], centroids: FloatMatrix
) -> FloatMatrix:
    """The mean direction of each list that is not empty."""
    filled, number = np.unique(nearest, return_inverse=True)
    moved = centroids[filled]
    order, ends = np.argsort(number, kind="stable"), np.cumsum(np.bincount(number))
    for place, members in enumerate(np.split(order, ends[:-1])):
        total = vectors[members].astype(np.float64).sum(axis=0)
        length = np.sqrt((total * total).sum())
        if length > VANISHED:
            moved[place] = total / length
    return moved
