"""A reading budget for models on benchmarks and pools: one row a target, model and coverage."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from isogloss.retrieval.budget import ReadingDepth, reading_depth
from isogloss.retrieval.comparison import Results, check_versions
from isogloss.retrieval.figures import Scores, gate_verdict
from isogloss.retrieval.pooling import pooled_scores
from isogloss.retrieval.ranking import DEPTH
from isogloss.retrieval.recall import language_balanced
from isogloss.settings import EvaluationSettings


@dataclass(frozen=True)
class Need:
    """What one model needs on one target.

    Attributes:
        target: A benchmark, or ``pool`` and a pool's key.
        model: The model's key.
        reading: The depth, or why there is none.
        exhaustive: A pool of at most 1000 documents: whatever is gold is in the ranking, so depth
            says little about a larger one.
    """

    target: str
    model: str
    reading: ReadingDepth
    exhaustive: bool


def needs(
    results: Results,
    pools: Mapping[str, Sequence[str]],
    coverages: Sequence[float],
    options: EvaluationSettings,
    benchmarks: Sequence[str] | None = None,
) -> list[Need]:
    """Plan every model on every target.

    Args:
        results: By benchmark, then by model.
        pools: The benchmarks of each pool to plan; a model without all of them is left out.
        coverages: Wanted shares of queries.
        options: Gate, confidence, resamples and seed.
        benchmarks: Those to plan by themselves; all of `results` where not given.

    Raises:
        VersionMismatchError: Results of two dataset versions or metric definitions meet.
        UsageError: A coverage is no share.
    """
    check_versions(results)
    rows: list[Need] = []
    for name in results if benchmarks is None else benchmarks:
        for model, scored in results[name].items():
            parts = {name: scored.scores}
            small = scored.origin.documents <= DEPTH
            rows += _rows(name, model, parts, scored.scores, small, coverages, options)
    for pool, members in pools.items():
        names = sorted(set(members))
        shared = [set(results.get(name, {})) for name in names]
        for model in results.get(names[0], {}):
            if not all(model in models for models in shared):
                continue
            parts = {name: results[name][model].scores for name in names}
            small = any(results[name][model].origin.documents <= DEPTH for name in names)
            pooled = pooled_scores(parts)
            rows += _rows(f"pool {pool}", model, parts, pooled, small, coverages, options)
    return rows


def _rows(
    target: str,
    model: str,
    parts: Mapping[str, Scores],
    scored: Scores,
    small: bool,
    coverages: Sequence[float],
    options: EvaluationSettings,
) -> list[Need]:
    refusal = gate_refusal(parts, options.gate)
    return [
        Need(target, model, reading_depth(scored, coverage, options, refusal), small)
        for coverage in coverages
    ]


def gate_refusal(parts: Mapping[str, Scores], gate: float) -> str | None:
    """The benchmarks on which the degeneracy gate fails, as a reason; None where it passes."""
    failed = []
    for name, part in sorted(parts.items()):
        recall = language_balanced(part.cross.recall(10), part.languages[part.cross.has])
        if gate_verdict(recall, gate) == "failed":
            failed.append(f"{_below(recall or 0.0, gate)} on {name}")
    if not failed:
        return None
    return f"gate failed: recall@10 across languages is {', '.join(failed)}, under {gate:.2f}"


def _below(value: float, gate: float) -> str:
    """A value under the gate with as many decimals as it takes to see that it is under it."""
    shown = (f"{value:.{digits}f}" for digits in range(3, 17))
    return next((text for text in shown if float(text) < gate), repr(value))
