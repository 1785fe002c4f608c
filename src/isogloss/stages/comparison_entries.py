"""From comparison.json and metrics.json to the rows of the leaderboard."""

from collections.abc import Mapping
from typing import Any

from isogloss.report.comparison.leaderboard import Entry


def board_entries(
    comparison: Mapping[str, Any],
    metrics: Mapping[str, Mapping[str, Any]],
    gate: float | None = None,
) -> list[Entry]:
    """One row a benchmark and model, with the letters of its significance groups.

    Args:
        comparison: The content of comparison.json.
        metrics: The content of metrics.json by benchmark and model.
        gate: The threshold of the gate.
    """
    rows = []
    for benchmark, by_model in metrics.items():
        compared = comparison["benchmarks"][benchmark]
        letters = (compared["significance"] or {}).get("letters") or {}
        version = compared["dataset_version"]
        rows += [
            Entry(benchmark, model, figures, str(letters.get(model, "")), gate, version)
            for model, figures in by_model.items()
        ]
    return rows


def pool_entries(comparison: Mapping[str, Any]) -> list[Entry]:
    """One row a pool and model."""
    return [
        Entry(f"pool {pool}", model, figures)
        for pool, content in comparison["pools"].items()
        for model, figures in content["models"].items()
    ]
