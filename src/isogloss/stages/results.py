"""The result files of one evaluation, the same for `evaluate` and `score`."""

import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa

from isogloss.errors import DataError
from isogloss.files import read_json, write_json, write_parquet, write_text
from isogloss.retrieval.evaluation import Evaluation
from isogloss.retrieval.second_reading import WITHOUT
from isogloss.spreadsheet import people_csv

METRICS_FILE = "metrics.json"
ROUTES_FILE = "routes.csv"
SLICES_FILE = "slices.csv"
PREFERENCE_FILE = "language_preference.csv"
RERANKING_FILE = "reranking.csv"
APPROXIMATION_FILE = "approximation.csv"
QUERIES_FILE = "queries.parquet"
RUN_FILE = "run.trec.gz"


def write_evaluation(folder: Path, evaluation: Evaluation) -> None:
    """Write all tables and metrics.json; equal results give equal bytes."""
    write_json(folder / METRICS_FILE, evaluation.metrics)
    write_text(folder / ROUTES_FILE, csv_text(evaluation.routes))
    write_text(folder / SLICES_FILE, csv_text(evaluation.slices))
    write_text(folder / PREFERENCE_FILE, csv_text(evaluation.preferences))
    write_parquet(folder / QUERIES_FILE, evaluation.queries)


def write_second_reading(folder: Path, evaluation: Evaluation | None) -> None:
    """Write the reading without machine-translated documents beside the first, or remove it."""
    if evaluation is None:
        shutil.rmtree(folder / WITHOUT, ignore_errors=True)
    else:
        write_evaluation(folder / WITHOUT, evaluation)


def read_metrics(path: Path) -> dict[str, Any]:
    """The content of a metrics.json.

    Raises:
        DataError: It cannot be read, or is no whole result.
    """
    metrics = read_json(path, dict[str, Any], "evaluate again")
    if "n_queries" not in metrics:
        raise DataError(f"{path}: holds no n_queries, so it is no whole result; evaluate again")
    return metrics


def csv_text(table: pa.Table) -> str:
    """A table as CSV that people open; null is an empty cell, floats keep all their digits."""
    columns = [column.to_pylist() for column in table.columns]
    return people_csv([table.column_names, *zip(*columns, strict=True)])
