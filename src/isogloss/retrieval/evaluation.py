"""From a benchmark and a ranking to every figure, grid and table."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from isogloss.benchmark import Benchmark
from isogloss.retrieval.depth import nearest_rank_error
from isogloss.retrieval.figures import DEPTH_PERCENT, Figures, Scores, all_figures, scores
from isogloss.retrieval.gold import pair_table
from isogloss.retrieval.intervals import figure_intervals, gap
from isogloss.retrieval.language_preference import language_preference
from isogloss.retrieval.query_table import Origin, query_table
from isogloss.retrieval.ranking import DEPTH, Ranking
from isogloss.retrieval.recall import CUTOFFS
from isogloss.retrieval.recoverability import coverage_counts
from isogloss.retrieval.routes import route_grid
from isogloss.retrieval.slices import slice_table
from isogloss.retrieval.twins import twin_note
from isogloss.settings import EvaluationSettings


@dataclass(frozen=True)
class Evaluation:
    """Everything one ranking says.

    Attributes:
        metrics: What metrics.json holds: flat keys, `gap`, and `notes` from key to reason.
        routes: recall@10 by query and document language.
        queries: One row a query; its metadata names benchmark and versions.
        slices: Every figure by slice.
        preferences: Which languages the top k prefers; see `language_preference`.
        curves: float64 (1000,) shares of queries covered by depth: `rrc`, and `coverage/same`,
            `coverage/cross`, `coverage/star` over dual-gold queries; only curves with queries.
    """

    metrics: dict[str, Any]
    routes: pa.Table
    queries: pa.Table
    slices: pa.Table
    preferences: pa.Table
    curves: dict[str, npt.NDArray[np.float64]]


def evaluate_ranking(
    benchmark: Benchmark,
    ranking: Ranking,
    options: EvaluationSettings,
    intervals: bool = True,
) -> Evaluation:
    """Compute every figure of one ranking on one benchmark.

    Args:
        benchmark: Documents, queries and qrels.
        ranking: Rows follow `benchmark.queries`.
        options: Gate, resamples, permutations and seed.
        intervals: False leaves out whatever is resampled: errors, intervals and the gap.

    Raises:
        DataError: The ranking has another number of rows than the benchmark has queries.
    """
    scored = scores(pair_table(benchmark, ranking))
    figures = all_figures(scored, options.gate)
    metrics: dict[str, Any] = {}
    if intervals:
        add_depth_errors(figures, scored, options)
        metrics |= _resampled(figures, scored, options)
    figures.notes |= _remarks(benchmark, ranking, scored)
    origin = Origin(benchmark.name, benchmark.version, len(benchmark.documents))
    return Evaluation(
        metrics=figures.values | metrics | {"notes": figures.notes},
        routes=route_grid(scored.table),
        queries=query_table(scored, origin),
        slices=slice_table(scored.table, options.gate),
        preferences=language_preference(benchmark, ranking, options, intervals),
        curves=coverage_curves(scored),
    )


def add_depth_errors(figures: Figures, scored: Scores, options: EvaluationSettings) -> None:
    """Add the standard error of each k80; the share of censored resamples goes to the notes."""
    for name, ranks in scored.depths.items():
        key = f"k80/{name}_se"
        error = nearest_rank_error(ranks, DEPTH_PERCENT, options.depth_resamples, options.seed)
        figures.put(key, error.value, error.reason or "")
        if error.censored:
            figures.notes[key] = (
                f"{error.censored:.1%} of the resamples are censored and count as {DEPTH}"
            )


def coverage_curves(scored: Scores) -> dict[str, npt.NDArray[np.float64]]:
    """Shares of queries whose first gold lies within the top K, for K = 1..1000."""
    by_name = {"rrc": scored.recoverable}
    by_name |= {f"coverage/{name}": ranks for name, ranks in scored.depths.items()}
    return {
        name: coverage_counts(ranks) / len(ranks) for name, ranks in by_name.items() if len(ranks)
    }


def _resampled(figures: Figures, scored: Scores, options: EvaluationSettings) -> dict[str, Any]:
    metrics: dict[str, Any] = {}
    for key, interval in figure_intervals(scored, options).items():
        metrics[f"ci/{key}"] = interval.bounds
        if interval.reason:
            figures.notes[f"ci/{key}"] = interval.reason
    found = gap(scored, options)
    metrics["gap"] = {"delta": found.delta, "ci": found.interval.bounds, "p": found.p}
    for key, value in metrics["gap"].items():
        if value is None:
            figures.notes[f"gap/{key}"] = found.interval.reason or ""
    return metrics


def _remarks(benchmark: Benchmark, ranking: Ranking, scored: Scores) -> dict[str, str]:
    """What a reader must know beside the figures, by topic."""
    notes = {}
    ids = scored.table.query_ids
    if not scored.judged.all():
        left_out = ids[~scored.judged]
        notes["queries_without_gold"] = f"{len(left_out)} left out: {', '.join(left_out)}"
    silent = scored.judged & (ranking.documents < 0).all(axis=1)
    if silent.any():
        notes["queries_without_results"] = f"{silent.sum()} count as 0: {', '.join(ids[silent])}"
    pool = len(benchmark.documents)
    returned = (ranking.documents[:, :DEPTH] >= 0).sum(axis=1)
    short = int((scored.judged & (returned < min(DEPTH, pool))).sum())
    if short:
        queries = "1 query" if short == 1 else f"{short} queries"
        notes["short_rankings"] = (
            f"{queries} got fewer than {min(DEPTH, pool)} documents: "
            "what was not returned counts as a miss"
        )
    if pool <= DEPTH:
        notes["pool"] = (
            f"{pool} documents, at most {DEPTH}: "
            "depth, floor and ARI are exhaustive by construction"
        )
        whole = [f"recall@{k}" for k in CUTOFFS if pool <= k]
        if whole:
            verb = "is" if len(whole) == 1 else "are"
            notes["pool"] += f"; {', '.join(whole)} {verb} 1 wherever all documents are returned"
    return notes | twin_note(benchmark, ranking, scored.judged)
