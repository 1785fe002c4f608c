"""The medical leaderboard and its tables as cells: for the terminal and for LaTeX."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from isogloss.medical.model_groups import ALL_MODELS
from isogloss.medical.panel import ENGLISH, dataset_name, in_panel_order, language_groups
from isogloss.medical.shares import ALL_LANGUAGES
from isogloss.medical.tables import page
from isogloss.report.expert_agreement import agreement_cells
from isogloss.report.judge_measures import NAMES
from isogloss.report.medical_style import (
    ACCURACY,
    GROUP_NAMES,
    OPEN_ENDED,
    SCALES,
    Scale,
    by_group,
    in_order,
    label,
)
from isogloss.report.shown import UNDEFINED
from isogloss.report.tables import latex_table
from isogloss.report.terminal import columns_text

Scores = Mapping[str, Any]
Cells = list[list[str]]
OUTCOMES = ("unanswered", "refused", "failed")
STARS = (
    "\n[95%] over items. * Holm-corrected p < 0.05 over all cells; en, the same text in both, is"
    " taken off the\nother languages and itself unadjusted; overall: mean of absolute changes,"
    " for en the signed mean"
)
EXPLAINED = (
    "accuracy: macro mean over datasets and languages (%); gap: higher- minus lower-resource"
    " languages (points);\nworst: the language of least accuracy and its shift from English;"
    " unanswered, refused, failed: of all questions, in both tasks"
)


def board_cells(scores: Scores, arm: str) -> Cells:
    """One row a model, by group, best accuracy first; floors last.

    Args:
        scores: The content of scores.json.
        arm: Which arm.
    """
    sections = scores["arms"][arm]
    accuracy, qa = sections["accuracy"], sections["qa"]
    heading = ["model", "group", "accuracy [95%]", "gap [95%]", "worst", "shift [95%]"]
    rows = [[*heading, *(["open-ended [95%]"] if qa else []), *OUTCOMES]]
    lead = accuracy or qa
    scale = ACCURACY if accuracy else OPEN_ENDED
    if not lead:
        return rows
    listed = by_group(lead, scores["models"])
    if accuracy and qa:
        known = set(accuracy["mean"])
        listed += [
            (group, [model for model in models if model not in known])
            for group, models in by_group(qa, scores["models"])
        ]
    for group, models in listed:
        for model in models:
            row = [label(model), GROUP_NAMES[group].partition(" (")[0]]
            row += _figures(lead, model, scale)
            if qa:
                row.append(_one(qa, "mean", model, OPEN_ENDED))
            totals = [
                section["outcomes"][model][ALL_LANGUAGES]
                for section in (accuracy, qa)
                if section and model in section["outcomes"]
            ]
            asked = sum(found["asked"] for found in totals)
            row += [_share(sum(found[name] for found in totals), asked) for name in OUTCOMES]
            rows.append(row)
    return rows


def _figures(section: Mapping[str, Any], model: str, scale: Scale) -> list[str]:
    if model not in section["mean"]:
        return [UNDEFINED] * 4
    known = {
        language: found["value"]
        for language, found in section["macro"][model].items()
        if found["value"] is not None
    }
    worst, shift = UNDEFINED, UNDEFINED
    if known:
        language = min(in_order(known), key=lambda code: known[code])
        worst = f"{language} {scale.text(known[language])}"
        if language != ENGLISH:
            shift = scale.ranged(section["shift"][model][language], "+")
    return [
        _one(section, "mean", model, scale), _one(section, "gap", model, scale, "+"), worst, shift,
    ]  # fmt: skip


def _one(section: Mapping[str, Any], name: str, model: str, scale: Scale, sign: str = "") -> str:
    return scale.ranged(section[name][model], sign) if model in section[name] else UNDEFINED


def _share(count: int, of: int) -> str:
    return f"{count} ({100 * count / of:.1f}%)" if of else "0"


def board_text(scores: Scores, notes: Sequence[str] = ()) -> str:
    """The leaderboard of the headline arm as plain text, with what a reader must know."""
    arm = scores["headline"]
    size = f"{len(scores['languages'])} languages, {len(scores['datasets'])} datasets"
    text = [f"Medical evaluation, {arm} items: {size}", *notes]
    return "\n".join([*text, columns_text(board_cells(scores, arm)), EXPLAINED]) + "\n"


def shifts_text(scores: Scores, notes: Sequence[str] = ()) -> str:
    """Machine-translated against reviewed items as plain text, with the reason of what is not."""
    text = ["Reviewed minus machine-translated items", *notes]
    for score, section in scores["mt_against_reviewed"].items():
        scale = SCALES[score]
        if "cells" not in section:
            text.append(f"\n{scale.unit}: {section['reason']}")
            continue
        models = ", ".join(label(model) for model in section["models"])
        text += [f"\n{scale.unit} ({scale.change}), mean over {models}"]
        text.append(columns_text(shift_cells(section, scale)))
        lower = section["lower_in_reviewed"]
        text.append(f"lower in reviewed: {lower['cells']} of {lower['of']} cells")
        if section["left_out"]:
            left = ", ".join(label(model) for model in section["left_out"])
            text.append(f"left out, without paired items in every cell: {left}")
    return "\n".join([*text, STARS]) + "\n"


def summary_text(scores: Scores, notes: Sequence[str] = ()) -> str:
    """What `medical score` prints: the leaderboard, then the headline arm's tables."""
    return f"{board_text(scores, notes)}\n{page(dict(scores))}\n"


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


def _score_tables(
    scores: Scores, arm: str, score: str, scale: Scale
) -> Iterator[tuple[str, str, Cells]]:
    section, languages = scores["arms"][arm][score], in_order(scores["languages"])
    models = [m for _, names in by_group(section, scores["models"]) for m in names]
    heading = ["model", *languages, "mean", "gap"]
    rows = [
        [
            label(model),
            *(scale.ranged(section["macro"][model][language]) for language in languages),
            scale.ranged(section["mean"][model]),
            scale.ranged(section["gap"][model], "+"),
        ]
        for model in models
    ]
    named = f"{scale.unit}, {arm} items, macro mean over datasets [95% interval]."
    yield f"averages-{score}-{arm}", named.capitalize(), [heading, *rows]
    others = [language for language in languages if language != ENGLISH]
    over = section["over_models"]["shift"]
    shifts = [
        [label(m), *(scale.ranged(section["shift"][m][code], "+") for code in others)]
        for m in models
    ]
    spread = [
        ["mean over models", *(scale.ranged(over[code], "+") for code in others)],
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
            ]
            for model in models
        ]
        caption = f"{scale.unit.capitalize()} in {language}, {arm} items [95% interval] (n)."
        names = [dataset_name(dataset) for dataset in datasets]
        yield f"cells-{score}-{arm}-{language}", caption, [["model", *names], *rows]


def _quartiles(found: Mapping[str, Any], scale: Scale) -> str:
    if found["q1"] is None:
        return UNDEFINED
    return f"{scale.text(found['q1'], '+')} to {scale.text(found['q3'], '+')}"


def _cell(found: Mapping[str, Any] | None, scale: Scale) -> str:
    return UNDEFINED if found is None else f"{scale.ranged(found)} ({found['n']})"


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
