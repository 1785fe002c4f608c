"""What one run holds, known before its first line is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from isogloss.errors import TrackingError

NOTE_TAG = "mlflow.note.content"
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


def check_record(record: RunRecord) -> None:
    """Refuse what MLflow would cut or choke on, before anything is written.

    Raises:
        TrackingError: Naming the dataset, parameter or tag and how long it may be.
    """
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
