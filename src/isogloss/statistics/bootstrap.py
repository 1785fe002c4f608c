"""Stratified cluster bootstrap of balanced means, with BCa intervals.

Every figure resampled here is a mean over groups of per-group means (one group: a plain mean), so
a resample is a row of cluster weights times per-cluster sums: one matrix product for all figures.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.integer]

TOLERANCE = 1e-12
"""Resamples this close to the estimate count as equal to it, whatever the order of summation."""

CHUNK = 512  # Resamples at once: their counts fit the cache.

NO_DATA = "not estimable: no query enters the figure"
ONE_CLUSTER = "not estimable: one cluster, nothing to resample"
NO_SPREAD = "not estimable: the resamples have no spread"
LOPSIDED = "not estimable: the resamples lie on one side of the estimate"


@dataclass(frozen=True)
class Interval:
    """An interval, or the reason why there is none."""

    low: float | None
    high: float | None
    reason: str | None = None

    @property
    def bounds(self) -> list[float] | None:
        """Low and high as JSON takes them; None where there is no interval."""
        return None if self.low is None or self.high is None else [self.low, self.high]


def clusters_by_stratum(clusters: Integers, groups: Integers) -> tuple[Integers, Integers]:
    """Give every cluster its stratum: the set of groups (languages) its rows belong to.

    Strata of one cluster are merged into one stratum, which stays fixed when it holds one cluster
    itself (our reading of "language-stratified, family-clustered").

    Args:
        clusters: int (n_rows,) any cluster code.
        groups: int (n_rows,) the group code of each row, counted from 0.

    Returns:
        (n_rows,) cluster codes renumbered from 0, and (n_clusters,) stratum codes from 0.
    """
    _, rows = np.unique(clusters, return_inverse=True)
    if not rows.size:
        return rows, rows
    member = np.zeros((rows.max() + 1, int(groups.max()) + 1), dtype=bool)
    member[rows, groups] = True
    _, strata, sizes = np.unique(member, axis=0, return_inverse=True, return_counts=True)
    strata = strata.reshape(-1)
    merged = np.where(sizes[strata] == 1, len(sizes), strata)
    return rows, np.unique(merged, return_inverse=True)[1].reshape(-1)


def resample_weights(strata: Integers, resamples: int, rng: np.random.Generator) -> Floats:
    """Draw how often each cluster occurs in each resample, clusters drawn within their strata.

    Args:
        strata: int (n_clusters,) stratum codes.
        resamples: How many to draw.
        rng: The source of randomness.

    Returns:
        float64 (resamples, n_clusters) counts.
    """
    weights = np.ones((resamples, len(strata)))
    for stratum in np.unique(strata):
        columns = np.flatnonzero(strata == stratum)
        size = len(columns)
        if size == 1:
            continue
        drawn = rng.integers(0, size, size=(resamples, size), dtype=np.int32)
        drawn += np.arange(0, resamples * size, size, dtype=np.int32)[:, None]
        counts = np.bincount(drawn.reshape(-1), minlength=resamples * size)
        weights[:, columns] = counts.reshape(resamples, size)
    return weights


def balanced_means(sums: Floats, counts: Floats) -> Floats:
    """Mean over groups of per-group means; a group without rows is left out of the mean.

    Args:
        sums: (..., n_groups, n_figures) sums of the rows' values.
        counts: (..., n_groups) numbers of rows.

    Returns:
        (..., n_figures) means.
    """
    present = counts > 0
    means = sums / np.where(present, counts, 1)[..., None]
    averaged: Floats = means.sum(axis=-2) / present.sum(axis=-1)[..., None]
    return averaged


def bca_intervals(
    values: Floats,
    groups: Integers,
    clusters: Integers,
    strata_groups: Integers | None = None,
    *,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> list[Interval]:
    """BCa intervals of balanced means by resampling clusters within strata.

    Args:
        values: float64 (n_rows, n_figures) one column a figure, all over the same rows.
        groups: int (n_rows,) the group each row is averaged in; all 0 for a plain mean.
        clusters: int (n_rows,) the cluster of each row.
        strata_groups: int (n_rows,) the groups that make strata where they are not `groups`.
        confidence: The interval's nominal coverage.
        resamples: Bootstrap resamples.
        seed: The same seed gives the same digits.

    Returns:
        One interval a figure. Without rows, with one cluster or without spread it holds a reason.
    """
    n_figures = values.shape[1]
    if not len(values):
        return [Interval(None, None, NO_DATA)] * n_figures
    rows, strata = clusters_by_stratum(clusters, groups if strata_groups is None else strata_groups)
    if len(strata) == 1:
        return [Interval(None, None, ONE_CLUSTER)] * n_figures
    sums, counts = _cluster_totals(values, groups, rows, len(strata))
    estimates = balanced_means(sums.sum(axis=0), counts.sum(axis=0))
    left_out = balanced_means(sums.sum(axis=0) - sums, counts.sum(axis=0) - counts)
    rng = np.random.default_rng(seed)
    flat = np.concatenate([sums.reshape(len(strata), -1), counts], axis=1)
    drawn = np.empty((resamples, n_figures))
    for start in range(0, resamples, CHUNK):
        stop = min(start + CHUNK, resamples)
        totals = resample_weights(strata, stop - start, rng) @ flat
        drawn[start:stop] = balanced_means(
            totals[:, : -counts.shape[1]].reshape(-1, *sums.shape[1:]),
            totals[:, -counts.shape[1] :],
        )
    return [
        bca_interval(estimates[figure], drawn[:, figure], left_out[:, figure], confidence)
        for figure in range(n_figures)
    ]


def bca_interval(
    estimate: float, resampled: Floats, left_out: Floats, confidence: float
) -> Interval:
    """The bias-corrected and accelerated interval (Efron 1987) of one figure.

    Args:
        estimate: The figure.
        resampled: (n_resamples,) the figure over bootstrap resamples; sorted quantiles interpolate.
        left_out: (n_clusters,) the figure with one cluster left out.
        confidence: Nominal coverage.

    Returns:
        Bounds rounded to twelve decimals, or a reason. The estimate never lies outside.
    """
    apart = resampled - estimate
    if np.ptp(resampled) <= TOLERANCE:
        return Interval(None, None, NO_SPREAD)
    below = np.count_nonzero(apart < -TOLERANCE)
    equal = np.count_nonzero(np.abs(apart) <= TOLERANCE)
    bias = ndtri((below + 0.5 * equal) / len(resampled))
    tails = bias + ndtri(np.array([(1 - confidence) / 2, (1 + confidence) / 2]))
    stretch = 1 - acceleration(left_out) * tails
    # An infinite bias, a pole, or an estimate beyond its own resamples' tail: no honest interval.
    if not np.isfinite(bias) or (stretch <= 0).any() or not tails[0] <= 0 <= tails[1]:
        return Interval(None, None, LOPSIDED)
    low, high = np.quantile(resampled, ndtr(bias + tails / stretch))
    if high - low <= TOLERANCE:
        return Interval(None, None, NO_SPREAD)
    # Rounded first, so that rounding cannot push a bound past the estimate.
    return Interval(
        low=min(round(float(low), 12), float(estimate)),
        high=max(round(float(high), 12), float(estimate)),
    )


def acceleration(left_out: Floats) -> float:
    """Acceleration of BCa from leave-one-cluster-out values; 0 where they do not differ."""
    apart = left_out.mean() - left_out
    if np.abs(apart).max() <= TOLERANCE:
        return 0.0
    return float((apart**3).sum() / (6 * (apart**2).sum() ** 1.5))


def _cluster_totals(
    values: Floats, groups: Integers, rows: Integers, n_clusters: int
) -> tuple[Floats, Floats]:
    """Sums (n_clusters, n_groups, n_figures) and row counts (n_clusters, n_groups)."""
    codes = np.unique(groups, return_inverse=True)[1].reshape(-1)
    n_groups = int(codes.max()) + 1
    cells = rows * n_groups + codes
    n_cells = n_clusters * n_groups
    counts: Floats = np.bincount(cells, minlength=n_cells).astype(np.float64)
    columns = [np.bincount(cells, weights=column, minlength=n_cells) for column in values.T]
    sums: Floats = np.stack(columns, axis=1)
    return sums.reshape(n_clusters, n_groups, len(columns)), counts.reshape(n_clusters, n_groups)
