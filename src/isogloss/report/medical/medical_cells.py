"""Parts of scores.json as cells of printed tables."""

from collections.abc import Mapping
from typing import Any

from isogloss.medical.model_groups import ALL_MODELS
from isogloss.medical.panel import ENGLISH, dataset_name, in_panel_order, language_groups
from isogloss.medical.shares import ALL_LANGUAGES
from isogloss.report.layout.shown import UNDEFINED
from isogloss.report.medical.judge_measures import NAMES
from isogloss.report.medical.medical_style import ACCURACY, OPEN_ENDED, Scale, in_order, label

Scores = Mapping[str, Any]
Cells = list[list[str]]


def pooled_cells(pooled: Mapping[str, Any], model: str = ALL_MODELS) -> Cells:
    """Measures by language group, with the number of scored replies last."""
    groups = [group for group in language_groups() if model in pooled.get(group, {})]
    rows = [["measure", *groups]]
    for measure, name in NAMES.items():
        share = measure.startswith(("low_", "flag_"))
        scale = ACCURACY if share else OPEN_ENDED
        unit = f"{name} (%)" if share else name
        rows.append([unit, *(scale.ranged(pooled[group][model][measure]) for group in groups)])
    sizes = (str(pooled[group][model]["overall"]["n"]) for group in groups)
    return [*rows, ["scored replies", *sizes]]


def share_cells(scores: Scores, shares: Mapping[str, Any]) -> Cells:
    """Shares in percent by model and language, and over all languages."""
    codes = [*in_order(scores["languages"]), ALL_LANGUAGES]
    return [
        ["model", *codes],
        *(
            [
                label(model),
                *(ACCURACY.ranged(found[code]) if code in found else UNDEFINED for code in codes),
            ]
            for model, found in shares.items()
        ),
    ]


def shift_cells(section: Mapping[str, Any], scale: Scale) -> Cells:
    """Cells of machine-translated against reviewed, starred where Holm-corrected p < 0.05."""
    datasets = in_panel_order(section["cells"][ENGLISH])
    rows = [["language", *(dataset_name(dataset) for dataset in datasets), "overall"]]
    overall = {ENGLISH: section["english_overall"], **section["overall"]}
    for language in in_order(section["cells"]):
        cells = section["cells"][language]
        marks = ["*" if (cells[d]["p_holm"] or 1) < 0.05 else "" for d in datasets]
        values = [
            f"{scale.ranged(cells[d], '+')}{star}" for d, star in zip(datasets, marks, strict=True)
        ]
        sign = "+" if language == ENGLISH else ""
        rows.append([language, *values, scale.ranged(overall[language], sign)])
    return rows
