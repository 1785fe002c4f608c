"""Pairwise differences of models as CSV."""

from collections.abc import Iterator, Mapping
from typing import Any

from isogloss.spreadsheet import people_csv

HEADING = (
    *("scope", "name", "a", "b", "n", "delta", "ci_low", "ci_high", "p", "p_holm"),
    *("friedman_statistic", "friedman_p", "reason"),
)


def significance_csv(comparison: Mapping[str, Any]) -> str:
    """Every pair of models on every benchmark and pool: delta = a - b in recall@10 of all golds.

    Args:
        comparison: The content of comparison.json.
    """
    rows: list[list[Any]] = [list(HEADING)]
    for scope, kind in (("benchmark", "benchmarks"), ("pool", "pools")):
        for name, content in comparison.get(kind, {}).items():
            rows += [[scope, name, *row] for row in _rows(content.get("significance") or {})]
    return people_csv(rows)


def _rows(content: Mapping[str, Any]) -> Iterator[list[Any]]:
    overall = content.get("friedman") or {}
    for pair in content.get("pairs", []):
        low, high = pair.get("ci") or (None, None)
        yield [
            *(pair["a"], pair["b"], content["n"], pair["delta"], low, high, pair["p"]),
            *(pair["p_holm"], overall.get("statistic"), overall.get("p")),
            "; ".join(why for why in (pair.get("reason"), overall.get("reason")) if why),
        ]
