"""The figures of a comparison: gaps and depth on each benchmark, depth on each pool."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from isogloss.report.comparison.depth_panels import ModelCurves, depth_panels
from isogloss.report.comparison.leaderboard import Entry, ranked
from isogloss.report.comparison.model_gaps import ModelRecall, model_gaps
from isogloss.report.evaluation.language_bars import SideRecall
from isogloss.retrieval.comparison import Results
from isogloss.retrieval.evaluation import coverage_curves
from isogloss.retrieval.figures import Scores
from isogloss.retrieval.pooling import pooled_scores


def comparison_figures(
    results: Results,
    entries: Iterable[Entry],
    pools: Mapping[str, Sequence[str]],
    comparison: Mapping[str, Any],
    remarks: Mapping[str, Sequence[str]],
) -> dict[str, bytes]:
    """Draw everything.

    Args:
        results: Scores by benchmark and model.
        entries: The rows of the leaderboard.
        pools: The benchmarks of each pool.
        comparison: The content of comparison.json.
        remarks: By benchmark, what a reader must know beside its figures.

    Returns:
        PNGs by name without suffix.
    """
    figures = {}
    for benchmark, group in ranked(entries).items():
        notes = [*remarks[benchmark], *_pool_notes(group)]
        scores = {entry.model: results[benchmark][entry.model].scores for entry in group}
        figures[f"{benchmark}-gaps"] = model_gaps(
            [_recall(entry, scores[entry.model]) for entry in group],
            f"{benchmark}: recall within and across languages",
            notes,
        )
        curves = [_curves(entry.model, entry.metrics, scores[entry.model]) for entry in group]
        figures[f"{benchmark}-depth"] = depth_panels(
            curves, f"{benchmark}: how deep the foreign gold lies", notes
        )
    for pool, members in pools.items():
        by_model = comparison["pools"][pool]["models"]
        curves = [
            _curves(model, metrics, _pooled(results, members, model))
            for model, metrics in by_model.items()
        ]
        notes = [remark for name in members for remark in remarks.get(name, ())]
        notes += sorted(
            {str(m["notes"]["pool"]) for m in by_model.values() if "pool" in m["notes"]}
        )
        if curves:
            title = f"pool {pool} ({', '.join(members)}): how deep the foreign gold lies"
            figures[f"pool-{pool}-depth"] = depth_panels(curves, title, list(dict.fromkeys(notes)))
    return figures


def _pool_notes(group: Sequence[Entry]) -> list[str]:
    notes = group[0].metrics.get("notes") or {}
    return [str(notes["pool"])] if "pool" in notes else []


def _recall(entry: Entry, scores: Scores) -> ModelRecall:
    sides = {}
    for side, of_side in (("same", scores.same), ("cross", scores.cross)):
        key = f"recall_at_10/{side}"
        value, bounds = entry.metrics.get(key), entry.metrics.get(f"ci/{key}")
        sides[side] = (
            None
            if value is None
            else SideRecall(
                value, None if bounds is None else (bounds[0], bounds[1]), int(of_side.has.sum())
            )
        )
    gated = entry.metrics.get("gate") == "failed"
    return ModelRecall(entry.model, sides["same"], sides["cross"], gated)


def _curves(model: str, metrics: Mapping[str, Any], scores: Scores) -> ModelCurves:
    return ModelCurves(
        model=model,
        gated=metrics.get("gate") == "failed",
        curves=coverage_curves(scores),
        knee=metrics.get("knee"),
        n=int(scores.cross.has.sum()),
    )


def _pooled(results: Results, members: Sequence[str], model: str) -> Scores:
    return pooled_scores({name: results[name][model].scores for name in sorted(set(members))})
