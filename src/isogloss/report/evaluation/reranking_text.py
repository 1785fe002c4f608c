"""What a re-ranker reaches of its ceiling, as plain text."""

from collections.abc import Mapping, Sequence
from typing import Any

from isogloss.report.layout.shown import GATED, UNDEFINED, is_gated
from isogloss.report.layout.terminal import columns_text

Rows = Sequence[Mapping[str, Any]]
LABELS = {
    "recall_at_10/cross": "recall@10 cross",
    "hit_at_10/cross": "hit@10 cross",
    "rrc_at_10": "RRC@10",
}
HEADLINE = "rrc_at_10"


def reranking_text(rows: Rows, top: int, metrics: Mapping[str, Any]) -> str:
    """A small table: first stage, re-ranked, ceiling, and the share of it that is reached.

    Args:
        rows: Those of reranking.csv.
        top: How many documents were scored anew.
        metrics: metrics.json of the re-ranker: depth says nothing where its gate failed.
    """
    cells = [["", "first stage", "re-ranked", f"ceiling at {top}", "reached", "headroom won"]]
    for row in rows:
        reached = (_figure(row["reranked"]), _percent(row["share"]), _percent(row["headroom"]))
        figure, *shares = [GATED] * 3 if is_gated(metrics, row["figure"]) else reached
        first, ceiling = _figure(row["first"]), _figure(row["ceiling"])
        cells.append([LABELS[row["figure"]], first, figure, ceiling, *shares])
    heading = (
        f"re-ranking the top {top} against the best that any re-ranker of it could do "
        f"(the ceiling of RRC@10 is RRC@{top} of the first stage)"
    )
    return f"{heading}\n{columns_text(cells)}\n"


def reranking_line(model: str, rows: Rows, metrics: Mapping[str, Any]) -> str | None:
    """The headline of one re-ranker in one sentence; None where it has none."""
    for row in rows:
        if row["figure"] == HEADLINE and row["reranked"] is not None:
            if is_gated(metrics, HEADLINE):
                return f"{model}: RRC@10 {GATED}, so nothing is said of its ceiling"
            return (
                f"{model}: RRC@10 {_figure(row['reranked'])}, its first stage "
                f"{_figure(row['first'])}, its ceiling {_figure(row['ceiling'])}: "
                f"{_percent(row['share'])} of it reached"
            )
    return None


def _figure(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.3f}"


def _percent(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.0%}"
