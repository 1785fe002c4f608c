"""Language preference as a few lines of plain text."""

from collections.abc import Mapping, Sequence
from typing import Any

from isogloss.report.layout.shown import UNDEFINED
from isogloss.report.layout.terminal import columns_text

SHOWN_K = 10

Rows = Sequence[Mapping[str, Any]]


def preference_text(rows: Rows, k: int = SHOWN_K) -> str:
    """The grid of one k: query languages in rows, document languages in columns.

    Args:
        rows: Those of language_preference.csv.
        k: Which cut.
    """
    cells = preference_cells(rows, k)
    if len(cells) == 1:
        return ""
    heading = (
        f"language preference of the top {k}: share of a document language (columns) there, times "
        "its share of the pool"
    )
    return f"{heading}\n{columns_text(cells)}\n"


def preference_cells(rows: Rows, k: int) -> list[list[str]]:
    """The grid of one k as cells, its head first."""
    chosen = [row for row in rows if row["k"] == k]
    targets = sorted({row["document_language"] for row in chosen})
    by_route = {(row["query_language"], row["document_language"]): row for row in chosen}
    grid = [["", *targets]]
    for source in sorted({row["query_language"] for row in chosen}):
        values = [by_route[source, target]["preference"] for target in targets]
        grid.append([source, *(UNDEFINED if one is None else f"{one:.2f}" for one in values)])
    return grid
