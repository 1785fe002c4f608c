"""Which tracked runs used which dataset versions."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from isogloss.project import Project
from isogloss.tracking.store import SQLITE, Store, tracking_uri

if TYPE_CHECKING:
    from mlflow.entities import Run

PAGE = 1000


@dataclass(frozen=True)
class DatasetRun:
    """One finished run and one of its inputs.

    Attributes:
        run_id: The run.
        name: Its readable name.
        benchmark: The input's name.
        version: The input's digest.
        date: When the run began (ISO date, UTC).
        content: The hash by which DVC knew the dataset then; empty where it did not.
    """

    run_id: str
    name: str
    benchmark: str
    version: str
    date: str
    content: str


def dataset_runs(project: Project) -> list[DatasetRun] | None:
    """Every finished run with a dataset as input; None where nothing was ever tracked here.

    Raises:
        TrackingError: The store cannot be used.
    """
    uri = tracking_uri(project)
    store = Store(project.root, uri)
    # Looking must not make a database: where there is no file there are no runs.
    if uri.startswith(SQLITE) and (store.database is None or not store.database.is_file()):
        return None
    with store.told():
        experiments = [one.experiment_id for one in store.client.search_experiments()]
        return [
            DatasetRun(
                run_id=str(run.info.run_id),
                name=str(run.info.run_name),
                benchmark=str(item.dataset.name),
                version=str(item.dataset.digest),
                date=datetime.fromtimestamp(run.info.start_time / 1000, UTC).date().isoformat(),
                content=_content(item.dataset.source),
            )
            for run in _finished(store, experiments)
            for item in (run.inputs.dataset_inputs if run.inputs else [])
        ]


def _content(source: str) -> str:
    """What a dataset's source says of its DVC version."""
    try:
        tags = json.loads(source).get("tags", {})
    except (ValueError, AttributeError):
        return ""
    return str(tags.get("dvc.md5", ""))


def _finished(store: Store, experiments: list[str]) -> Iterator["Run"]:
    token = None
    while experiments:
        page = store.client.search_runs(
            experiments, "attributes.status = 'FINISHED'", max_results=PAGE, page_token=token
        )
        yield from page
        token = page.token
        if not token:
            return
