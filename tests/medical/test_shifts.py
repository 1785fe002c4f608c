"""Machine-translated against reviewed items: adjustment, tests and the units they flip."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.medical.shifts import Shifts, cell_tests, item_shifts

LANGUAGES = ["en", "sw", "zu"]


def figures(delta: np.ndarray, *sets: list[int]) -> dict[str, np.ndarray]:
    """Figures of given deltas (models, languages, datasets), by set of models."""
    sums = np.moveaxis(delta, -1, 0).reshape(1, delta.shape[-1], -1)
    found = Shifts(len(delta), LANGUAGES, sets)(sums, np.ones_like(sums))
    return {name: array[0] for name, array in found.items()}


def cells(delta: np.ndarray) -> dict[str, np.ndarray]:
    """The same over all models."""
    found = figures(delta, list(range(len(delta))))
    return {"delta": found["delta"], "cell": found["cell"][0], "overall": found["overall"][0]}


def test_a_set_of_models_has_a_control_of_its_own() -> None:
    delta = np.random.default_rng(4).normal(size=(3, 3, 2))
    found, alone = figures(delta, [0, 1, 2], [1]), cells(delta[1:2])
    for name in ("cell", "overall"):
        assert found[name][1] == pytest.approx(alone[name])
        assert found[name][0] == pytest.approx(cells(delta)[name])


def test_english_is_taken_off_and_stays_itself() -> None:
    delta = np.array([[[0.1, 0.0], [0.3, -0.2], [0.0, 0.0]], [[0.3, 0.2], [0.1, 0.0], [0.4, 0.2]]])
    found = cells(delta)
    assert found["cell"] == pytest.approx(np.array([[0.2, 0.1], [0.0, -0.2], [0.0, 0.0]]))
    # |.3-.2|, |-.2-.1|, |.1-.2|, |0-.1| and |0-.2|, |0-.1|, |.4-.2|, |.2-.1|
    assert found["overall"] == pytest.approx([0.15, 0.15, 0.15])
    assert found["overall"][0] == pytest.approx(delta[:, 0].mean())


@given(st.lists(st.floats(-1, 1), min_size=12, max_size=12), st.floats(-1, 1))
def test_a_change_common_to_all_languages_leaves_no_shift(
    values: list[float], common: float
) -> None:
    delta = np.array(values).reshape(2, 3, 2)
    before, after = cells(delta), cells(delta + common)
    assert after["cell"][1:] == pytest.approx(before["cell"][1:], abs=1e-9)
    assert after["overall"][1:] == pytest.approx(before["overall"][1:], abs=1e-9)
    assert after["cell"][0] == pytest.approx(before["cell"][0] + common, abs=1e-9)


def test_an_items_shift_takes_the_models_it_has() -> None:
    change = np.array([[[1, 0, -1], [0, 1, 1]], [[0, 0, 0], [1, 0, 1]]], dtype=float)
    paired = np.ones((2, 2, 3), dtype=bool)
    paired[1, 1, 0] = False
    paired[:, 0, 1] = False
    change[~paired] = 0
    found = item_shifts(change, paired, 0)
    assert found[:, 0].tolist() == [0.5, 0, -0.5]
    assert found[:, 1].tolist() == [0 - 0.5, 0, 1 + 0.5], "no English pair: no part in the test"


def test_holm_runs_over_all_cells() -> None:
    rng = np.random.default_rng(0)
    shifts = rng.normal(0.4, 1, (14, 3)).round(1)
    dataset = np.array([0] * 6 + [1] * 8)
    raw, adjusted = cell_tests(shifts, dataset, [0, 1], 300, seed=0)
    for lang, d in product(range(3), range(2)):
        own = shifts[dataset == d, lang]
        flips = np.array(list(product((1, -1), repeat=len(own)))) @ own
        assert raw[lang][d] == pytest.approx(
            (np.abs(flips) >= abs(own.sum()) - 1e-9).mean(), abs=1e-12
        )
    flat = sorted((p, lang, d) for lang, row in enumerate(raw) for d, p in enumerate(row))
    running = 0.0
    for seat, (p, lang, d) in enumerate(flat):
        running = max(running, min(1, (6 - seat) * p))
        assert adjusted[lang][d] == pytest.approx(running)
