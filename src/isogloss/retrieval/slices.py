"""Every figure again by query language, document language, setup, mode and office."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from isogloss.retrieval.figures import Figures, all_figures, scores
from isogloss.retrieval.gold import PairTable, Texts

TEXT_FIGURES = ("gate",)
COUNT_FIGURES = ("n_queries", "n_dual_gold", "k80/same", "k80/cross", "k80/star", "knee")


def slice_columns(table: PairTable) -> dict[str, Texts]:
    """The value of each gold pair under each way of slicing; an empty value makes no slice."""
    return {
        "query_language": table.query_language[table.query],
        "document_language": table.document_language,
        "setup": table.setup[table.query],
        "mode": table.mode[table.query],
        "office": table.office,
    }


def slice_table(table: PairTable, gate: float) -> pa.Table:
    """One row a slice that holds gold, with every figure of metrics.json but errors and intervals.

    Slices by document language and office keep a query's gold documents of that value (our
    reading). A slice without gold is absent.

    Args:
        table: The pair table of the whole benchmark.
        gate: The degeneracy gate.

    Returns:
        Columns `slice`, `value`, one a figure, and `notes` with the reason of each null.
    """
    rows = list(_rows(table, gate))
    empty = all_figures(scores(table.only(np.zeros(len(table.query), dtype=bool))), gate)
    columns: dict[str, pa.Array] = {
        "slice": pa.array([dimension for dimension, _, _ in rows], pa.string()),
        "value": pa.array([value for _, value, _ in rows], pa.string()),
    }
    for key in empty.values:
        kind = (
            pa.string()
            if key in TEXT_FIGURES
            else pa.int64()
            if key in COUNT_FIGURES
            else pa.float64()
        )
        columns[key] = pa.array([figures.values[key] for _, _, figures in rows], kind)
    notes = ["; ".join(f"{key}: {why}" for key, why in row[2].notes.items()) for row in rows]
    columns["notes"] = pa.array(notes, pa.string())
    return pa.table(columns)


def _rows(table: PairTable, gate: float) -> Iterator[tuple[str, str, Figures]]:
    for dimension, values in slice_columns(table).items():
        names, codes = np.unique(values, return_inverse=True)
        for code, name in enumerate(names):
            if name:
                yield dimension, str(name), all_figures(scores(table.only(codes == code)), gate)
