"""The machine-translated arm against the reviewed one, as scores.json holds it (HealMed 4)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from isogloss.medical.figure import DECIMALS, figure
from isogloss.medical.gaps import unpaired
from isogloss.medical.model_groups import ALL_MODELS, model_sets
from isogloss.medical.panel import ENGLISH
from isogloss.medical.resampling import ItemBootstrap
from isogloss.medical.sheet import Sheet
from isogloss.medical.shifts import Shifts, cell_tests, item_shifts

Mask = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]


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
    lacking = unpaired(sheet, counted, open_ended)
    paired = counted[0] & counted[1] & (sheet.open_ended == open_ended)
    languages = np.flatnonzero(paired.any(axis=(0, 2)))
    codes = [sheet.languages[lang] for lang in languages]
    if ENGLISH not in codes:
        reason = "no item is scored in both arms in English, the control"
        return {"reason": reason, "unpaired": lacking}
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
        reason = "no model has paired items in every cell"
        return {"reason": reason, "left_out": left_out, "unpaired": lacking}
    names = [sheet.models[m] for m in chosen]
    sets = model_sets(names)
    pairs = paired[chosen][:, languages]
    change = np.where(pairs, (values[1] - values[0])[chosen][:, languages], 0.0)
    found = boot.estimates(
        change.reshape(-1, change.shape[-1]).T,
        pairs.reshape(-1, pairs.shape[-1]).T.astype(np.float64),
        Shifts(len(chosen), codes, list(sets.values())),
        datasets,
        percentile=frozenset({"overall"}),
    )
    english, everyone = codes.index(ENGLISH), sets[ALL_MODELS]
    tests = cell_tests(
        item_shifts(change[everyone], pairs[everyone], english),
        sheet.item_dataset,
        datasets,
        permutations,
        boot.seed,
    )
    slugs = [sheet.datasets[d] for d in datasets]
    here = [sheet.item_dataset == d for d in datasets]
    counts = np.stack([pairs[..., rows].sum(axis=-1) for rows in here], axis=-1)
    sections = {}
    for s, (name, members) in enumerate(sets.items()):
        held = pairs[members].any(axis=0)
        items = np.stack([held[..., rows].sum(axis=-1) for rows in here], axis=-1)
        table = _Set(codes, slugs, items, counts[members].sum(axis=0))
        sections[name] = {
            "models": [names[m] for m in members],
            **table.section(found["cell"][s], found["overall"][s]),
        }
    main = sections.pop(ALL_MODELS)
    for lang, code in enumerate(codes):
        for d, slug in enumerate(slugs):
            raw, adjusted = (_rounded(p[lang][d]) for p in tests)
            main["cells"][code][slug] |= {"p": raw, "p_holm": adjusted}
    return {
        **main,
        "left_out": left_out,
        "unpaired": lacking,
        "groups": sections,
        "delta": {
            model: {
                code: {
                    slug: figure(found["delta"][row, lang, d], counts[row, lang, d])
                    for d, slug in enumerate(slugs)
                }
                for lang, code in enumerate(codes)
            }
            for row, model in enumerate(names)
        },
    }


@dataclass(frozen=True)
class _Set:
    """One set of models: n of a figure counts items, `pairs` replies in both arms."""

    codes: list[str]
    slugs: list[str]
    items: Counts
    pairs: Counts

    def section(
        self, cell: npt.NDArray[np.object_], overall: npt.NDArray[np.object_]
    ) -> dict[str, Any]:
        """Cells (language, dataset) and overalls (language,)."""
        cells = {
            code: {
                slug: figure(cell[lang, d], self.items[lang, d], pairs=int(self.pairs[lang, d]))
                for d, slug in enumerate(self.slugs)
            }
            for lang, code in enumerate(self.codes)
        }
        overalls = {
            code: figure(overall[lang], self.items[lang].sum())
            for lang, code in enumerate(self.codes)
        }
        control = overalls.pop(ENGLISH)
        translated = [one for code in overalls for one in cells[code].values()]
        return {
            "cells": cells,
            "lower_in_reviewed": {
                "cells": sum(one["value"] < 0 for one in translated),
                "of": len(translated),
            },
            "overall": overalls,
            "english_overall": control,
        }


def _rounded(p: float | None) -> float | None:
    return None if p is None else round(p, DECIMALS)
