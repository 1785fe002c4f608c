"""The machine-translated arm against the reviewed one, as scores.json holds it (HealMed 4)."""

from typing import Any

import numpy as np
import numpy.typing as npt

from isogloss.medical.figure import DECIMALS, figure
from isogloss.medical.panel import ENGLISH
from isogloss.medical.resampling import ItemBootstrap
from isogloss.medical.sheet import Sheet
from isogloss.medical.shifts import Shifts, cell_tests, item_shifts

Mask = npt.NDArray[np.bool_]


def comparison_section(
    sheet: Sheet,
    values: npt.NDArray[np.floating],
    counted: Mask,
    boot: ItemBootstrap,
    *,
    open_ended: bool,
    permutations: int,
) -> dict[str, Any]:
    """Cells, overalls and per-model differences of one score, over items scored in both arms.

    Args:
        sheet: The replies; both arms must be there.
        values: (arms, models, languages, items).
        counted: bool, the same shape.
        boot: Draws of items.
        open_ended: Which kind of items.
        permutations: Sign flips per test.

    Returns:
        The section, or only a ``reason`` where there is nothing to compare.
    """
    if sheet.arms != ["mt", "reviewed"]:
        return {"reason": f"only the arm {sheet.arms[0]} has answers"}
    paired = counted[0] & counted[1] & (sheet.open_ended == open_ended)
    languages = np.flatnonzero(paired.any(axis=(0, 2)))
    codes = [sheet.languages[lang] for lang in languages]
    if ENGLISH not in codes:
        return {"reason": "no item is scored in both arms in English, the control"}
    datasets = [
        d
        for d in sheet.datasets_of(open_ended=open_ended)
        if paired[..., sheet.item_dataset == d].any()
    ]
    whole = np.ones(len(sheet.models), dtype=bool)
    for dataset in datasets:
        whole &= paired[:, languages][..., sheet.item_dataset == dataset].any(axis=-1).all(axis=1)
    chosen = np.flatnonzero(whole)
    some = np.flatnonzero(paired.any(axis=(1, 2)))
    left_out = [sheet.models[m] for m in some if not whole[m]]
    if not len(chosen):
        return {"reason": "no model has paired items in every cell", "left_out": left_out}
    pairs = paired[chosen][:, languages]
    change = np.where(pairs, (values[1] - values[0])[chosen][:, languages], 0.0)
    found = boot.estimates(
        change.reshape(-1, change.shape[-1]).T,
        pairs.reshape(-1, pairs.shape[-1]).T.astype(np.float64),
        Shifts(len(chosen), codes),
        datasets,
        percentile=frozenset({"overall"}),
    )
    english = codes.index(ENGLISH)
    raw, adjusted = cell_tests(
        item_shifts(change, pairs, english), sheet.item_dataset, datasets, permutations, boot.seed
    )
    names = [sheet.datasets[d] for d in datasets]
    counts = np.stack([pairs[..., sheet.item_dataset == d].sum(axis=-1) for d in datasets], axis=-1)
    items = np.stack(
        [pairs[..., sheet.item_dataset == d].any(axis=0).sum(axis=-1) for d in datasets], axis=-1
    )
    cells = {
        code: {
            name: figure(
                found["cell"][lang, d],
                items[lang, d],
                pairs=int(counts[:, lang, d].sum()),
                p=_rounded(raw[lang][d]),
                p_holm=_rounded(adjusted[lang][d]),
            )
            for d, name in enumerate(names)
        }
        for lang, code in enumerate(codes)
    }
    translated = [cell for code in codes if code != ENGLISH for cell in cells[code].values()]
    return {
        "models": [sheet.models[m] for m in chosen],
        "left_out": left_out,
        "cells": cells,
        "lower_in_reviewed": {
            "cells": sum(cell["value"] < 0 for cell in translated),
            "of": len(translated),
        },
        "overall": {
            code: figure(found["overall"][lang], items[lang].sum())
            for lang, code in enumerate(codes)
            if code != ENGLISH
        },
        "english_overall": figure(found["overall"][english], items[english].sum()),
        "delta": {
            sheet.models[m]: {
                code: {
                    name: figure(found["delta"][row, lang, d], counts[row, lang, d])
                    for d, name in enumerate(names)
                }
                for lang, code in enumerate(codes)
            }
            for row, m in enumerate(chosen)
        },
    }


def _rounded(p: float | None) -> float | None:
    return None if p is None else round(p, DECIMALS)
