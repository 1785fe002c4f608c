"""What a merge leaves behind: reviewed items in the six-field format, and every review."""

from typing import Any

from isogloss.review.translation_items import Review
from isogloss.review.translation_merge import Merged


def reviewed_rows(merged: Merged, language: str) -> list[dict[str, str]]:
    """The finished items with their final text, by id, in the six-field format."""
    return [
        {
            "id": identifier,
            "language": language,
            "task": merged.items[identifier].task,
            "source_dataset": merged.items[identifier].dataset,
            "input": review.input,
            "target": review.target,
        }
        for identifier, review in sorted(merged.second.items())
    ]


def review_rows(merged: Merged, language: str) -> list[dict[str, Any]]:
    """Every item with a review, by id: the untouched machine translation and both score sets."""
    rows = []
    for identifier, first in sorted(merged.first.items()):
        item, second = merged.items[identifier], merged.second.get(identifier)
        rows.append(
            {
                "id": identifier,
                "language": language,
                "task": item.task,
                "source_dataset": item.dataset,
                "machine": {"input": item.machine_input, "target": item.machine_target},
                "first": _row(first),
                "second": _row(second) if second else None,
                "questions": [
                    {"stage": one.stage, "rule": one.rule, "message": one.message}
                    for one in merged.questions
                    if one.id == identifier
                ],
            }
        )
    return rows


def _row(review: Review) -> dict[str, Any]:
    return {
        "reviewer": review.reviewer,
        "scores": dict(review.scores),
        "input": review.input,
        "target": review.target,
        "comment": review.comment,
    }
