"""Every table of a medical evaluation as LaTeX, from the content of scores.json."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from isogloss.medical.gaps import missing_of
from isogloss.medical.panel import ENGLISH, dataset_name, in_panel_order
from isogloss.report.layout.shown import UNDEFINED
from isogloss.report.layout.tables import latex_table
from isogloss.report.medical.expert_agreement import agreement_cells
from isogloss.report.medical.medical_board import board_cells
from isogloss.report.medical.medical_cells import (
    Cells,
    Scores,
    pooled_cells,
    share_cells,
    shift_cells,
)
from isogloss.report.medical.medical_style import (
    GROUP_NAMES,
    SCALES,
    Scale,
    by_group,
    in_order,
    label,
    mean_over,
)


def tables(scores: Scores) -> Iterator[tuple[str, str, Cells]]:
    """Every table of scores.json: its name, caption and cells.

    Yields:
        Names are those of the CSV tables, with what a table is of behind a hyphen.
    """
    for arm, sections in scores["arms"].items():
        yield f"board-{arm}", f"Models on {arm} items.", board_cells(scores, arm)
        for score, scale in SCALES.items():
            if sections[score]:
                yield from _score_tables(scores, arm, score, scale)
        pooled = sections["qa"].get("pooled", {})
        if pooled:
            caption = f"Open-ended replies by language group, all models, {arm} items."
            yield f"open_ended-{arm}", caption, pooled_cells(pooled)
        if sections["refusals"]:
            caption = f"Refusals, % of replies, {arm} items."
            yield f"shares-refusals-{arm}", caption, share_cells(scores, sections["refusals"])
        if sections["traces"]:
            found = {
                model: {language: one["share"] for language, one in languages.items()}
                for model, languages in sections["traces"].items()
            }
            caption = f"Replies with a reasoning trace, % of replies, {arm} items."
            yield f"shares-traces-{arm}", caption, share_cells(scores, found)
    for score, section in scores["mt_against_reviewed"].items():
        if "cells" in section:
            caption = f"Reviewed minus machine-translated items, {SCALES[score].unit}."
            yield f"mt_against_reviewed-{score}", caption, shift_cells(section, SCALES[score])
    if scores["agreement"]:
        yield "agreement", "The judge against experts.", agreement_cells(scores["agreement"])
    for part, names in (("dataset", dataset_name), ("group", GROUP_NAMES.__getitem__)):
        for name, section in scores[f"agreement_by_{part}"].items():
            caption = f"The judge against experts: {names(name)}."
            yield f"agreement_parts-{part}-{name}", caption, agreement_cells(section)


def _score_tables(
    scores: Scores, arm: str, score: str, scale: Scale
) -> Iterator[tuple[str, str, Cells]]:
    section, languages = scores["arms"][arm][score], in_order(scores["languages"])
    models = [m for _, names in by_group(section, scores["models"]) for m in names]
    missing = scores["arms"][arm]["missing"]
    heading = ["model", *languages, "mean", "gap", "missing"]
    rows = [
        [
            label(model),
            *(scale.ranged(section["macro"][model][language]) for language in languages),
            scale.ranged(section["mean"][model]),
            scale.ranged(section["gap"][model], "+"),
            str(missing_of(missing, model, score)),
        ]
        for model in models
    ]
    named = f"{scale.unit}, {arm} items, macro mean over datasets [95% interval]."
    yield f"averages-{score}-{arm}", named.capitalize(), [heading, *rows]
    held = {"all models": section["over_models"], **section["groups"]}
    grouped = [
        [
            GROUP_NAMES.get(group, group),
            str(len(found["models"])),
            *(scale.ranged(found["macro"][language]) for language in languages),
            scale.ranged(found["mean"]),
            scale.ranged(found["gap"], "+"),
        ]
        for group, found in held.items()
    ]
    caption = f"{scale.unit}, {arm} items, mean over the models of a group [95% interval]."
    groups = ["group", "models", *languages, "mean", "gap"]
    yield f"groups-{score}-{arm}", caption.capitalize(), [groups, *grouped]
    others = [language for language in languages if language != ENGLISH]
    over = section["over_models"]["shift"]
    shifts = [
        [label(m), *(scale.ranged(section["shift"][m][code], "+") for code in others)]
        for m in models
    ]
    spread = [
        [mean_over(section), *(scale.ranged(over[code], "+") for code in others)],
        ["quartiles", *(_quartiles(over[code], scale) for code in others)],
    ]
    caption = f"Shift of {scale.unit} from English, {arm} items."
    yield f"averages-shifts-{score}-{arm}", caption, [["model", *others], *shifts, *spread]
    datasets = in_panel_order(section["datasets"])
    for language in languages:
        rows = [
            [
                label(model),
                *(
                    _cell(section["cells"].get(model, {}).get(language, {}).get(d), scale)
                    for d in datasets
                ),
                str(missing.get(model, {}).get(language, {}).get(score, 0)),
            ]
            for model in models
        ]
        caption = f"{scale.unit.capitalize()} in {language}, {arm} items [95% interval] (n)."
        names = [dataset_name(dataset) for dataset in datasets]
        yield f"cells-{score}-{arm}-{language}", caption, [["model", *names, "missing"], *rows]


def _quartiles(found: Mapping[str, Any], scale: Scale) -> str:
    if found["q1"] is None:
        return UNDEFINED
    return f"{scale.text(found['q1'], '+')} to {scale.text(found['q3'], '+')}"


def _cell(found: Mapping[str, Any] | None, scale: Scale) -> str:
    if found is None:
        return UNDEFINED
    lacking = f", {found['missing']} missing" if found["missing"] else ""
    return f"{scale.ranged(found)} ({found['n']}{lacking})"


def latex_tables(scores: Scores, notes: Sequence[str] = ()) -> dict[str, str]:
    """Every table as LaTeX (needs booktabs), in files named as the CSV tables are.

    Args:
        scores: The content of scores.json.
        notes: Sentences that go into each caption.
    """
    files: dict[str, list[str]] = {}
    for name, caption, cells in tables(scores):
        if len(cells) > 1:
            text = latex_table(cells, " ".join([caption, *notes]), f"tab:medical-{name}")
            files.setdefault(name.partition("-")[0], []).append(text)
    return {name: "\n".join(parts) for name, parts in files.items()}
