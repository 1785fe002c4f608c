"""The result files of one evaluation, the same for `evaluate` and `score`."""

import csv
import io
from pathlib import Path

import pyarrow as pa

from isogloss.files import write_json, write_parquet, write_text
from isogloss.retrieval.evaluation import Evaluation

METRICS_FILE = "metrics.json"
ROUTES_FILE = "routes.csv"
SLICES_FILE = "slices.csv"
QUERIES_FILE = "queries.parquet"
RUN_FILE = "run.trec.gz"


def write_evaluation(folder: Path, evaluation: Evaluation) -> None:
    """Write all tables and metrics.json; equal results give equal bytes."""
    write_json(folder / METRICS_FILE, evaluation.metrics)
    write_text(folder / ROUTES_FILE, csv_text(evaluation.routes))
    write_text(folder / SLICES_FILE, csv_text(evaluation.slices))
    write_parquet(folder / QUERIES_FILE, evaluation.queries)


def csv_text(table: pa.Table) -> str:
    """A table as CSV with LF line ends; null is an empty cell, floats keep all their digits."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.column_names)
    writer.writerows(zip(*(column.to_pylist() for column in table.columns), strict=True))
    return out.getvalue()
