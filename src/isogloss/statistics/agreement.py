"""Agreement of two raters: shares, kappa, AC1, concordance. None where a figure is undefined.

Tables are counts over the *declared* categories, and the coefficients are computed from integers,
so that one-sided ratings give the value of the definition instead of rounding noise.
"""

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from isogloss.errors import DataError

Numbers = npt.NDArray[np.integer] | npt.NDArray[np.floating] | Sequence[float]
Table = npt.NDArray[np.integer]


def contingency(
    first: Sequence[Hashable], second: Sequence[Hashable], categories: Sequence[Hashable]
) -> Table:
    """Count how often the raters gave each pair of categories.

    Args:
        first: One rater's categories, item by item.
        second: The other's, in the same order.
        categories: Every category a rater could have given, in their order.

    Returns:
        int64 (n_categories, n_categories), rows the first rater.

    Raises:
        DataError: The lengths differ, or a rating is no declared category.
    """
    if len(first) != len(second):
        raise DataError(f"{len(first)} ratings against {len(second)}: pair them item by item")
    place = {category: index for index, category in enumerate(categories)}
    stray = next((rating for rating in (*first, *second) if rating not in place), None)
    if stray is not None:
        raise DataError(f"rating {stray!r} is not among the categories {list(categories)}")
    counts = np.zeros((len(categories), len(categories)), dtype=np.int64)
    np.add.at(counts, ([place[r] for r in first], [place[r] for r in second]), 1)
    return counts


def exact_share(table: Table) -> float | None:
    """Share of items on which the raters agree exactly (raw agreement)."""
    total = int(table.sum())
    return int(np.trace(table)) / total if total else None


def within_share(table: Table, reach: int = 1) -> float | None:
    """Share of items whose ratings lie at most `reach` categories apart, in declared order."""
    total = int(table.sum())
    return int(table[_distances(table) <= reach].sum()) / total if total else None


def cohen_kappa(table: Table, *, quadratic: bool = False) -> float | None:
    """Cohen's kappa (1960); with quadratic weights over the declared order (1968).

    Args:
        table: int (n_categories, n_categories) counts from `contingency`.
        quadratic: Weigh a disagreement by the squared distance of its categories.

    Returns:
        The coefficient; None without items or where chance alone gives full agreement.
    """
    distances = _distances(table)
    weights = distances**2 if quadratic else (distances > 0).astype(np.int64)
    total = int(table.sum())
    observed = total * int((weights * table).sum())
    by_chance = int((weights * np.outer(table.sum(axis=1), table.sum(axis=0))).sum())
    return 1 - observed / by_chance if by_chance else None


def gwet_ac1(table: Table) -> float | None:
    """Gwet's AC1 (2008): chance agreement from the mean share of each declared category.

    Returns:
        The coefficient; None without items or with fewer than two categories.
    """
    total, categories = int(table.sum()), len(table)
    if not total or categories < 2:
        return None
    uses = [int(count) for count in table.sum(axis=0) + table.sum(axis=1)]
    # Everything times 4 n^2 (q - 1), so that the fraction is one of integers.
    scale = 4 * total * total * (categories - 1)
    chance = sum(count * (2 * total - count) for count in uses)
    agreed = 4 * total * (categories - 1) * int(np.trace(table))
    return (agreed - chance) / (scale - chance)


def lin_ccc(first: Numbers, second: Numbers) -> float | None:
    """Lin's concordance correlation coefficient (1989), population moments (divisor n).

    Args:
        first: (n,) one rater's scores.
        second: (n,) the other's.

    Returns:
        The coefficient; None without pairs, or where both raters give one and the same constant.
    """
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if not x.size or (np.ptp(x) == 0 and np.ptp(y) == 0 and x[0] == y[0]):
        return None
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return 0.0
    return float(
        2
        * ((x - x.mean()) * (y - y.mean())).mean()
        / (x.var() + y.var() + (x.mean() - y.mean()) ** 2)
    )


def wilson(successes: int, total: int, confidence: float = 0.95) -> tuple[float, float] | None:
    """Wilson's score interval (1927) of a share; None without trials."""
    from scipy.special import ndtri

    if not total:
        return None
    z = float(ndtri((1 + confidence) / 2))
    share = successes / total
    centre = share + z * z / (2 * total)
    reach = z * (share * (1 - share) / total + z * z / (4 * total * total)) ** 0.5
    stretch = 1 + z * z / total
    low = 0.0 if successes == 0 else (centre - reach) / stretch
    high = 1.0 if successes == total else (centre + reach) / stretch
    return low, high


def _distances(table: Table) -> npt.NDArray[np.int64]:
    places = np.arange(len(table), dtype=np.int64)
    apart: npt.NDArray[np.int64] = np.abs(places[:, None] - places[None, :])
    return apart
