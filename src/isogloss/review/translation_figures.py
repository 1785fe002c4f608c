"""Scores and agreement of the two reviewers (HealMed appendix E)."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from isogloss.review.translation_items import DIMENSIONS, Review
from isogloss.review.translation_merge import Merged
from isogloss.statistics.agreement import cohen_kappa, contingency, exact_share, within_share

SCALE = (1, 2, 3, 4, 5)


def review_figures(merged: Merged) -> dict[str, Any]:
    """Every figure of one language's review but the revision rate, which needs its word rules.

    Returns:
        Counts; `scores`: per dimension and pooled the mean of reviewer 1, of reviewer 2 and of
        both, over finished items; `agreement`: exact share, within-one share and quadratic-weighted
        kappa over the declared 1-5; `revised` counts; `questions` by rule; `notes`.
    """
    finished = sorted(merged.second)
    first = [merged.first[one] for one in finished]
    second = [merged.second[one] for one in finished]
    figures: dict[str, Any] = {
        "n_items": len(merged.items),
        "n_first": len(merged.first),
        "n_finished": len(finished),
        "n_refused": merged.refused,
        "reviewers": {
            "first": sorted({review.reviewer for review in merged.first.values()}),
            "second": sorted({review.reviewer for review in second}),
        },
        "scores": {},
        "agreement": {},
        "revised": {
            "by_first": sum(
                not review.keeps(merged.items[one]) for one, review in merged.first.items()
            ),
            "by_second": sum(
                (review.input, review.target) != (merged.first[one].input, merged.first[one].target)
                for one, review in merged.second.items()
            ),
            "finished": sum(
                not review.keeps(merged.items[one]) for one, review in merged.second.items()
            ),
        },
        "questions": dict(sorted(Counter(one.rule for one in merged.questions).items())),
    }
    for name, dimensions in (*((one, (one,)) for one in DIMENSIONS), ("pooled", DIMENSIONS)):
        one, other = _scores(first, dimensions), _scores(second, dimensions)
        figures["scores"][name] = {
            "first": _mean(one),
            "second": _mean(other),
            "both": _mean([*one, *other]),
        }
        table = contingency(one, other, SCALE)
        figures["agreement"][name] = {
            "n": len(one),
            "exact": exact_share(table),
            "within_one": within_share(table),
            "kappa_quadratic": cohen_kappa(table, quadratic=True),
        }
    figures["notes"] = _notes(figures)
    return figures


def _scores(reviews: Sequence[Review], dimensions: Sequence[str]) -> list[int]:
    return [review.scores[dimension] for dimension in dimensions for review in reviews]


def _mean(values: Sequence[int]) -> float | None:
    return sum(values) / len(values) if values else None


def _notes(figures: dict[str, Any]) -> list[str]:
    if not figures["n_finished"]:
        return ["no item has both reviews: scores and agreement are null"]
    notes = []
    if figures["n_finished"] < figures["n_items"]:
        notes.append(f"{figures['n_items'] - figures['n_finished']} items are not finished")
    notes += [
        f"kappa of {name} is null: both reviewers gave one and the same score throughout"
        for name, one in figures["agreement"].items()
        if one["kappa_quadratic"] is None
    ]
    return notes
