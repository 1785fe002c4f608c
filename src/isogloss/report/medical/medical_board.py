"""The medical leaderboard and the shifts between the arms as plain text."""

from collections.abc import Mapping, Sequence
from typing import Any

from isogloss.medical.gaps import missing_notes, missing_of, unpaired_notes
from isogloss.medical.panel import ENGLISH
from isogloss.medical.shares import ALL_LANGUAGES
from isogloss.medical.tables import page
from isogloss.report.layout.shown import UNDEFINED
from isogloss.report.layout.terminal import columns_text
from isogloss.report.medical.medical_cells import Cells, Scores, shift_cells
from isogloss.report.medical.medical_style import (
    ACCURACY,
    GROUP_NAMES,
    OPEN_ENDED,
    SCALES,
    Scale,
    by_group,
    in_order,
    label,
)

OUTCOMES = ("unanswered", "refused", "failed")
STARS = (
    "\n[95%] over items. * Holm-corrected p < 0.05 over all cells; en, the same text in both, is"
    " taken off the\nother languages and itself unadjusted; overall: mean of absolute changes,"
    " for en the signed mean"
)
EXPLAINED = (
    "accuracy: macro mean over datasets and languages (%); gap: higher- minus lower-resource"
    " languages (points);\nworst: the language of least accuracy and its shift from English;"
    " unanswered, refused, failed: of all questions asked, in both tasks;"
    "\nmissing: items without any answer, of all items; scores are over the rest"
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
    rows = [[*heading, *(["open-ended [95%]"] if qa else []), *OUTCOMES, "missing"]]
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
            lacking = missing_of(sections["missing"], model)
            row.append(_share(lacking, asked + lacking))
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
    gaps = [f"NOTE {one}" for one in missing_notes(scores["arms"][arm]["missing"], arm)]
    text = [f"Medical evaluation, {arm} items: {size}", *notes, *gaps]
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
        whose = f"mean over {models}" if len(section["models"]) > 1 else f"{models} alone"
        text += [f"\n{scale.unit} ({scale.change}), {whose}"]
        text.append(columns_text(shift_cells(section, scale)))
        lower = section["lower_in_reviewed"]
        text.append(f"lower in reviewed: {lower['cells']} of {lower['of']} cells")
        if section["left_out"]:
            left = ", ".join(label(model) for model in section["left_out"])
            text.append(f"left out, without paired items in every cell: {left}")
    gaps = [f"NOTE {one}" for one in unpaired_notes(scores["mt_against_reviewed"])]
    return "\n".join([*text, STARS, *gaps]) + "\n"


def summary_text(scores: Scores, notes: Sequence[str] = ()) -> str:
    """What `medical score` prints: the leaderboard, then the headline arm's tables."""
    return f"{board_text(scores, notes)}\n{page(dict(scores))}\n"
