"""Everything that scores.json holds, from a sheet of replies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from isogloss.medical.comparison import comparison_section
from isogloss.medical.experts import Response, expert_sections
from isogloss.medical.gaps import missing_answers, missing_notes, unpaired_notes
from isogloss.medical.open_ended import add_unscored, pooled_sections
from isogloss.medical.panel import FLOOR_GROUP, HAND_GROUP, OTHER_GROUP, dataset_task, group_of
from isogloss.medical.resampling import ItemBootstrap
from isogloss.medical.scores import score_section
from isogloss.medical.shares import refusal_sections, trace_sections
from isogloss.medical.sheet import Sheet

DEFINITIONS = 1
"""Version of these definitions: scores of two versions are not to be compared."""


@dataclass(frozen=True)
class Options:
    """Resampling and the arm that leads.

    Attributes:
        resamples: Draws of items.
        permutations: Sign flips.
        seed: Of both.
        headline: The arm whose figures lead, where it has answers; `reviewed` before `mt`.
    """

    resamples: int = 10_000
    permutations: int = 10_000
    seed: int = 0
    headline: str = "reviewed"


def evaluate(
    sheet: Sheet,
    experts: Sequence[Response] | None = None,
    options: Options | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Compute every figure.

    Args:
        sheet: The replies.
        experts: Expert scores, where there are any.
        options: Resampling.
        say: Told what is being worked on.

    Returns:
        The content of scores.json: finite numbers, None with a reason, and text.
    """
    chosen = options or Options()
    boot = ItemBootstrap(sheet.item_dataset, chosen.resamples, chosen.seed)
    arms: dict[str, Any] = {}
    for index, arm in enumerate(sheet.arms):
        say(f"scoring the {arm} arm")
        arms[arm] = _arm(sheet, index, boot)
    say("comparing the arms")
    scored = {"accuracy": (sheet.correct, sheet.replied), "qa": (sheet.overall, sheet.scored)}
    compared = {
        name: comparison_section(
            sheet,
            values.astype(float),
            counted,
            boot,
            open_ended=name == "qa",
            permutations=chosen.permutations,
        )
        for name, (values, counted) in scored.items()
    }
    agreement = expert_sections(experts, chosen.resamples, chosen.seed) if experts else {}
    return {
        "definitions": DEFINITIONS,
        "options": {
            "resamples": chosen.resamples,
            "permutations": chosen.permutations,
            "seed": chosen.seed,
        },
        "headline": chosen.headline if chosen.headline in sheet.arms else sheet.arms[-1],
        "models": {model: group_of(model) for model in sheet.models},
        "languages": sheet.languages,
        "datasets": {dataset: dataset_task(dataset) or "unknown" for dataset in sheet.datasets},
        "arms": arms,
        "mt_against_reviewed": compared,
        "agreement": agreement.get("all", {}),
        "agreement_by_dataset": agreement.get("datasets", {}),
        "agreement_by_group": agreement.get("groups", {}),
        "notes": [
            *(one for arm in arms for one in missing_notes(arms[arm]["missing"], arm)),
            *unpaired_notes(compared),
            *_notes(sheet),
        ],
    }


def _arm(sheet: Sheet, arm: int, boot: ItemBootstrap) -> dict[str, Any]:
    correct = sheet.correct[arm].astype(float)
    accuracy = score_section(sheet, arm, correct, sheet.replied[arm], boot, open_ended=False)
    qa = score_section(sheet, arm, sheet.overall[arm], sheet.scored[arm], boot, open_ended=True)
    add_unscored(qa, sheet, arm)
    if qa:
        qa |= pooled_sections(sheet, arm, boot)
    return {
        "accuracy": accuracy,
        "qa": qa,
        "missing": missing_answers(sheet, arm),
        **refusal_sections(sheet, arm, boot),
        **trace_sections(sheet, arm, boot),
    }


def _notes(sheet: Sheet) -> list[str]:
    notes = []
    if "reviewed" not in sheet.arms:
        notes.append("no answers to reviewed items: there is no headline arm")
    for open_ended, whole, word in ((False, 6, "accuracy"), (True, 3, "open-ended score")):
        held = [sheet.datasets[d] for d in sheet.datasets_of(open_ended=open_ended)]
        if 0 < len(held) < whole:
            notes.append(f"macro mean {word} is over {len(held)} datasets: {', '.join(held)}")
    if len(sheet.languages) < 9:
        notes.append(f"means over languages are over {', '.join(sheet.languages)}")
    if not (sheet.declined >= 0).any():
        notes.append("no refusal records: a declining reply counts as unanswered or answered")
    floors = [model for model in sheet.models if group_of(model) == FLOOR_GROUP]
    if floors:
        alone = len(floors) == len(sheet.models)
        place = (
            "the only answers, so that means over models are theirs"
            if alone
            else ("in no mean over models")
        )
        notes.append(f"floors, no language models, {place}: {', '.join(floors)}")
    by_hand = [model for model in sheet.models if group_of(model) == HAND_GROUP]
    if by_hand:
        notes.append(f"written by hand for the sample, no model under test: {', '.join(by_hand)}")
    strangers = [model for model in sheet.models if group_of(model) == OTHER_GROUP]
    if strangers:
        notes.append(f"in the group {OTHER_GROUP} (not in the panel): {', '.join(strangers)}")
    for index, language in enumerate(sheet.languages):
        somewhere = sheet.exists[:, index].any(axis=0)
        if not somewhere.all():
            notes.append(f"{int((~somewhere).sum())} items have no {language} version")
        for arm, held in zip(sheet.arms, sheet.exists[:, index], strict=True):
            if lacking := int((somewhere & ~held).sum()):
                notes.append(f"{lacking} {language} items have no version in the {arm} arm")
    return notes
