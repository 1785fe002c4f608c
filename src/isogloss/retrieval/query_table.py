"""queries.parquet: one row a query with its ranks and recalls; all figures follow from it."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from isogloss.errors import DataError
from isogloss.files import read_parquet
from isogloss.retrieval.figures import Scores, scores
from isogloss.retrieval.gold import BEYOND, PairTable, texts
from isogloss.retrieval.recall import CUTOFFS, HIT_CUTOFF, SIDES, Floats, Mask, side_scores
from isogloss.schema import conform

METRICS_VERSION = "1"
"""Raised whenever a figure's definition changes: results of two definitions are never mixed."""

GOLD = pa.struct(
    [
        pa.field("document", pa.string(), False),
        pa.field("language", pa.string(), False),
        pa.field("office", pa.string(), False),
        pa.field("rank", pa.int32()),
    ]
)

QUERIES = pa.schema(
    [
        *(
            pa.field(name, pa.string(), nullable=False)
            for name in ("query", "language", "family", "cluster", "setup", "mode")
        ),
        # Null ranks are golds that are not in the top 1000.
        pa.field("golds", pa.list_(GOLD), nullable=False),
        pa.field("gold_same", pa.int32(), nullable=False),
        pa.field("gold_cross", pa.int32(), nullable=False),
        pa.field("rank_same", pa.int32()),
        pa.field("rank_cross", pa.int32()),
        pa.field("rank_star", pa.int32()),
        # Over all golds of the query, whatever their language.
        pa.field("recall_at_10", pa.float64()),
        *(
            pa.field(name, pa.float64())
            for side in SIDES
            for name in (*(f"recall_at_{k}/{side}" for k in CUTOFFS), f"hit_at_{HIT_CUTOFF}/{side}")
        ),
    ]
)


@dataclass(frozen=True)
class Origin:
    """What a table of queries was computed from; kept in the file's own metadata."""

    benchmark: str
    dataset_version: str
    documents: int
    metrics_version: str = METRICS_VERSION


def query_table(scored: Scores, origin: Origin) -> pa.Table:
    """Lay out per-query scores as a table of schema `QUERIES`, its origin in the metadata."""
    table = scored.table
    columns: dict[str, pa.Array] = {
        "query": table.query_ids,
        "language": table.query_language,
        "family": table.query_family,
        "cluster": table.query_cluster,
        "setup": table.setup,
        "mode": table.mode,
        "golds": _golds(table),
        "gold_same": scored.same.gold.astype(np.int32),
        "gold_cross": scored.cross.gold.astype(np.int32),
        "rank_same": _null_unless(scored.same.first, scored.same.first < BEYOND),
        "rank_cross": _null_unless(scored.cross.first, scored.cross.first < BEYOND),
    }
    star = np.maximum(scored.same.first, scored.cross.first)
    columns["rank_star"] = _null_unless(star, star < BEYOND)
    everything = side_scores(table, "all")
    columns["recall_at_10"] = _spread(everything.recall(10), everything.has)
    for side in SIDES:
        of_side = scored.same if side == "same" else scored.cross
        for k in CUTOFFS:
            columns[f"recall_at_{k}/{side}"] = _spread(of_side.recall(k), of_side.has)
        columns[f"hit_at_{HIT_CUTOFF}/{side}"] = _spread(of_side.hit(HIT_CUTOFF), of_side.has)
    metadata = {key: str(value) for key, value in vars(origin).items()}
    arrays = [pa.array(columns[field.name], field.type) for field in QUERIES]
    return pa.Table.from_arrays(arrays, schema=QUERIES.with_metadata(metadata))


def read_query_table(path: Path) -> tuple[Scores, Origin]:
    """Read queries.parquet back into scores.

    Raises:
        DataError: The file is missing, has another schema, or does not say where it comes from.
    """
    table = read_parquet(path)
    metadata = {
        key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()
    }
    try:
        origin = Origin(
            benchmark=metadata["benchmark"],
            dataset_version=metadata["dataset_version"],
            documents=int(metadata["documents"]),
            metrics_version=metadata["metrics_version"],
        )
    except (KeyError, ValueError) as error:
        raise DataError(
            f"{path}: does not name its benchmark and versions; score it anew"
        ) from error
    return scores(_pairs(conform(table, QUERIES, str(path)))), origin


def _pairs(table: pa.Table) -> PairTable:
    golds = table["golds"].combine_chunks()
    lengths = golds.value_lengths().to_numpy(zero_copy_only=False)
    document, language, office, rank = golds.flatten().flatten()
    text = {name: texts(table[name].to_pylist()) for name in QUERIES.names[:6]}
    return PairTable(
        query_ids=text["query"],
        query_language=text["language"],
        query_family=text["family"],
        query_cluster=text["cluster"],
        setup=text["setup"],
        mode=text["mode"],
        query=np.repeat(np.arange(len(table), dtype=np.int32), lengths),
        document_ids=texts(document.to_pylist()),
        document_language=texts(language.to_pylist()),
        office=texts(office.to_pylist()),
        rank=rank.fill_null(BEYOND).to_numpy(),
    )


def _golds(table: PairTable) -> pa.Array:
    """The pairs of each query as a list column; pairs are grouped by query already."""
    counts = np.bincount(table.query, minlength=len(table.query_ids))
    values = pa.StructArray.from_arrays(
        [
            pa.array(table.document_ids, pa.string()),
            pa.array(table.document_language, pa.string()),
            pa.array(table.office, pa.string()),
            _null_unless(table.rank, table.rank < BEYOND),
        ],
        fields=list(GOLD),
    )
    offsets = pa.array(np.concatenate([[0], np.cumsum(counts)]), pa.int32())
    return pa.ListArray.from_arrays(offsets, values, type=pa.list_(GOLD))


def _null_unless(values: np.ndarray, defined: Mask) -> pa.Array:
    return pa.array(values, mask=~defined)


def _spread(values: Floats, has: Mask) -> pa.Array:
    """Values of some queries over all queries, null for the others."""
    column = np.zeros(len(has))
    column[has] = values
    return _null_unless(column, has)
