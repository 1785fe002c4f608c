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


# What a figure is made of; it says nothing where one of them was degenerate.
PARTS = {
    "first": ("first",),
    "reranked": ("reranked",),
    "ceiling": ("ceiling",),
    "share": ("reranked", "ceiling"),
    "headroom": ("first", "reranked", "ceiling"),
}


def reranking_text(rows: Rows, top: int) -> str:
    """A small table: first stage, re-ranked, ceiling, and the share of it that is reached.

    Args:
        rows: Those of reranking.csv.
        top: How many documents were scored anew.
    """
    cells = [["", "first stage", "re-ranked", f"ceiling at {top}", "reached", "headroom won"]]
    cells += [[LABELS[row["figure"]], *(_cell(row, column) for column in PARTS)] for row in rows]
    heading = (
        f"re-ranking the top {top} against the best that any re-ranker of it could do "
        f"(the ceiling of RRC@10 is RRC@{top} of the first stage)"
    )
    return f"{heading}\n{columns_text(cells)}\n"


def says_nothing(row: Mapping[str, Any], column: str) -> bool:
    """Whether a column of a row is gated: depth, where a ranking it is of was degenerate."""
    return any(is_gated({"gate": row.get(f"{of}_gate")}, row["figure"]) for of in PARTS[column])


def reranking_line(model: str, rows: Rows) -> str | None:
    """The headline of one re-ranker in one sentence; None where it has none."""
    for row in rows:
        if row["figure"] == HEADLINE and row["reranked"] is not None:
            if says_nothing(row, "reranked"):
                return f"{model}: RRC@10 {GATED}, so nothing is said of its ceiling"
            return (
                f"{model}: RRC@10 {_cell(row, 'reranked')}, its first stage "
                f"{_cell(row, 'first')}, its ceiling {_cell(row, 'ceiling')}: "
                f"{_cell(row, 'share')} of it reached"
            )
    return None


def _cell(row: Mapping[str, Any], column: str) -> str:
    value = row[column]
    if says_nothing(row, column):
        return GATED
    if value is None:
        return UNDEFINED
    return f"{value:.0%}" if column in ("share", "headroom") else f"{value:.3f}"
