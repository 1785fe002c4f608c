"""The route grid: recall@10 by query language and document language."""

import numpy as np
import pyarrow as pa

from isogloss.retrieval.gold import PairTable

ROUTE_CUTOFF = 10

ROUTES = pa.schema(
    [
        pa.field("query_language", pa.string(), nullable=False),
        pa.field("document_language", pa.string(), nullable=False),
        pa.field("n", pa.int64(), nullable=False),
        pa.field("recall_at_10", pa.float64(), nullable=False),
    ]
)


def route_grid(table: PairTable) -> pa.Table:
    """Recall@10 of each cell that has gold pairs; the diagonal is same-language retrieval.

    A cell's recall is the mean over its queries of the share found of their gold in the cell's
    document language, so the mean of the diagonal is the language-balanced recall; n counts gold
    pairs (our reading).

    Returns:
        Schema `ROUTES`, sorted by query language, then document language.
    """
    sources, source = np.unique(table.query_language[table.query], return_inverse=True)
    targets, target = np.unique(table.document_language, return_inverse=True)
    n_targets, n_queries = len(targets), len(table.query_ids)
    # One group a query and document language, then one cell a route.
    groups, group = np.unique(table.query * n_targets + target, return_inverse=True)
    pairs = np.bincount(group)
    found = np.bincount(group, weights=table.rank <= ROUTE_CUTOFF)
    source_of_query = np.zeros(n_queries, dtype=np.int64)
    source_of_query[table.query] = source
    cell = source_of_query[groups // max(n_targets, 1)] * n_targets + groups % max(n_targets, 1)
    n_cells = len(sources) * n_targets
    queries = np.bincount(cell, minlength=n_cells)
    recalls = np.bincount(cell, weights=found / pairs, minlength=n_cells)
    n_pairs = np.bincount(cell, weights=pairs, minlength=n_cells).astype(np.int64)
    cells = np.flatnonzero(queries)
    return pa.table(
        {
            "query_language": [str(sources[index // n_targets]) for index in cells],
            "document_language": [str(targets[index % n_targets]) for index in cells],
            "n": n_pairs[cells],
            "recall_at_10": recalls[cells] / queries[cells],
        },
        schema=ROUTES,
    )
