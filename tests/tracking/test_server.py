"""The same promises on a real tracking server over HTTP."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from isogloss.errors import TrackingError
from isogloss.project import Project
from isogloss.settings import Settings
from isogloss.tracking.models import find_model, logged_model
from isogloss.tracking.runs import log_run
from isogloss.tracking.store import Store, open_store

from .servers import free_port, mlflow_server

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, empty_database: bytes) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("server")
    (folder / "mlflow.db").write_bytes(empty_database)
    with mlflow_server(folder, f"sqlite:///{folder / 'mlflow.db'}") as address:
        yield address


@pytest.fixture
def store(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", server)
    return open_store(Project(tmp_path, Settings.model_validate({"run": {}})))


def test_a_server_keeps_the_same_promises(store: Store, record: Any) -> None:
    model = logged_model(store, "minilm", "a" * 16, {"dtype": "float32"}, {})
    assert logged_model(store, "minilm", "a" * 16, {}, {}) == model
    content = '{"再現率": 0.5}'.encode()
    first = log_run(store, record(files={"表/再現率.json": content}, model_id=model))
    assert log_run(store, record(model_id=model)).outcome == "unchanged"
    path = store.client.download_artifacts(first.run_id, "表/再現率.json")
    assert Path(path).read_bytes() == content
    second = log_run(store, record(model_id=model), force=True)
    assert second.outcome == "replaced"
    run = store.client.get_run(second.run_id)
    assert run.info.status == "FINISHED"
    assert [item.model_id for item in run.inputs.model_inputs] == [model]
    found = find_model(store, "a" * 16)
    assert found is not None
    assert {metric.dataset_digest for metric in found.metrics} == {"d" * 32}
    experiment = store.client.get_experiment_by_name("retrieval/tico19-cloze")
    assert experiment is not None
    assert len(store.client.search_runs([experiment.experiment_id])) == 1


def test_a_server_that_is_away_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record: Any
) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    monkeypatch.setenv("MLFLOW_TRACKING_URI", address)
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "0")
    away = open_store(Project(tmp_path, Settings.model_validate({"run": {}})))
    with pytest.raises(TrackingError, match=address) as error:
        log_run(away, record())
    assert "\n" not in str(error.value)
