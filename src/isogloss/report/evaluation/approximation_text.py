"""What an approximate search finds of the exact ranking, as plain text."""

from collections.abc import Mapping, Sequence
from typing import Any

from isogloss.report.layout.terminal import columns_text
from isogloss.retrieval.approximation import CUTOFFS, FOUND, found_percent


def approximation_text(rows: Sequence[Mapping[str, Any]], lists: int) -> str:
    """A small table: by number of probes and query language, what was looked at and found.

    Args:
        rows: Those of approximation.csv.
        lists: How many are declared.
    """
    tops = [f"top {k}" for k in CUTOFFS]
    cells = [["probes", "query language", "queries", "compared", *tops]]
    for row in rows:
        shares = [found_percent(row[name]) for name in FOUND]
        compared = f"{row['documents_compared']:.1%}"
        language, queries = row["query_language"], str(row["queries"])
        cells.append([str(row["probes"]), language, queries, compared, *shares])
    heading = (
        f"approximate search in {lists} lists: documents compared, and share of the exact top that "
        "is found (mean over queries, rounded down)"
    )
    return f"{heading}\n{columns_text(cells)}\n"
