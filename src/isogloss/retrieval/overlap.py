"""How far two rankings of the same queries agree: overlap at k and rank-biased overlap."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from isogloss.retrieval.ranking import Ranking

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

CELLS_AT_ONCE = 4_000_000
"""Rank look-ups held in memory at a time: queries of a block times documents."""


@dataclass(frozen=True)
class Agreement:
    """Two rankings laid over each other.

    Attributes:
        shared: int64 (n_queries, depth): documents that both have ranked by each depth.
        before: int64 (n_queries,) documents the first ranking holds.
        after: int64 (n_queries,) documents the second one holds.
    """

    shared: Counts
    before: Counts
    after: Counts

    def overlap_at(self, k: int) -> Floats:
        """Share of the top k that both have, of the longer of the two tops.

        Returns:
            float64 (n_queries,); NaN where neither ranking holds a document.
        """
        longest = np.minimum(np.maximum(self.before, self.after), k)
        column = min(k, self.shared.shape[1]) - 1
        found = self.shared[:, column] if column >= 0 else np.zeros(len(longest))
        return _over(found, longest)

    def rank_biased(self, persistence: float) -> Floats:
        """Rank-biased overlap, extrapolated (Webber, Moffat and Zobel 2010, equation 32).

        Args:
            persistence: How likely a reader is to go on to the next rank; 0.9 puts 86% of the
                weight on the first ten.

        Returns:
            float64 (n_queries,) from 0 (disjoint) to 1 (equal); NaN where neither ranking holds a
            document.
        """
        short = np.minimum(self.before, self.after)[:, None]
        long = np.maximum(self.before, self.after)[:, None]
        depth = np.arange(1, self.shared.shape[1] + 1)[None, :]
        weight = persistence**depth * (depth <= long)
        at_short = _at(self.shared, short)
        at_long = _at(self.shared, long)
        # Beyond the shorter list, its part of the agreement is taken to go on as it was.
        rate = np.nan_to_num(_over(at_short, short))
        seen = (self.shared / depth * weight).sum(axis=1, keepdims=True)
        assumed = rate * ((depth - short) / depth * weight * (depth > short)).sum(
            axis=1, keepdims=True
        )
        last = np.nan_to_num(_over(at_long - at_short, long)) + rate
        found = (1 - persistence) / persistence * (seen + assumed) + last * persistence**long
        found[long == 0] = np.nan
        return np.asarray(found[:, 0], dtype=np.float64)


def agreement(before: Ranking, after: Ranking) -> Agreement:
    """Lay two rankings of the same queries and documents over each other."""
    width = max(before.documents.shape[1], after.documents.shape[1])
    n_queries = len(before.documents)
    shared = np.zeros((n_queries, width), dtype=np.int64)
    top = max((int(one.documents.max(initial=-1)) for one in (before, after)), default=-1)
    block = max(1, CELLS_AT_ONCE // (top + 2))
    for start in range(0, n_queries, block):
        rows = slice(start, start + block)
        shared[rows] = _shared(before.documents[rows], after.documents[rows], top + 1, width)
    return Agreement(
        shared=shared,
        before=(before.documents >= 0).sum(axis=1),
        after=(after.documents >= 0).sum(axis=1),
    )


def _shared(
    before: npt.NDArray[np.int32], after: npt.NDArray[np.int32], n_documents: int, width: int
) -> Counts:
    rows = len(before)
    # A document that the second ranking lacks lies beyond every depth; padding is a spare column.
    place = np.full((rows, n_documents + 1), width, dtype=np.int64)
    np.put_along_axis(
        place, after.astype(np.int64), np.arange(after.shape[1])[None, :].repeat(rows, 0), axis=1
    )
    place[:, -1] = width
    later = np.maximum(
        np.take_along_axis(place, before.astype(np.int64), axis=1), np.arange(before.shape[1])
    )
    cells = np.arange(rows)[:, None] * (width + 1) + later
    counts = np.bincount(cells.reshape(-1), minlength=rows * (width + 1))
    return np.cumsum(counts.reshape(rows, width + 1)[:, :width], axis=1)


def _at(shared: Counts, depth: Counts) -> Counts:
    """The entries at a depth of each row, 0 at depth 0."""
    if not shared.shape[1]:
        return np.zeros_like(depth)
    found = np.take_along_axis(shared, np.maximum(depth, 1) - 1, axis=1)
    return np.asarray(np.where(depth > 0, found, 0))


def _over(part: npt.NDArray[np.number], whole: npt.NDArray[np.number]) -> Floats:
    out = np.full(np.shape(whole), np.nan)
    np.divide(part, whole, out=out, where=np.asarray(whole) > 0)
    return out
