"""How far a verifier model and people agree on queries (ChemCLIR-Bench A.3)."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from isogloss.review.bands import BANDS, band
from isogloss.review.criteria import query_criteria
from isogloss.review.query_audit import (
    MODES,
    SCORE_KEYS,
    QueryRating,
    composite,
    human_score,
    model_score,
)
from isogloss.statistics.agreement import cohen_kappa, contingency, exact_share, gwet_ac1


def query_agreement(
    ratings: Sequence[QueryRating], sample: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """Every figure of a query audit.

    Args:
        ratings: What annotators gave; a query rated by several counts once, with their mean.
        sample: The audited rows with the verifier's scores.

    Returns:
        Counts; `mae` on 0-10; `bands` with raw agreement, Cohen's kappa, Gwet's AC1 over the three
        declared bands and their table (rows the people's); the same by mode and by language;
        `criteria` with means and MAE on 0-10; `histograms`; `notes` with a reason for every null.
    """
    by_query: dict[str, list[QueryRating]] = {}
    for rating in ratings:
        by_query.setdefault(rating.query, []).append(rating)
    rows = [row for row in sample if row["query"] in by_query]
    people = [human_score(by_query[row["query"]]) for row in rows]
    figures: dict[str, Any] = {
        "n_sampled": len(sample),
        "n_queries": len(rows),
        "n_ratings": len(ratings),
        "annotators": sorted({rating.annotator for rating in ratings}),
        **_agreement(rows, people),
        "modes": _slices(rows, people, "mode"),
        "languages": _slices(rows, people, "language"),
        "criteria": _by_criterion(rows, by_query),
        "histograms": histograms(rows, people),
    }
    figures["notes"] = _notes(figures)
    return figures


def _agreement(rows: Sequence[dict[str, Any]], people: Sequence[Fraction]) -> dict[str, Any]:
    model = [model_score(row) for row in rows]
    table = contingency([band(one) for one in people], [band(one) for one in model], BANDS)
    apart = [abs(one - other) for one, other in zip(people, model, strict=True)]
    return {
        "human_mean": _mean(people),
        "model_mean": _mean(model),
        "mae": _mean(apart),
        "bands": {
            "names": list(BANDS),
            "table": table.tolist(),
            "raw": exact_share(table),
            "kappa": cohen_kappa(table),
            "ac1": gwet_ac1(table),
        },
    }


def _slices(
    rows: Sequence[dict[str, Any]], people: Sequence[Fraction], key: str
) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for name in sorted({row[key] for row in rows}):
        places = [place for place, row in enumerate(rows) if row[key] == name]
        some = _agreement([rows[place] for place in places], [people[place] for place in places])
        found[name] = {"n_queries": len(places), **some}
    return found


def _by_criterion(
    rows: Sequence[dict[str, Any]], ratings: dict[str, list[QueryRating]]
) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for key in SCORE_KEYS:
        pairs = [
            (
                Fraction(sum(one.scores[key] for one in given), len(given)),
                # 0-5 of the verifier beside 0-10 of people.
                Fraction(2 * row[key]),
            )
            for row in rows
            if key in query_criteria(row["mode"])
            for given in (ratings[row["query"]],)
        ]
        if pairs:
            found[key] = {
                "n_queries": len(pairs),
                "human_mean": _mean([one for one, _ in pairs]),
                "model_mean": _mean([other for _, other in pairs]),
                "mae": _mean([abs(one - other) for one, other in pairs]),
            }
    return found


def histograms(rows: Sequence[dict[str, Any]], people: Sequence[Fraction]) -> dict[str, Any]:
    """Score counts of rated queries by mode, as data for a figure.

    Returns:
        Per mode `human`: ten counts of [0, 1), [1, 2) ... [9, 10]; `model`: 41 counts of the
        composites 0 to 40.
    """
    found = {
        mode: {"human": [0] * 10, "model": counts} for mode, counts in composites(rows).items()
    }
    for row, score in zip(rows, people, strict=True):
        found[row["mode"]]["human"][min(int(score), 9)] += 1
    return found


def composites(rows: Sequence[dict[str, Any]]) -> dict[str, list[int]]:
    """How often the verifier gave each composite 0 to 40, by every mode that has queries."""
    found = {mode: [0] * 41 for mode in MODES if any(row["mode"] == mode for row in rows)}
    for row in rows:
        found[row["mode"]][composite(row)] += 1
    return found


def _mean(values: Sequence[Fraction]) -> float | None:
    return float(sum(values, Fraction(0)) / len(values)) if values else None


def _notes(figures: dict[str, Any]) -> list[str]:
    if not figures["n_queries"]:
        return ["no query has been rated: every figure is null"]
    notes = []
    if figures["n_queries"] < figures["n_sampled"]:
        notes.append(f"{figures['n_sampled'] - figures['n_queries']} sampled queries are not rated")
    if figures["bands"]["kappa"] is None:
        notes.append("kappa is null: people and model put every query into one and the same band")
    for part in ("modes", "languages"):
        notes += [
            f"kappa of {name} is null: one band only"
            for name, one in figures[part].items()
            if one["bands"]["kappa"] is None
        ]
    return notes
