"""Depth: how far down a reader must go (ChemCLIR-Bench section 3)."""

from dataclasses import dataclass

import numpy as np

from isogloss.retrieval.gold import BEYOND, Ranks
from isogloss.retrieval.ranking import DEPTH

CHUNK_CELLS = 2_000_000


def nearest_rank(ranks: Ranks, percent: int) -> int | None:
    """The nearest-rank percentile: the ceil(percent n / 100)-th smallest rank.

    Args:
        ranks: int32 (n,) ranks from 1; `BEYOND` is a miss and sorts last.
        percent: 1 to 100; the seat is computed in integers, so no rounding moves it.

    Returns:
        The rank; None when it is a miss (censored) or there is no query.
    """
    if not len(ranks):
        return None
    place = seat(len(ranks), percent) - 1
    rank = int(np.partition(ranks, place)[place])
    return None if rank >= BEYOND else rank


def seat(n: int, percent: int) -> int:
    """Which of n sorted values, counted from 1, the nearest-rank percentile is."""
    return -(-percent * n // 100)


@dataclass(frozen=True)
class DepthError:
    """A standard error, or the reason why there is none.

    Attributes:
        value: The standard error.
        censored: Share of resamples whose figure lies beyond the top documents.
        reason: Why there is no value.
    """

    value: float | None
    censored: float = 0.0
    reason: str | None = None


def nearest_rank_error(ranks: Ranks, percent: int, resamples: int, seed: int) -> DepthError:
    """Standard error of a nearest-rank percentile by resampling queries.

    Censored resamples count as 1000 and their share is reported; no error is given when the
    figure itself is censored (our reading).

    Args:
        ranks: int32 (n,) ranks from 1, `BEYOND` for a miss.
        percent: 1 to 100.
        resamples: How many bootstrap resamples.
        seed: The same seed gives the same digits.
    """
    if nearest_rank(ranks, percent) is None:
        return DepthError(None, reason="omitted: the figure itself is undefined or censored")
    place = seat(len(ranks), percent) - 1
    rng = np.random.default_rng(seed)
    drawn = np.empty(resamples, dtype=np.int32)
    chunk = max(1, CHUNK_CELLS // len(ranks))
    for start in range(0, resamples, chunk):
        stop = min(start + chunk, resamples)
        rows = rng.integers(0, len(ranks), size=(stop - start, len(ranks)), dtype=np.int32)
        drawn[start:stop] = np.partition(ranks[rows], place, axis=1)[:, place]
    error = float(np.minimum(drawn, DEPTH).std(ddof=1))
    if error == 0:
        return DepthError(None, reason="not estimable: the resamples have no spread")
    return DepthError(error, censored=float((drawn >= BEYOND).mean()))


def depth_ratio(same: Ranks, cross: Ranks, percent: int) -> float | None:
    """XRC: depth at a coverage across languages over the depth within one.

    Args:
        same: int32 (n,) first ranks of same-language gold of the dual-gold queries.
        cross: int32 (n,) first ranks of their cross-language gold.
        percent: The coverage.

    Returns:
        The ratio; None when either depth is censored or there is no query.
    """
    within, across = nearest_rank(same, percent), nearest_rank(cross, percent)
    return None if within is None or across is None else across / within
