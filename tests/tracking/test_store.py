"""The store: which one it is, made once, and still where it was made."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from isogloss.errors import TrackingError
from isogloss.project import Project
from isogloss.settings import Settings
from isogloss.tracking.runs import log_run
from isogloss.tracking.store import Store, open_store, tracking_uri, without_passwords


def test_a_relative_database_lies_in_the_project(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record: Any
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert tracking_uri(project) == f"sqlite:///{tmp_path.resolve() / 'mlflow.db'}"
    log_run(open_store(project), record())
    assert list(elsewhere.iterdir()) == []
    assert (tmp_path / "mlruns" / "retrieval" / "tico19-cloze").is_dir()


def test_the_environment_wins(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")
    assert tracking_uri(project) == "http://127.0.0.1:9"


@pytest.mark.parametrize("uri", ["file:runs", "mlruns", "./mlruns"])
def test_a_folder_of_files_is_refused(tmp_path: Path, uri: str) -> None:
    settings = Settings.model_validate({"run": {}, "tracking": {"uri": uri}})
    with pytest.raises(TrackingError, match=r"sqlite:///mlflow\.db"):
        tracking_uri(Project(tmp_path, settings))


def test_a_moved_clone_is_explained(
    project: Project, store: Store, tmp_path: Path, record: Any
) -> None:
    log_run(store, record())
    moved = tmp_path / "moved"
    moved.mkdir()
    shutil.copy(tmp_path / "mlflow.db", moved)
    shutil.copytree(tmp_path / "mlruns", moved / "mlruns")
    with pytest.raises(TrackingError, match="moved or copied") as error:
        log_run(open_store(Project(moved, project.settings)), record(fingerprint="e" * 32))
    assert "\n" not in str(error.value)


def test_a_broken_database_is_one_line(project: Project, tmp_path: Path) -> None:
    (tmp_path / "mlflow.db").write_bytes(b"this is no database, and long enough to be read" * 40)
    with pytest.raises(TrackingError, match=r"mlflow\.db") as error:
        open_store(project)
    assert "\n" not in str(error.value)


def test_processes_that_open_a_fresh_store_at_once_all_succeed(
    project: Project, script: Any
) -> None:
    (project.root / "mlflow.db").unlink()
    code = (
        "from isogloss.project import find_project\n"
        "from isogloss.tracking.store import open_store\n"
        "open_store(find_project()).client.search_experiments()"
    )
    processes = [script(code) for _ in range(2)]
    for process in processes:
        _, errors = process.communicate(timeout=900)
        assert process.returncode == 0, errors.decode()


def test_an_experiment_deleted_by_hand_is_named(store: Store, record: Any) -> None:
    log_run(store, record())
    found = store.client.get_experiment_by_name("retrieval/tico19-cloze")
    assert found is not None
    store.client.delete_experiment(found.experiment_id)
    with pytest.raises(TrackingError, match="restore --experiment-id"):
        log_run(store, record())


def test_a_password_in_the_address_is_never_shown(tmp_path: Path) -> None:
    store = Store(tmp_path, "postgresql+psycopg2://bench:s3cret@db.example:5432/mlflow")
    assert store.place == "postgresql+psycopg2://bench:***@db.example:5432/mlflow"
    assert without_passwords("POST https://ann:pa:ss@host/api: 503") == (
        "POST https://ann:***@host/api: 503"
    )
    assert without_passwords("http://127.0.0.1:5000/a@b") == "http://127.0.0.1:5000/a@b"


def test_a_database_without_a_server_serves_one_project(
    project: Project, store: Store, tmp_path: Path, record: Any
) -> None:
    """Artefacts lie with whoever made the experiment: another project cannot reach them."""
    log_run(store, record())
    found = store.client.get_experiment_by_name("retrieval/tico19-cloze")
    assert found is not None
    other = Store(tmp_path / "other", "postgresql://bench@db.example/mlflow")
    with pytest.raises(TrackingError, match="mlflow server"):
        other._check_location(str(found.name), str(found.artifact_location))
