"""An evaluation as a few lines of plain text."""

from collections.abc import Mapping, Sequence
from typing import Any

from isogloss.report.layout.shown import (
    STANDARD_ERROR,
    UNDEFINED,
    shown,
    shown_depth,
    shown_interval,
)
from isogloss.statistics.p_values import p_is


def evaluation_text(
    name: str,
    metrics: Mapping[str, Any],
    routes: Sequence[Mapping[str, Any]],
    gate: float | None = None,
) -> str:
    """The headline figures, the route grid and what a reader must know beside them.

    Args:
        name: What was evaluated.
        metrics: The content of metrics.json.
        routes: The rows of routes.csv.
        gate: The threshold of the gate, where that is known.
    """
    blocks = [
        f"{name}: {metrics['n_queries']} queries, {metrics['n_dual_gold']} with gold on both sides",
        columns_text(_side_rows(metrics, gate)),
        columns_text(_single_rows(metrics)),
        STANDARD_ERROR if _has_error(metrics) else "",
        "recall@10 by query language (rows) and document language (columns)",
        columns_text(route_rows(routes)),
    ]
    topics = [key for key in metrics["notes"] if key not in metrics and "/" not in key]
    blocks += [f"{topic}: {shortened(metrics['notes'][topic])}" for topic in topics]
    return "\n".join(block for block in blocks if block) + "\n"


def _has_error(metrics: Mapping[str, Any]) -> bool:
    return any(metrics.get(f"k80/{name}_se") is not None for name in ("same", "cross", "star"))


def _side_rows(metrics: Mapping[str, Any], gate: float | None) -> list[list[str]]:
    rows = [["", "same language", "cross language"]]
    for key in ("recall_at_10", "recall_at_25", "recall_at_50", "hit_at_10"):
        label = key.replace("_at_", "@")
        sides = (f"{key}/{side}" for side in ("same", "cross"))
        rows.append([label, *(shown_interval(metrics, side, gate=gate) for side in sides)])
    rows.append(["k80", *(shown_depth(metrics, side) for side in ("same", "cross"))])
    return rows


def _single_rows(metrics: Mapping[str, Any]) -> list[list[str]]:
    gap = metrics["gap"]
    delta, bounds, p = (gap.get(key) for key in ("delta", "ci", "p"))
    gap_text = UNDEFINED if delta is None else f"{delta:.3f}"
    gap_text += "" if bounds is None else f" [{bounds[0]:.3f}, {bounds[1]:.3f}]"
    gap_text += "" if p is None else f", {p_is(p)}"
    rows = [["gap in recall@10", gap_text], ["k80*", shown_depth(metrics, "star")]]
    rows += [
        [label, shown_interval(metrics, key)]
        for label, key in (
            ("XRC 50", "xrc_50"),
            ("RRC@10", "rrc_at_10"),
            ("RRC@100", "rrc_at_100"),
            ("RRC@1000", "rrc_at_1000"),
            ("knee", "knee"),
            ("floor", "floor"),
            ("ARI@10", "ari_at_10"),
            ("ARI@100", "ari_at_100"),
        )
    ]
    return [*rows, ["gate", shown(metrics, "gate")]]


def route_rows(routes: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """The route grid as cells: a header of document languages, then a row a query language."""
    targets = sorted({row["document_language"] for row in routes})
    cells = {(row["query_language"], row["document_language"]): row for row in routes}
    grid = [["", *targets]]
    for source in sorted({row["query_language"] for row in routes}):
        found = [cells.get((source, target)) for target in targets]
        grid.append(
            [source, *(UNDEFINED if row is None else f"{row['recall_at_10']:.2f}" for row in found)]
        )
    return grid


def columns_text(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells as lines, columns aligned at the left and two blanks apart."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def shortened(text: str, length: int = 160) -> str:
    """The beginning of a text that is too long for a line."""
    return text if len(text) <= length else f"{text[: length - 4]} ..."
