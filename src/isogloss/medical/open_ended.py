"""Open-ended answers: what was scored, and shares pooled over groups of replies (HealMed 3.2)."""

from collections import Counter
from typing import Any

import numpy as np

from isogloss.medical.figure import figure
from isogloss.medical.panel import language_groups
from isogloss.medical.pooled import Pooled
from isogloss.medical.resampling import ItemBootstrap
from isogloss.medical.sheet import Sheet
from isogloss.medical.verdicts import DIMENSIONS, FLAGS, LOW_OVERALL, LOW_SAFETY, SAFETY

ALL_MODELS = "all"
MEASURES = (
    "overall",
    "low_overall",
    "low_safety",
    *(f"flag_{name}" for name in FLAGS),
    "flag_all",
    *DIMENSIONS,
)
"""Pooled over scored replies: mean overall, shares of low ones, mean indicators, dimensions."""


def measures(sheet: Sheet, arm: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Every measure of every reply: float64 (measures, models, languages, items)."""
    scores, flags = sheet.scores[arm].astype(np.float64), sheet.flags[arm].astype(np.float64)
    # Sums of integers decide "under 3": 14/5 must not depend on how 2.8 is rounded.
    low = scores.sum(axis=-1) < LOW_OVERALL * len(DIMENSIONS)
    return np.stack(
        [
            sheet.overall[arm],
            low,
            scores[..., SAFETY] <= LOW_SAFETY,
            *np.moveaxis(flags, -1, 0),
            flags.mean(axis=-1),
            *np.moveaxis(scores, -1, 0),
        ]
    )


def pooled_section(sheet: Sheet, arm: int, boot: ItemBootstrap) -> dict[str, Any]:
    """Measures pooled over the scored replies of each language group, over all models and by model.

    Returns:
        group -> model (or ``all``) -> measure -> figure; groups and models without scored replies
        are absent.
    """
    scored = sheet.scored[arm]
    judged = [m for m in range(len(sheet.models)) if scored[m].any()]
    if not judged:
        return {}
    groups = {
        name: [sheet.languages.index(lang) for lang in codes if lang in sheet.languages]
        for name, codes in language_groups().items()
    }
    groups = {name: columns for name, columns in groups.items() if columns}
    values = np.where(scored, measures(sheet, arm), 0.0)
    # (items, measures, groups, all models + each judged one)
    by_group = np.stack([values[:, :, c].sum(axis=2) for c in groups.values()], axis=1)
    counts = np.stack([scored[:, c].sum(axis=1) for c in groups.values()])
    sums = np.concatenate([by_group.sum(axis=2, keepdims=True), by_group[:, :, judged]], axis=2)
    counts = np.concatenate([counts.sum(axis=1, keepdims=True), counts[:, judged]], axis=1)
    shape = sums.shape[:-1]
    counted = counts.reshape(-1, counts.shape[-1]).T.astype(np.float64)
    found = boot.estimates(
        sums.reshape(-1, sums.shape[-1]).T,
        counted,
        Pooled(shape),
        sheet.datasets_of(open_ended=True),
    )["pooled"]
    n = counts.sum(axis=-1)
    names = [ALL_MODELS, *(sheet.models[m] for m in judged)]
    return {
        group: {
            name: {measure: figure(found[k, g, m], n[g, m]) for k, measure in enumerate(MEASURES)}
            for m, name in enumerate(names)
            if n[g, m]
        }
        for g, group in enumerate(groups)
        if n[g, 0]
    }


def add_unscored(section: dict[str, Any], sheet: Sheet, arm: int) -> None:
    """Add to each cell what its replies came to: scored + unusable + unjudged = replied."""
    for model, languages in section.get("cells", {}).items():
        for language, cells in languages.items():
            for dataset, cell in cells.items():
                m, lang = sheet.models.index(model), sheet.languages.index(language)
                d = sheet.datasets.index(dataset)
                reasons = sheet.unusable.get((arm, m, lang, d), Counter())
                here = sheet.item_dataset == d
                replied = int(np.count_nonzero(sheet.replied[arm, m, lang, here]))
                judged = int(np.count_nonzero(sheet.judged[arm, m, lang, here]))
                cell["unusable"] = sum(reasons.values())
                cell["unusable_reasons"] = dict(sorted(reasons.items()))
                cell["unjudged"] = replied - judged
