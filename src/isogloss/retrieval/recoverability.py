"""What a re-ranker of the top K could still recover (ChemCLIR-Bench section 3)."""

import numpy as np
import numpy.typing as npt

from isogloss.retrieval.gold import Ranks
from isogloss.retrieval.ranking import DEPTH

RRC_CUTOFFS = (1, 5, 10, 50, 100, 1000)
ARI_CUTOFFS = (10, 100)

Counts = npt.NDArray[np.int64]


def coverage_counts(ranks: Ranks) -> Counts:
    """How many queries have their first gold within the top K, for K = 1..1000.

    Args:
        ranks: int32 (n,) ranks from 1, beyond 1000 for a miss.

    Returns:
        int64 (1000,); divided by n it is the RRC curve, where ranks are those of cross gold.
    """
    return np.cumsum(np.bincount(ranks, minlength=DEPTH + 1)[1 : DEPTH + 1])


def knee(counts: Counts) -> int | None:
    """The smallest K with the largest vertical distance of the curve above its chord.

    The chord runs from (log10 1, RRC@1) to (log10 1000, RRC@1000).

    Args:
        counts: int64 (1000,) from `coverage_counts`.

    Returns:
        K from 1 to 1000; None when RRC@1 = RRC@1000, where there is no curve (our reading).
    """
    rise = int(counts[-1] - counts[0])
    if rise == 0:
        return None
    chord = np.log10(np.arange(1, DEPTH + 1)) / np.log10(DEPTH)
    distance = (counts - counts[0]) / rise - chord
    # Equal distances may differ in their last bits, and the smallest K is wanted.
    return int(np.argmax(distance >= distance.max() - 1e-12)) + 1


def masses(counts: Counts, n: int, k: int) -> tuple[float, float, float]:
    """Shares of queries recovered in the top k, only below it, and never; they sum to 1."""
    within, ever = int(counts[k - 1]), int(counts[-1])
    return within / n, (ever - within) / n, (n - ever) / n


def ari(counts: Counts, n: int, k: int) -> float | None:
    """ARI@k: of the queries missed in the top k, the share that is missed in the top 1000 too.

    Returns:
        L_inf / (1 - RRC@k); None where RRC@k = 1.
    """
    missed = n - int(counts[k - 1])
    return None if missed == 0 else (n - int(counts[-1])) / missed
