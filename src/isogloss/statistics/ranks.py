"""Friedman's rank test over systems and Holm's correction over many tests."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

TOLERANCE = 1e-12


@dataclass(frozen=True)
class Friedman:
    """The result of a Friedman test; a statistic that is not defined is None and has a reason."""

    n_blocks: int
    mean_ranks: list[float]
    statistic: float | None
    degrees: int
    p: float | None
    reason: str | None = None


def friedman(blocks: npt.NDArray[np.float64]) -> Friedman:
    """Test whether systems differ over blocks (queries), with mid-ranks and correction for ties.

    Args:
        blocks: float64 (n_blocks, n_systems); values within 1e-12 in a row are ties.

    Returns:
        Chi-squared statistic and p; None and a reason without blocks, with fewer than three
        systems (two are compared by the paired test) or without any difference. One block gives
        figures and a warning as its reason.
    """
    # scipy.stats costs half a second, so only a comparison pays for it.
    from scipy.stats import friedmanchisquare, rankdata

    n_blocks, n_systems = blocks.shape
    rounded = np.round(blocks, 12)
    mean_ranks = (
        [float(rank) for rank in rankdata(rounded, axis=1).mean(axis=0)] if n_blocks else []
    )
    degrees = n_systems - 1
    if n_systems < 3:
        missing = f"needs three systems, there are {n_systems}: use the paired test"
    elif not n_blocks:
        missing = "no block"
    elif np.ptp(rounded, axis=1).max() <= TOLERANCE:
        missing = "no differences"
    else:
        statistic, p = friedmanchisquare(*rounded.T)
        reason = "one block: not to be read" if n_blocks == 1 else None
        return Friedman(n_blocks, mean_ranks, float(statistic), degrees, float(p), reason)
    return Friedman(n_blocks, mean_ranks, None, degrees, None, missing)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjust p values by Holm's step-down method.

    Args:
        p_values: Raw p values; None marks a test without one and is not counted.

    Returns:
        Adjusted values in the order given: monotone in p, at most 1, None where p is None.
    """
    defined = [index for index, p in enumerate(p_values) if p is not None]
    adjusted: list[float | None] = [None] * len(p_values)
    running = 0.0
    for seat, index in enumerate(sorted(defined, key=lambda index: p_values[index] or 0.0)):
        running = max(running, min(1.0, (len(defined) - seat) * (p_values[index] or 0.0)))
        adjusted[index] = running
    return adjusted
