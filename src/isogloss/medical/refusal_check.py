"""How well a classifier tells refusals: its verdicts on labelled samples in nine languages."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from isogloss.medical.data import load
from isogloss.medical.refusing import Case


@dataclass(frozen=True)
class Sample:
    """A labelled reply."""

    case: Case
    language: str
    refused: bool


def refusal_samples() -> list[Sample]:
    """All samples, language by language, declines first."""
    data = load("refusal_samples")
    return [
        Sample(Case(f"check/{language}/{kind}/{index}", question, reply), language, refused)
        for language, question in data["question"].items()
        for kind, refused in (("declines", True), ("answers", False))
        for index, reply in enumerate(data[kind][language])
    ]


def refusal_agreement(samples: Sequence[Sample], verdicts: Sequence[bool | None]) -> dict[str, Any]:
    """Compare verdicts with labels.

    Args:
        samples: What was classified.
        verdicts: One a sample; None where the classifier gave none that can be used.

    Returns:
        Over all and by language: ``n`` = ``right`` + ``missed`` (declines taken for answers) +
        ``false_alarms`` + ``unusable``, the ``share`` right of n; and every wrong case by name.
    """
    languages: dict[str, dict[str, Any]] = {}
    wrong = []
    for sample, verdict in zip(samples, verdicts, strict=True):
        if verdict == sample.refused:
            outcome = "right"
        else:
            outcome = (
                "unusable" if verdict is None else "missed" if sample.refused else "false_alarms"
            )
            wrong.append({"case": sample.case.name, "outcome": outcome, "reply": sample.case.reply})
        for name in ("all", sample.language):
            counts = languages.setdefault(
                name, {"n": 0, "right": 0, "missed": 0, "false_alarms": 0, "unusable": 0}
            )
            counts["n"] += 1
            counts[outcome] += 1
    for counts in languages.values():
        counts["share"] = counts["right"] / counts["n"]
    return {"languages": languages, "wrong": wrong}
