"""Depth figures over the pooled queries of several benchmarks."""

from collections.abc import Mapping
from typing import Any

from isogloss.retrieval.evaluation import add_depth_errors
from isogloss.retrieval.figures import Figures, Scores, depth_figures, gate_verdict, scores
from isogloss.retrieval.gold import pool
from isogloss.retrieval.recall import language_balanced
from isogloss.settings import EvaluationSettings


def pooled_scores(parts: Mapping[str, Scores]) -> Scores:
    """One model's queries of several benchmarks as one table, benchmarks in name order."""
    names = sorted(parts)
    return scores(pool([parts[name].table for name in names], names))


def pooled_figures(
    parts: Mapping[str, Scores], pooled: Scores, options: EvaluationSettings
) -> dict[str, Any]:
    """K80 with its errors, XRC, RRC, knee, floor and ARI over pooled queries, same keys.

    The paper's depth columns pool both patent sources; pooling XRC, RRC and ARI too is our reading.

    Args:
        parts: One model's scores by benchmark.
        pooled: The same scores pooled.
        options: Gate, resamples and seed.

    Returns:
        Figures by key, with `n_queries`, `n_dual_gold`, `gate` and `notes`.
    """
    figures = Figures()
    figures.values["n_queries"] = int(pooled.judged.sum())
    figures.values["n_dual_gold"] = int(pooled.dual.sum())
    depth_figures(figures, pooled)
    add_depth_errors(figures, pooled, options)
    verdict = pool_gate(parts, options.gate)
    figures.put("gate", verdict, "no benchmark of the pool has cross-language gold")
    return figures.values | {"notes": figures.notes}


def pool_gate(parts: Mapping[str, Scores], gate: float) -> str | None:
    """The gate of a pool: failed if any of its benchmarks fails (our reading)."""
    verdicts = set()
    for part in parts.values():
        chosen = part.cross.has
        recall = language_balanced(part.cross.recall(10), part.languages[chosen])
        verdicts.add(gate_verdict(recall, gate))
    return "failed" if "failed" in verdicts else "passed" if "passed" in verdicts else None
