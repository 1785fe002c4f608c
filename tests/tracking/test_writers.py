"""Several writers at once: nothing doubled, nothing lost, whatever holds the store."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from isogloss.project import Project
from isogloss.settings import Settings
from isogloss.tracking.models import EXPERIMENT, RELEASE_TAG
from isogloss.tracking.runs import FINGERPRINT_TAG
from isogloss.tracking.store import Store, open_store

from . import writer
from .servers import mlflow_server, postgres, postgres_programs

pytestmark = pytest.mark.slow

NAMES = ("ada", "ben", "cem", "dai")
needs_postgres = pytest.mark.skipif(
    postgres_programs() is None, reason="PostgreSQL is not installed"
)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=needs_postgres)])
def server(request: Any, tmp_path: Path, empty_database: bytes) -> Iterator[str]:
    folder = tmp_path / "server"
    folder.mkdir()
    if request.param == "sqlite":
        (folder / "mlflow.db").write_bytes(empty_database)
        with mlflow_server(folder, f"sqlite:///{folder / 'mlflow.db'}", workers=2) as address:
            yield address
        return
    with postgres() as database, mlflow_server(folder, database, workers=2) as address:
        yield address


def write(folders: dict[str, Path], gate: Path, **environment: str) -> dict[str, dict[str, Any]]:
    """Let every writer go at the same moment, and give what each says."""
    gate.unlink(missing_ok=True)
    processes = {
        name: subprocess.Popen(
            [sys.executable, writer.__file__, name, str(gate)],
            cwd=folder,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name, folder in folders.items()
    }
    try:
        for process in processes.values():
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n", process.communicate()[1]
        gate.touch()
        said = {}
        for name, process in processes.items():
            output, errors = process.communicate(timeout=900)
            assert process.returncode == 0, errors
            said[name] = json.loads(output)
        return said
    finally:
        for process in processes.values():
            if process.poll() is None:
                process.kill()
                process.communicate()


def check(store: Store) -> dict[str, str]:
    """Each evaluation is one whole run with one model; gives the run of each."""
    expected = {evaluation for name in NAMES for evaluation in writer.evaluations(name)}
    found = store.client.get_experiment_by_name(f"retrieval/{writer.BENCHMARK}")
    models = store.client.get_experiment_by_name(EXPERIMENT)
    assert found is not None
    assert models is not None
    runs = store.client.search_runs([found.experiment_id])
    assert sorted(run.data.tags[FINGERPRINT_TAG] for run in runs) == sorted(expected)
    logged = store.client.search_logged_models([models.experiment_id])
    releases = {model.model_id: model.tags[RELEASE_TAG] for model in logged}
    assert sorted(releases.values()) == sorted(f"release-of-{name}" for name in expected)
    for run in runs:
        evaluation = run.data.tags[FINGERPRINT_TAG]
        assert run.info.status == "FINISHED"
        assert run.data.metrics == writer.metrics(evaluation)
        path = store.client.download_artifacts(run.info.run_id, "表/größe.txt")
        assert Path(path).read_bytes() == writer.content(evaluation)
        inputs = store.client.get_run(run.info.run_id).inputs
        assert [releases[item.model_id] for item in inputs.model_inputs] == [
            f"release-of-{evaluation}"
        ]
        assert [item.dataset.digest for item in inputs.dataset_inputs] == ["d" * 32]
    return {run.data.tags[FINGERPRINT_TAG]: run.info.run_id for run in runs}


def test_machines_that_write_to_one_server_at_once(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", server)
    folders = {name: tmp_path / name for name in NAMES}
    for folder in folders.values():
        folder.mkdir()
        (folder / "params.yaml").write_text("run: {}\n", encoding="utf-8")
    store = open_store(Project(tmp_path, Settings.model_validate({"run": {}})))
    write(folders, tmp_path / "go")
    runs = check(store)

    again = write(folders, tmp_path / "go")
    assert check(store) == runs
    for name, said in again.items():
        assert said == {one: [runs[one], "unchanged"] for one in writer.evaluations(name)}


def test_processes_that_write_to_one_local_database_at_once(project: Project) -> None:
    gate = project.root / "go"
    said = write(dict.fromkeys(NAMES, project.root), gate)
    runs = check(open_store(project))
    for evaluation in writer.SHARED:
        assert {done[evaluation][0] for done in said.values()} == {runs[evaluation]}
        outcomes = sorted(done[evaluation][1] for done in said.values())
        assert outcomes == ["new", "unchanged", "unchanged", "unchanged"]
    write(dict.fromkeys(NAMES, project.root), gate)
    assert check(open_store(project)) == runs
