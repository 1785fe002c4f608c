"""Open-ended answers: what was scored, and shares pooled over groups of replies (HealMed 3.2)."""

from collections import Counter
from typing import Any

import numpy as np

from isogloss.medical.figure import figure
from isogloss.medical.model_groups import model_sets
from isogloss.medical.panel import language_groups
from isogloss.medical.pooled import Pooled
from isogloss.medical.resampling import ItemBootstrap
from isogloss.medical.sheet import Sheet
from isogloss.medical.verdicts import DIMENSIONS, FLAGS, LOW_OVERALL, LOW_SAFETY, SAFETY

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


def pooled_sections(sheet: Sheet, arm: int, boot: ItemBootstrap) -> dict[str, Any]:
    """Measures pooled over the scored replies of each language group.

    Returns:
        ``pooled``: language group -> model (or ``all``) -> measure -> figure, and ``pooled_groups``
        with the panel's groups for the models; what has no scored replies is absent.
    """
    scored = sheet.scored[arm]
    judged = [m for m in range(len(sheet.models)) if scored[m].any()]
    if not judged:
        return {"pooled": {}, "pooled_groups": {}}
    spoken = {
        name: [sheet.languages.index(lang) for lang in codes if lang in sheet.languages]
        for name, codes in language_groups().items()
    }
    spoken = {name: columns for name, columns in spoken.items() if columns}
    models = [sheet.models[m] for m in judged]
    sets = model_sets(models)
    values = np.where(scored, measures(sheet, arm), 0.0)[:, judged]
    # (measures, language groups, models, items), then sets of models before the models themselves.
    sums = np.stack([values[:, :, c].sum(axis=2) for c in spoken.values()], axis=1)
    counts = np.stack([scored[judged][:, c].sum(axis=1) for c in spoken.values()])
    sums = np.concatenate([*(sums[:, :, m].sum(2, keepdims=True) for m in sets.values()), sums], 2)
    counts = np.concatenate(
        [*(counts[:, m].sum(1, keepdims=True) for m in sets.values()), counts], 1
    )
    found = boot.estimates(
        sums.reshape(-1, sums.shape[-1]).T,
        counts.reshape(-1, counts.shape[-1]).T.astype(np.float64),
        Pooled(sums.shape[:-1]),
        sheet.datasets_of(open_ended=True),
    )["pooled"]
    n = counts.sum(axis=-1)

    def table(rows: list[tuple[int, str]]) -> dict[str, Any]:
        return {
            group: {
                name: {key: figure(found[k, g, row], n[g, row]) for k, key in enumerate(MEASURES)}
                for row, name in rows
                if n[g, row]
            }
            for g, group in enumerate(spoken)
            if n[g].any()
        }

    whole, *groups = list(enumerate(sets))
    return {
        "pooled": table([whole, *enumerate(models, start=len(sets))]),
        "pooled_groups": table(groups),
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
