"""Every figure of the medical evaluation, from the content of scores.json."""

from collections.abc import Mapping, Sequence
from typing import Any

from isogloss.report.medical.arm_heatmap import arm_heatmap
from isogloss.report.medical.english_shifts import english_shifts
from isogloss.report.medical.expert_agreement import expert_agreement
from isogloss.report.medical.judge_measures import issue_shares, judge_scores
from isogloss.report.medical.language_profiles import language_profiles
from isogloss.report.medical.medical_style import SCALES
from isogloss.report.medical.model_scores import model_scores

WORDS = {"accuracy": "accuracy", "qa": "open-ended score"}


def score_figures(scores: Mapping[str, Any], notes: Sequence[str] = ()) -> dict[str, bytes]:
    """Draw the headline arm.

    Args:
        scores: The content of scores.json.
        notes: What a reader must know of the items, such as that they are a sample; it stands
            below every figure.

    Returns:
        PNGs by name without suffix; what nothing was asked or judged for is absent.
    """
    arm = scores["headline"]
    groups, languages = scores["models"], scores["languages"]
    drawn = {}
    for score, scale in SCALES.items():
        section = scores["arms"][arm][score]
        if not section:
            continue
        word, on = WORDS[score], f"{arm} items{sample(notes)}"
        drawn[f"{score}-models"] = model_scores(
            section, groups, scale, f"{word.capitalize()} by model, {on}", notes
        )
        drawn[f"{score}-languages"] = language_profiles(
            section, groups, languages, scale, f"{word.capitalize()} by language, {on}", notes
        )
        drawn[f"{score}-shifts"] = english_shifts(
            section, groups, languages, scale, f"Shift from English, {word}, {on}", notes
        )
    pooled = scores["arms"][arm]["qa"].get("pooled")
    if pooled:
        on = f"{arm} items{sample(notes)}"
        drawn["judge-scores"] = judge_scores(pooled, f"The judge's scores, {on}", notes)
        drawn["issue-shares"] = issue_shares(pooled, f"Issues the judge finds, {on}", notes)
    if scores["agreement"]:
        title = f"The judge against experts{sample(notes)}"
        drawn["judge-against-expert"] = expert_agreement(scores["agreement"], title, notes)
    return drawn


def shift_figures(scores: Mapping[str, Any], notes: Sequence[str] = ()) -> dict[str, bytes]:
    """Draw the machine-translated arm against the reviewed one."""
    return {
        f"mt-against-reviewed-{score}": arm_heatmap(
            section,
            SCALES[score],
            f"Reviewed against machine-translated items: {WORDS[score]}{sample(notes)}",
            notes,
        )
        for score, section in scores["mt_against_reviewed"].items()
    }


def sample(notes: Sequence[str]) -> str:
    """What a title adds where a note says that the items are a sample."""
    # The two words stay on one line of a wrapped title.
    said = any("sample" in note.casefold() for note in notes)
    return " (sample\N{NO-BREAK SPACE}data)" if said else ""
