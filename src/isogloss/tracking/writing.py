"""A record's parts into a run of MLflow: attachments first, figures last."""

import time
from collections.abc import Mapping
from typing import Any

from isogloss.errors import TrackingError
from isogloss.tracking import artifacts
from isogloss.tracking.records import NOTE_TAG, RunRecord
from isogloss.tracking.store import Store

INPUT_ATTEMPTS = 5
INPUT_PAUSE = 0.1


def start_run(store: Store, experiment: str, record: RunRecord, marks: Mapping[str, str]) -> str:
    """Begin a run that names what it will hold, and give its id.

    Args:
        store: The tracking store.
        experiment: The experiment's id.
        record: What it will hold.
        marks: Tags of ours beside the record's.
    """
    tags = {**record.tags, NOTE_TAG: record.description, **marks}
    run = store.client.create_run(experiment, tags=tags, run_name=record.name)
    return str(run.info.run_id)


def write_attachments(store: Store, run_id: str, record: RunRecord) -> None:
    """Inputs, artefacts and tables."""
    _log_inputs(store, run_id, record)
    artifacts.log_files(store, run_id, record.files)
    artifacts.log_tables(store, run_id, record.tables)


def _log_inputs(store: Store, run_id: str, record: RunRecord) -> None:
    from mlflow.entities import DatasetInput as Input
    from mlflow.entities import InputTag, LoggedModelInput
    from mlflow.exceptions import MlflowException

    from isogloss.tracking.datasets import BenchmarkDataset

    context = InputTag("mlflow.data.context", "evaluation")
    inputs = [
        Input(
            BenchmarkDataset(item.name, item.digest, item.source, item.profile).entity(), [context]
        )
        for item in record.datasets
    ]
    models = [LoggedModelInput(record.model_id)] if record.model_id else None
    for attempt in range(INPUT_ATTEMPTS):
        try:
            store.client.log_inputs(run_id, inputs, models)
            return
        except MlflowException:
            # MLflow looks a dataset up and then adds it: of two writers the later one is refused
            # whole, and finds it on the next attempt.
            if attempt + 1 == INPUT_ATTEMPTS:
                raise
            time.sleep(INPUT_PAUSE * (attempt + 1))


def write_figures(
    store: Store, run_id: str, record: RunRecord, metrics: Mapping[str, float]
) -> None:
    """Metrics and parameters in one batch: all of them, or the run fails.

    Raises:
        TrackingError: A metric did not arrive.
    """
    from mlflow.entities import Metric, Param

    now = int(time.time() * 1000)
    link: dict[str, Any] = {}
    if record.model_id and len(record.datasets) == 1:
        (only,) = record.datasets
        link = {
            "model_id": record.model_id,
            "dataset_name": only.name,
            "dataset_digest": only.digest,
        }
    store.client.log_batch(
        run_id,
        metrics=[Metric(name, value, now, 0, **link) for name, value in sorted(metrics.items())],
        params=[Param(key, str(value)) for key, value in sorted(record.params.items())],
    )
    stored = store.client.get_run(run_id).data.metrics
    missing = sorted(set(metrics) - set(stored))
    if missing:
        raise TrackingError(f"{store.place}: run {run_id} lacks metrics {', '.join(missing)}")
