"""Intervals against an explicit resampling of items, and stated reasons where there is none."""

import numpy as np
import pytest
from scipy.stats import norm

from isogloss.medical.averages import Averages
from isogloss.medical.pooled import Pooled
from isogloss.medical.resampling import Estimate, Figures, Floats, ItemBootstrap, means
from isogloss.statistics.bootstrap import NO_SPREAD

ITEMS = np.array([0] * 6 + [1] * 9)


def macro(sums: Floats, counts: Floats) -> Figures:
    return {"macro": means(sums, counts).mean(axis=1)}


def one(boot: ItemBootstrap, values: list[float], counts: list[float], **more: object) -> Estimate:
    columns = np.array([values]).T, np.array([counts], dtype=float).T
    return boot.estimates(*columns, macro, [0, 1], **more)["macro"][0]  # type: ignore[arg-type]


def plain_bca(values: list[float], counts: list[int], boot: ItemBootstrap) -> tuple[float, float]:
    """BCa of the macro mean, from lists of drawn items (Efron 1987)."""

    def figure(items: list[int]) -> float:
        parts = []
        for dataset in (0, 1):
            here = [i for i in items if ITEMS[i] == dataset and counts[i]]
            parts.append(sum(values[i] for i in here) / len(here) if here else float("nan"))
        return sum(parts) / 2

    everything = list(range(len(ITEMS)))
    estimate = figure(everything)
    drawn = [
        figure([i for i in everything for _ in range(row[i])]) for row in boot.weights.tolist()
    ]
    drawn = np.array([value for value in drawn if value == value])
    left = np.array([figure(everything[:i] + everything[i + 1 :]) for i in everything])
    below = (drawn < estimate - 1e-12).sum() + 0.5 * (np.abs(drawn - estimate) <= 1e-12).sum()
    z0 = norm.ppf(below / len(drawn))
    apart = left.mean() - left
    a = (apart**3).sum() / (6 * (apart**2).sum() ** 1.5)
    ends = [z0 + (z0 + z) / (1 - a * (z0 + z)) for z in norm.ppf([0.025, 0.975])]
    low, high = np.quantile(drawn, norm.cdf(ends))
    return float(low), float(high)


@pytest.mark.parametrize("seed", range(4))
def test_an_interval_is_bca_over_items_drawn_within_datasets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.random(15).round(2).tolist()
    counts = [1] * 15
    counts[seed] = 0
    values[seed] = 0.0
    boot = ItemBootstrap(ITEMS, resamples=999, seed=seed)
    found = one(boot, values, [float(c) for c in counts])
    assert found.interval.bounds == pytest.approx(plain_bca(values, counts, boot), abs=1e-9)


def test_each_dataset_keeps_its_size_in_every_draw() -> None:
    weights = ItemBootstrap(ITEMS, resamples=50, seed=1).weights
    assert (weights[:, :6].sum(axis=1) == 6).all()
    assert (weights[:, 6:].sum(axis=1) == 9).all()
    assert np.array_equal(weights, ItemBootstrap(ITEMS, resamples=50, seed=1).weights)
    assert not np.array_equal(weights, ItemBootstrap(ITEMS, resamples=50, seed=2).weights)


@pytest.mark.parametrize(
    ("values", "counts", "value", "reason"),
    [
        ([1.0] * 15, [1.0] * 15, 1.0, NO_SPREAD),
        ([0.0] * 6 + [1.0] * 9, [0.0] * 6 + [1.0] * 9, None, "no scored answer in one of its"),
        ([1.0] + [0.0] * 14, [1.0] + [0.0] * 5 + [1.0] * 9, 0.5, "a cell of it rests on one item"),
        (
            [1.0, 0.0] + [0.0] * 13,
            [1.0, 1.0] + [0.0] * 4 + [1.0] * 9,
            0.25,
            "too many resamples leave a cell of it empty",
        ),
    ],
)
def test_what_cannot_be_estimated_says_why(
    values: list[float], counts: list[float], value: float | None, reason: str
) -> None:
    found = one(ItemBootstrap(ITEMS, resamples=300), values, counts)
    assert found.value == value
    assert found.interval.bounds is None
    assert reason in str(found.interval.reason)


def test_percentiles_where_they_are_asked_for() -> None:
    rng = np.random.default_rng(0)
    values = rng.random(15).tolist()
    boot = ItemBootstrap(ITEMS, resamples=500)
    found = one(boot, values, [1.0] * 15, percentile=frozenset({"macro"}))
    drawn = [
        (row[:6] @ np.array(values[:6]) / 6 + row[6:] @ np.array(values[6:]) / 9) / 2
        for row in boot.weights
    ]
    assert found.interval.bounds == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=1e-9)


def test_measures_may_share_a_count() -> None:
    sums = np.array([[[1.0, 2.0, 3.0, 4.0], [1.0, 0.0, 1.0, 0.0]]])
    counts = np.array([[[2.0, 3.0], [0.0, 1.0]]])
    found = Pooled((2, 2))(sums, counts)["pooled"]
    assert found.tolist() == [[[1.0, 0.5], [2.0, 1.0]]]
    assert np.isnan(Pooled((1,))(np.zeros((1, 1, 1)), np.zeros((1, 1, 1)))["pooled"]).all()


def averages(cells: np.ndarray, languages: list[str]) -> dict[str, np.ndarray]:
    """Averages of given cell values (models, languages, datasets); NaN makes a cell empty."""
    counts = np.moveaxis((~np.isnan(cells)).astype(float), -1, 0).reshape(1, cells.shape[-1], -1)
    sums = np.moveaxis(np.nan_to_num(cells), -1, 0).reshape(counts.shape)
    filled = ~np.isnan(cells)
    sets = [range(len(cells)), [0], range(1, len(cells))]
    figures = Averages(len(cells), languages, sets, filled)(sums, counts)
    return {k: v[0] for k, v in figures.items()}


def test_a_missing_cell_makes_its_averages_undefined_and_no_others() -> None:
    cells = np.arange(24, dtype=float).reshape(2, 4, 3)
    cells[0, 2, 1] = np.nan
    found = averages(cells, ["en", "de", "th", "zu"])
    assert np.isnan(found["macro"][0, 2])
    assert np.isnan([found["mean"][0], found["lower"][0], found["gap"][0]]).all()
    assert found["higher"][0] == cells[0, :2].mean()
    assert found["gap"][1] == cells[1, :2].mean() - cells[1, 2:].mean()
    assert found["set_shift"][0, 2] == found["shift"][1, 2], "the model that has it"
    assert found["set_shift"][0, 1] == found["shift"][:, 1].mean()
    assert np.isnan(found["set_gap"][1])
    assert found["set_gap"][0] == found["set_gap"][2] == found["gap"][1]
    assert found["set_cell"][0, 2].tolist() == [
        np.mean(cells[:, 2, 0]), cells[1, 2, 1], np.mean(cells[:, 2, 2])
    ]  # fmt: skip


def test_without_english_there_is_no_shift() -> None:
    found = averages(np.ones((2, 2, 1)), ["de", "th"])
    assert np.isnan(found["shift"]).all()
    assert found["gap"].tolist() == [0, 0]
    assert np.isnan(averages(np.ones((2, 1, 1)), ["en"])["gap"]).all()
