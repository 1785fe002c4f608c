"""One fingerprint, one run: unchanged work adds nothing, forced work replaces it."""

import hashlib
import platform
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from isogloss.errors import TrackingError
from isogloss.tracking.names import metric_values
from isogloss.tracking.store import Store

if TYPE_CHECKING:
    from mlflow.entities import Run

FINGERPRINT_TAG = "isogloss.fingerprint"
WRITER_TAG = "isogloss.writer"
NOTE_TAG = "mlflow.note.content"
# Beyond this, an unfinished run of another machine is taken for dead (our reading).
STALE_SECONDS = 3600
LONGEST_DIGEST = 36
# MLflow cuts what is longer, with no more than a warning.
LONGEST_PARAMETER = 6000
LONGEST_TAG = 8000


@dataclass(frozen=True)
class DatasetInput:
    """A dataset as a run's input.

    Attributes:
        name: The benchmark's key.
        digest: The dataset version.
        source: Tags that say where the data comes from.
        profile: Counts shown beside it.
    """

    name: str
    digest: str
    source: Mapping[str, str] = field(default_factory=dict)
    profile: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class RunRecord:
    """Everything that one run holds, known before its first line is written.

    Attributes:
        experiment: Name of the experiment, such as ``retrieval/tico19-cloze``.
        name: A readable name.
        fingerprint: What the figures depend on, hashed.
        description: Markdown shown at the top of the run's page.
        metrics: Figures as in metrics.json; nulls become marks.
        params: Short settings; long texts belong into `files`, with their hash here.
        tags: Where it came from.
        datasets: Its inputs.
        files: Artefacts, from path inside the run to a file or to its bytes.
        tables: Tables for MLflow's own viewer, from name to columns.
        model_id: The LoggedModel that the metrics belong to, with one dataset.
    """

    experiment: str
    name: str
    fingerprint: str
    description: str
    metrics: Mapping[str, Any]
    params: Mapping[str, Any] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    datasets: Sequence[DatasetInput] = ()
    files: Mapping[str, Path | bytes] = field(default_factory=dict)
    tables: Mapping[str, Mapping[str, list[Any]]] = field(default_factory=dict)
    model_id: str | None = None


@dataclass(frozen=True)
class Logged:
    """What became of a record.

    Attributes:
        run_id: The run that holds it now.
        outcome: ``unchanged`` when it was there already, ``completed`` when it takes the place of
            one that was left unfinished.
        differing: Metrics of an unchanged run that differ from the record's: the same definitions
            on other arithmetic or other code. `force` would replace them.
    """

    run_id: str
    outcome: Literal["new", "unchanged", "replaced", "completed"]
    differing: tuple[str, ...] = ()

    def lines(self, experiment: str) -> list[str]:
        """What to tell a user."""
        lines = [f"MLflow: run {self.run_id} in experiment {experiment} ({self.outcome})"]
        if self.differing:
            some = ", ".join(self.differing[:3]) + (", ..." if len(self.differing) > 3 else "")
            lines.append(
                f"MLflow: the tracked run differs in {len(self.differing)} metrics ({some}) though"
                " nothing it depends on has changed; --force replaces it"
            )
        return lines


def log_run(store: Store, record: RunRecord, *, force: bool = False) -> Logged:
    """Bring a record into the store, exactly once.

    A whole run of the same fingerprint is left alone, or with `force` is replaced once the new one
    stands. Runs that a killed process left unfinished are removed. Whoever writes at the same time
    from this project waits; of two machines writing to one server the first run stays.

    Raises:
        TrackingError: The store refused something; no run is left that looks whole.
    """
    _check(record)
    with store.told(), store.alone():
        experiment = store.experiment(record.experiment)
        whole, torn = _same(store, experiment, record.fingerprint)
        for run in torn:
            store.client.delete_run(run.info.run_id)
        if whole and not force:
            run_id = _keep_first(store, whole)
            return Logged(run_id, "unchanged", _differing(whole[0], metric_values(record.metrics)))
        run_id = _write(store, experiment, record)
        for run in whole:
            store.client.delete_run(run.info.run_id)
        store.client.set_terminated(run_id, "FINISHED")
        after, _ = _same(store, experiment, record.fingerprint)
        kept = _keep_first(store, after)
        if kept != run_id:
            return Logged(kept, "unchanged")
        return Logged(run_id, "replaced" if whole else "completed" if torn else "new")


def find_run(store: Store, experiment: str, fingerprint: str) -> str | None:
    """Id of the whole run with a fingerprint; None where there is none."""
    found = store.client.get_experiment_by_name(experiment)
    if found is None:
        return None
    whole, _ = _same(store, found.experiment_id, fingerprint)
    return str(whole[0].info.run_id) if whole else None


def _check(record: RunRecord) -> None:
    for dataset in record.datasets:
        if not 0 < len(dataset.digest) <= LONGEST_DIGEST:
            raise TrackingError(
                f"dataset {dataset.name}: digest {dataset.digest!r} must have 1 to"
                f" {LONGEST_DIGEST} characters"
            )
    for kind, values, longest in (
        ("parameter", record.params, LONGEST_PARAMETER),
        ("tag", {**record.tags, NOTE_TAG: record.description}, LONGEST_TAG),
    ):
        for key, value in values.items():
            if len(str(value)) > longest:
                raise TrackingError(
                    f"{kind} {key}: {len(str(value))} characters, {longest} are kept; store the"
                    " text as a file and its hash here"
                )


def _same(store: Store, experiment: str, fingerprint: str) -> tuple[list["Run"], list["Run"]]:
    """Whole and torn runs of a fingerprint, oldest first."""
    runs = sorted(
        store.client.search_runs([experiment], f"tags.`{FINGERPRINT_TAG}` = '{fingerprint}'"),
        key=lambda run: (run.info.start_time, run.info.run_id),
    )
    whole = [run for run in runs if run.info.status == "FINISHED"]
    dead = [run for run in runs if run.info.status != "FINISHED" and _is_dead(store, run)]
    return whole, dead


def _is_dead(store: Store, run: "Run") -> bool:
    # We hold this project's lock: an unfinished run of ours has no writer any more.
    if store.database is not None or run.data.tags.get(WRITER_TAG) == _writer(store):
        return True
    return bool(time.time() - run.info.start_time / 1000 > STALE_SECONDS)


def _keep_first(store: Store, whole: list["Run"]) -> str:
    for run in whole[1:]:
        store.client.delete_run(run.info.run_id)
    return str(whole[0].info.run_id)


def _differing(run: "Run", metrics: Mapping[str, float]) -> tuple[str, ...]:
    stored = run.data.metrics
    names = sorted({*stored, *metrics})
    return tuple(name for name in names if stored.get(name) != metrics.get(name))


def _writer(store: Store) -> str:
    place = f"{platform.node()}:{store.root.resolve()}"
    return hashlib.sha256(place.encode()).hexdigest()[:16]


def _write(store: Store, experiment: str, record: RunRecord) -> str:
    """Write the run, figures last, and leave it unfinished."""
    from isogloss.tracking import artifacts

    metrics = metric_values(record.metrics)
    tags = {
        **record.tags,
        NOTE_TAG: record.description,
        FINGERPRINT_TAG: record.fingerprint,
        WRITER_TAG: _writer(store),
    }
    run = store.client.create_run(experiment, tags=tags, run_name=record.name)
    run_id = str(run.info.run_id)
    try:
        _log_inputs(store, run_id, record)
        artifacts.log_files(store, run_id, record.files)
        artifacts.log_tables(store, run_id, record.tables)
        _log_figures(store, run_id, record, metrics)
    except BaseException:
        store.client.set_terminated(run_id, "FAILED")
        raise
    return run_id


def _log_inputs(store: Store, run_id: str, record: RunRecord) -> None:
    from mlflow.entities import DatasetInput as Input
    from mlflow.entities import InputTag, LoggedModelInput

    from isogloss.tracking.datasets import BenchmarkDataset

    context = InputTag("mlflow.data.context", "evaluation")
    inputs = [
        Input(
            BenchmarkDataset(item.name, item.digest, item.source, item.profile).entity(), [context]
        )
        for item in record.datasets
    ]
    models = [LoggedModelInput(record.model_id)] if record.model_id else None
    store.client.log_inputs(run_id, inputs, models)


def _log_figures(
    store: Store, run_id: str, record: RunRecord, metrics: Mapping[str, float]
) -> None:
    """Metrics and parameters in one batch: all of them, or the run fails."""
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
        raise TrackingError(f"{store.uri}: run {run_id} lacks metrics {', '.join(missing)}")
