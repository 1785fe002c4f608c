"""What an approximate search finds of the exact ranking, and how much of the pool it looks at."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from isogloss.benchmark import Benchmark
from isogloss.retrieval.approximate_search import Level
from isogloss.retrieval.derived import Approximate
from isogloss.retrieval.evaluation import Evaluation
from isogloss.retrieval.ranking import Ranking

CUTOFFS = (10, 100, 1000)
FOUND = tuple(f"exact_top_{k}_found" for k in CUTOFFS)
ALL = "all"

APPROXIMATION = pa.schema(
    [
        pa.field("probes", pa.int64(), nullable=False),
        pa.field("query_language", pa.string(), nullable=False),
        pa.field("queries", pa.int64(), nullable=False),
        pa.field("documents_compared", pa.float64(), nullable=False),
        *(pa.field(name, pa.float64(), nullable=False) for name in FOUND),
    ]
)


def approximation(benchmark: Benchmark, exact: Ranking, levels: Sequence[Level]) -> pa.Table:
    """Measure each level against the exact ranking, over all queries and by query language.

    Shares are means over queries, those without gold among them: no judgement enters (our reading).

    Args:
        benchmark: What was searched.
        exact: Of the same queries and documents; its rows are full.
        levels: Ascending.

    Returns:
        Schema `APPROXIMATION`: `documents_compared` is the mean share of the pool that was looked
        at, `exact_top_K_found` that of a query's exact top K (of the whole pool where it is
        smaller) that is in its approximate top K.
    """
    asked = np.array([query.metadata.language for query in benchmark.queries])
    groups = {ALL: np.ones(len(asked), dtype=bool)}
    groups |= {str(language): asked == language for language in np.unique(asked)}
    rows: list[dict[str, Any]] = []
    for level in levels:
        compared = level.compared / len(benchmark.documents)
        found = [found_of_top(exact, level.ranking, k) for k in CUTOFFS]
        rows += [
            {
                "probes": level.probes,
                "query_language": language,
                "queries": int(chosen.sum()),
                "documents_compared": float(compared[chosen].mean()),
                **{
                    name: float(shares[chosen].mean())
                    for name, shares in zip(FOUND, found, strict=True)
                },
            }
            for language, chosen in groups.items()
        ]
    return pa.Table.from_pylist(rows, schema=APPROXIMATION)


def found_of_top(exact: Ranking, approximate: Ranking, k: int) -> npt.NDArray[np.float64]:
    """float64 (n_queries,): the share of each query's exact top k in its approximate top k."""
    top, other = exact.documents[:, :k], approximate.documents[:, :k]
    shares = [
        np.isin(row, listed[listed >= 0]).mean() for row, listed in zip(top, other, strict=True)
    ]
    return np.array(shares, dtype=np.float64)


def with_approximation(
    evaluation: Evaluation, declaration: Approximate, table: pa.Table, *, shares: bool = True
) -> Evaluation:
    """An evaluation whose metrics say that its ranking is approximate, and how much it loses.

    Args:
        evaluation: Of the ranking at the last number of probes.
        declaration: What made it.
        table: Of `approximation`.
        shares: Whether each share of the table becomes a metric, under a key such as
            ``exact_top_10_found/probes_4/de``, or ``all`` in place of the language; false for a
            reading of another pool than the table is of. The note is there always.
    """
    own = next(
        row
        for row in table.to_pylist()
        if (row["probes"], row["query_language"]) == (declaration.probes[-1], ALL)
    )
    found = ", ".join(found_percent(own[name]) for name in FOUND)
    told = (
        f"probing {declaration.probes[-1]} of {declaration.lists} lists compares "
        f"{own['documents_compared']:.1%} of the documents and finds {found} of the exact top "
        f"{', '.join(str(k) for k in CUTOFFS)} of {declaration.model}"
    )
    flat = {
        f"{name}/probes_{row['probes']}/{row['query_language']}": row[name]
        for row in table.to_pylist()
        for name in ("documents_compared", *FOUND)
    }
    metrics = evaluation.metrics | (flat if shares else {})
    return replace(
        evaluation, metrics=metrics | {"notes": metrics["notes"] | {"approximate": told}}
    )


def found_percent(share: float) -> str:
    """A share as a percentage, rounded down: 100.0% is said only where nothing was lost."""
    return f"{math.floor(share * 1000 + 1e-9) / 10:.1f}%"
