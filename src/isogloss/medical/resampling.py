"""Intervals of figures made of per-dataset totals, by resampling items within their dataset.

A figure is a function of sums and counts per dataset, so one draw of items serves every model and
language: the item id is the cluster (HealMed section 2.4), its dataset the stratum (our reading:
each dataset holds a fixed number of items). Intervals are BCa as everywhere in this project.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from isogloss.statistics.bootstrap import TOLERANCE, Interval, bca_interval, resample_weights

Floats = npt.NDArray[np.float64]
Figures = dict[str, Floats]
FiguresOf = Callable[[Floats, Floats], Figures]
"""Sums and counts (replicates, datasets, columns) to named figures (replicates, ...)."""

CHUNK = 1000
MOST_LOST = 0.05
NO_DATA = "not estimable: no scored answer in one of its cells"
LAST_ITEM = "not estimable: a cell of it rests on one item"
LOST = "not estimable: too many resamples leave a cell of it empty"


@dataclass(frozen=True)
class Estimate:
    """A figure with its interval; value None, or an interval without bounds, has a reason."""

    value: float | None
    interval: Interval


@dataclass(frozen=True)
class ItemBootstrap:
    """Draws of items within datasets, the same for every figure of an evaluation.

    Attributes:
        item_dataset: int (items,) dataset of each item.
        resamples: How many draws.
        seed: The same seed gives the same digits.
        confidence: Nominal coverage.
    """

    item_dataset: npt.NDArray[np.int64]
    resamples: int = 10_000
    seed: int = 0
    confidence: float = 0.95

    @cached_property
    def weights(self) -> npt.NDArray[np.int16]:
        """int16 (resamples, items): how often each item was drawn."""
        rng = np.random.default_rng(self.seed)
        drawn = np.empty((self.resamples, len(self.item_dataset)), dtype=np.int16)
        for start in range(0, self.resamples, CHUNK):
            stop = min(start + CHUNK, self.resamples)
            drawn[start:stop] = resample_weights(self.item_dataset, stop - start, rng)
        return drawn

    def estimates(
        self,
        values: Floats,
        counts: Floats,
        figures: FiguresOf,
        datasets: list[int],
        percentile: frozenset[str] = frozenset(),
    ) -> dict[str, npt.NDArray[np.object_]]:
        """Figures over all items with their intervals.

        Args:
            values: (items, columns) what is summed; 0 where nothing counts.
            counts: (items, columns) what it is divided by.
            figures: Makes named figures of sums and counts.
            datasets: The datasets, in the order `figures` meets them.
            percentile: Names of figures whose intervals are plain percentiles: resampling inflates
                means of absolute values, so that BCa often finds no interval for them.

        Returns:
            For each name an array of `Estimate` in the figure's own shape.
        """
        rows = [np.flatnonzero(self.item_dataset == dataset) for dataset in datasets]
        whole = figures(*(_totals(part, rows, None) for part in (values, counts)))
        shapes = {name: array.shape[1:] for name, array in whole.items()}
        estimate = _flat(whole)[0]
        # One row a figure: its resamples lie side by side when quantiles are taken of them.
        resampled = np.empty((len(estimate), self.resamples))
        for start in range(0, self.resamples, CHUNK):
            weights = self.weights[start : start + CHUNK].astype(np.float64)
            totals = (_totals(part, rows, weights) for part in (values, counts))
            resampled[:, start : start + CHUNK] = _flat(figures(*totals)).T
        lost = np.isnan(resampled).sum(axis=1)
        left_out = _flat(figures(*(_left_out(part, rows) for part in (values, counts)))).T
        # Only the datasets that move a figure enter its acceleration.
        homes = np.concatenate([np.full(len(r), d) for d, r in enumerate(rows)])
        moved = left_out != estimate[:, None]
        moving = np.stack([moved[:, homes == d].any(axis=1) for d in range(len(rows))], axis=1)
        plain = np.concatenate(
            [np.full(int(np.prod(shape)), name in percentile) for name, shape in shapes.items()]
        )
        flat = [
            self._estimate(
                float(estimate[f]),
                resampled[f] if not lost[f] else resampled[f][~np.isnan(resampled[f])],
                left_out[f] if not moving[f].any() else left_out[f][moving[f][homes]],
                plain=bool(plain[f]),
            )
            for f in range(len(estimate))
        ]
        return _folded(flat, shapes)

    def _estimate(
        self, value: float, resampled: Floats, left_out: Floats, *, plain: bool
    ) -> Estimate:
        if np.isnan(value):
            return Estimate(None, Interval(None, None, NO_DATA))
        if np.isnan(left_out).any():
            return Estimate(value, Interval(None, None, LAST_ITEM))
        if len(resampled) < (1 - MOST_LOST) * self.resamples:
            return Estimate(value, Interval(None, None, LOST))
        if plain and np.ptp(resampled) > TOLERANCE:
            tails = [(1 - self.confidence) / 2, (1 + self.confidence) / 2]
            low, high = (round(float(q), 12) for q in np.quantile(resampled, tails))
            return Estimate(value, Interval(min(low, value), max(high, value)))
        return Estimate(value, bca_interval(value, resampled, left_out, self.confidence))


def means(sums: Floats, counts: Floats) -> Floats:
    """Sums over counts; NaN where nothing is counted, so that a figure made of it is undefined."""
    empty = counts == 0
    found: Floats = np.where(empty, np.nan, sums / np.where(empty, 1, counts))
    return found


def _flat(figures: Figures) -> Floats:
    return np.concatenate([array.reshape(len(array), -1) for array in figures.values()], axis=1)


def _folded(
    flat: list[Estimate], shapes: dict[str, tuple[int, ...]]
) -> dict[str, npt.NDArray[np.object_]]:
    found: dict[str, npt.NDArray[np.object_]] = {}
    place = 0
    for name, shape in shapes.items():
        size = int(np.prod(shape))
        cells = np.empty(size, dtype=object)
        cells[:] = flat[place : place + size]
        found[name] = cells.reshape(shape)
        place += size
    return found


def _totals(part: Floats, rows: list[npt.NDArray[np.int64]], weights: Floats | None) -> Floats:
    if weights is None:
        return np.stack([part[r].sum(axis=0) for r in rows])[None]
    return np.stack([weights[:, r] @ part[r] for r in rows], axis=1)


def _left_out(part: Floats, rows: list[npt.NDArray[np.int64]]) -> Floats:
    whole = _totals(part, rows, None)[0]
    size = sum(len(r) for r in rows)
    left = np.repeat(whole[None], size, axis=0)
    place = 0
    for dataset, r in enumerate(rows):
        left[place : place + len(r), dataset] -= part[r]
        place += len(r)
    return left
