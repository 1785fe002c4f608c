"""Recall and hit at K per query, and their language-balanced means (ChemCLIR-Bench section 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from isogloss.retrieval.gold import BEYOND, PairTable, Ranks

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.integer]
Mask = npt.NDArray[np.bool_]
Side = Literal["same", "cross", "all"]

SIDES: tuple[Literal["same"], Literal["cross"]] = ("same", "cross")
CUTOFFS = (10, 25, 50)
HIT_CUTOFF = 10


@dataclass(frozen=True)
class SideScores:
    """What every query found of one side's gold.

    Attributes:
        gold: int (n_queries,) number of gold documents of this side.
        first: int32 (n_queries,) rank of the first of them, `BEYOND` when none is found.
        found: K to int (n_queries,): how many of them are in the top K.
    """

    gold: Integers
    first: Ranks
    found: dict[int, Integers]

    @cached_property
    def has(self) -> Mask:
        """Bool (n_queries,): the queries that have gold of this side."""
        return np.asarray(self.gold > 0)

    def recall(self, k: int) -> Floats:
        """float64 (n_with_gold,): recall@k of the queries that have gold of this side."""
        recalls: Floats = self.found[k][self.has] / self.gold[self.has]
        return recalls

    def hit(self, k: int) -> Floats:
        """float64 (n_with_gold,): 1 where any gold is in the top k. This is no recall."""
        return (self.first[self.has] <= k).astype(np.float64)


def side_scores(table: PairTable, side: Side, cutoffs: Sequence[int] = CUTOFFS) -> SideScores:
    """Count, for each query, the gold of one side and what of it is in the top of each cutoff."""
    n_queries = len(table.query_ids)
    chosen = slice(None) if side == "all" else table.same if side == "same" else ~table.same
    query, rank = table.query[chosen], table.rank[chosen]
    first = np.full(n_queries, BEYOND, dtype=np.int32)
    np.minimum.at(first, query, rank)
    return SideScores(
        gold=np.bincount(query, minlength=n_queries),
        first=first,
        found={k: np.bincount(query[rank <= k], minlength=n_queries) for k in cutoffs},
    )


def language_balanced(values: Floats, languages: Integers) -> float | None:
    """Unweighted mean over query languages of the per-language means; None without queries.

    Args:
        values: float64 (n,) one value a query.
        languages: int (n,) a code from 0 for each query's language.
    """
    if not len(values):
        return None
    counts = np.bincount(languages)
    present = counts > 0
    sums = np.bincount(languages, weights=values)
    return float((sums[present] / counts[present]).mean())
