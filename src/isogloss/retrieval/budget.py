"""How deep a ranking must be read for a wanted coverage of cross-language evidence.

Coverage at K is RRC@K: the share of queries whose first gold in another language is in the top K,
so the depth for a coverage is what a re-ranker must be given to have that evidence in its hands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from isogloss.errors import UsageError
from isogloss.retrieval.figures import NO_CROSS, Scores
from isogloss.retrieval.gold import BEYOND, Ranks
from isogloss.retrieval.ranking import DEPTH
from isogloss.settings import EvaluationSettings
from isogloss.statistics.bootstrap import (
    NO_SPREAD,
    ONE_CLUSTER,
    Integers,
    clusters_by_stratum,
    resample_weights,
)

CHUNK_CELLS = 1_000_000


@dataclass(frozen=True)
class ReadingDepth:
    """The documents to read per query for one coverage.

    Attributes:
        coverage: The wanted share of queries.
        n: Queries with cross-language gold.
        reach: The share that the whole ranking covers, RRC@1000; None without such queries.
        depth: Documents per query; None where it is refused.
        low: Lower bound of its interval; None where it is not estimable.
        high: Upper bound; beyond 1000 it is censored and holds `BEYOND`.
        refusal: Why there is no depth.
        reason: Why there is no interval.
    """

    coverage: float
    n: int
    reach: float | None
    depth: int | None = None
    low: int | None = None
    high: int | None = None
    refusal: str | None = None
    reason: str | None = None

    @property
    def open_above(self) -> bool:
        """Whether the interval's upper bound lies beyond the ranking."""
        return self.high is not None and self.high >= BEYOND


def reading_depth(
    scored: Scores, coverage: float, options: EvaluationSettings, refusal: str | None = None
) -> ReadingDepth:
    """The smallest depth that reaches a coverage, with its interval.

    The interval is that of the bootstrap's percentiles over clusters drawn within strata, as all
    intervals here; not BCa, since leaving one cluster out does not estimate the acceleration of a
    quantile (our reading).

    Args:
        scored: Per-query scores.
        coverage: Above 0, at most 1.
        options: Confidence, resamples and seed.
        refusal: A reason known beforehand not to give a depth, such as a failed gate.

    Raises:
        UsageError: The coverage is no share.
    """
    check_coverage(coverage)
    ranks = scored.recoverable
    n = len(ranks)
    if not n:
        return ReadingDepth(coverage, 0, None, refusal=NO_CROSS)
    reach = int((ranks < BEYOND).sum()) / n
    if refusal:
        return ReadingDepth(coverage, n, reach, refusal=refusal)
    depth = int(np.partition(ranks, seats(coverage, n) - 1)[seats(coverage, n) - 1])
    if depth >= BEYOND:
        why = f"not reached: the top {DEPTH} cover {reach:.3f} of {n} queries"
        return ReadingDepth(coverage, n, reach, refusal=why)
    chosen = scored.cross.has
    clusters = np.unique(scored.table.query_cluster[chosen], return_inverse=True)[1]
    rows, strata = clusters_by_stratum(clusters, scored.languages[chosen])
    if len(strata) == 1:
        return ReadingDepth(coverage, n, reach, depth, reason=ONE_CLUSTER)
    drawn = resampled_depths(ranks, rows, strata, coverage, options.resamples, options.seed)
    if drawn.min() == drawn.max():
        return ReadingDepth(coverage, n, reach, depth, reason=NO_SPREAD)
    tails = ((1 - options.confidence) / 2, (1 + options.confidence) / 2)
    low, high = np.quantile(drawn, tails, method="inverted_cdf")
    return ReadingDepth(coverage, n, reach, depth, min(int(low), depth), max(int(high), depth))


def check_coverage(coverage: float) -> None:
    """Refuse what is no share.

    Raises:
        UsageError: It is not above 0 and at most 1.
    """
    if not 0 < coverage <= 1:
        raise UsageError(f"coverage {coverage}: must be above 0 and at most 1, such as 0.8")


def seats(coverage: float, n: int) -> int:
    """Which of n sorted ranks reaches a coverage, counted from 1: ceil(coverage n), exactly.

    The coverage is taken as its shortest decimal, so 0.7 of 10 is 7 and not 8.
    """
    share = Fraction(repr(float(coverage)))
    return -(-share.numerator * n // share.denominator)


def resampled_depths(
    ranks: Ranks,
    rows: Integers,
    strata: Integers,
    coverage: float,
    resamples: int,
    seed: int,
) -> npt.NDArray[np.int32]:
    """The depth for a coverage in each bootstrap resample.

    Args:
        ranks: int32 (n,) first cross-language ranks.
        rows: int (n,) the cluster of each query, from 0.
        strata: int (n_clusters,) the stratum of each cluster.
        coverage: The wanted share.
        resamples: How many.
        seed: The same seed gives the same digits.

    Returns:
        int32 (resamples,); `BEYOND` where the resample does not reach the coverage.
    """
    share = Fraction(repr(float(coverage)))
    order = np.argsort(ranks, kind="stable")
    ordered, cluster = ranks[order], rows[order]
    rng = np.random.default_rng(seed)
    depths = np.empty(resamples, dtype=np.int32)
    chunk = max(1, CHUNK_CELLS // len(ranks))
    for start in range(0, resamples, chunk):
        stop = min(start + chunk, resamples)
        weights = resample_weights(strata, stop - start, rng)[:, cluster].astype(np.int64)
        reached = np.cumsum(weights, axis=1)
        wanted = -(-share.numerator * reached[:, -1] // share.denominator)
        depths[start:stop] = ordered[(reached < wanted[:, None]).sum(axis=1)]
    return depths


def costs(depths: Sequence[int | None], price: float) -> list[float | None]:
    """What reading costs per query: depth times the price of a document, None where unknown."""
    return [None if depth is None or depth >= BEYOND else depth * price for depth in depths]
