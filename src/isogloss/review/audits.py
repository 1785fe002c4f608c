"""The kinds of audit under one interface: table in, workbooks out, ratings and figures back."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa

from isogloss.errors import UsageError
from isogloss.review import query_audit, seed_audit
from isogloss.review.cell_text import LONGEST
from isogloss.review.design import Workbook
from isogloss.review.query_figures import composites, query_agreement
from isogloss.review.returns import Return

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Audit:
    """One kind of audit.

    Attributes:
        code: How the codes of its sheets begin.
        schema: Of the table that is sampled.
        identifier: The column that holds the id.
        texts: The columns that are shown and must fit a cell.
        overview: What to say about the whole table that is sampled, as data.
    """

    code: str
    schema: pa.Schema
    identifier: str
    texts: tuple[str, ...]
    checked: Callable[[pa.Table, str], Rows]
    sample: Callable[[Rows, int, int], Rows]
    workbook: Callable[[Rows, str, str], Workbook]
    ratings: Callable[[Return, str], Sequence[Any]]
    figures: Callable[[Sequence[Any], Rows], dict[str, Any]]
    overview: Callable[[Rows], dict[str, Any]]


AUDITS = {
    "queries": Audit(
        "query-audit",
        query_audit.QUERY_AUDIT,
        "query",
        ("text", "evidence", "answer"),
        query_audit.checked_queries,
        query_audit.sample_queries,
        query_audit.query_workbook,
        query_audit.query_ratings,
        query_agreement,
        lambda rows: {"n_queries": len(rows), "composites": composites(rows)},
    ),
    "seed": Audit(
        "seed-audit",
        seed_audit.SEED_AUDIT,
        "document",
        ("source", "translation"),
        seed_audit.checked_seeds,
        seed_audit.sample_seeds,
        seed_audit.seed_workbook,
        seed_audit.seed_ratings,
        lambda ratings, sample: seed_audit.seed_figures(ratings, len(sample)),
        lambda rows: {"n_documents": len(rows)},
    ),
}


def audit_kind(name: str) -> Audit:
    """Look a kind of audit up.

    Raises:
        UsageError: There is no such kind.
    """
    if name not in AUDITS:
        raise UsageError(f"no audit of {name!r}; there are {', '.join(AUDITS)}")
    return AUDITS[name]


def fitting(audit: Audit, rows: Rows) -> tuple[Rows, list[str]]:
    """Part rows whose texts fit a cell from the ids of those that do not."""
    fits, long = [], []
    for row in rows:
        # Half the limit leaves room for characters that take two units or are escaped.
        whole = all(len(row[name]) <= LONGEST // 2 for name in audit.texts)
        if whole:
            fits.append(row)
        else:
            long.append(str(row[audit.identifier]))
    return fits, long


def rating_rows(ratings: Sequence[Any]) -> Rows:
    """Ratings as plain rows for a file."""
    return [asdict(rating) for rating in ratings]
