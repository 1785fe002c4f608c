"""Real stores in temporary folders, and records small enough to write many of."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from isogloss.project import Project
from isogloss.settings import Settings
from isogloss.tracking.runs import DatasetInput, RunRecord
from isogloss.tracking.store import Store, open_store


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A freshly migrated database, made once: the migrations cost a second."""
    root = tmp_path_factory.mktemp("template")
    store = open_store(Project(root, Settings.model_validate({"run": {}})))
    assert store.database is not None
    return store.database.read_bytes()


@pytest.fixture
def project(tmp_path: Path, empty_database: bytes, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project with an empty tracking store."""
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    (tmp_path / "mlflow.db").write_bytes(empty_database)
    (tmp_path / "params.yaml").write_text("run: {}\n", encoding="utf-8")
    return Project(tmp_path, Settings.model_validate({"run": {}}))


@pytest.fixture
def store(project: Project) -> Store:
    """The project's open store."""
    return open_store(project)


Recorder = Callable[..., RunRecord]


@pytest.fixture
def record() -> Recorder:
    """Make a small whole record, with some of it changed."""

    def make(**changes: Any) -> RunRecord:
        base: dict[str, Any] = {
            "experiment": "retrieval/tico19-cloze",
            "name": "minilm on tico19-cloze",
            "fingerprint": "f" * 32,
            "description": "**minilm** on tico19-cloze",
            "metrics": {"recall_at_10/same": 0.5, "recall_at_10/cross": 0.25},
            "params": {"languages": "de, no"},
            "tags": {"release": "abc"},
            "datasets": [DatasetInput("tico19-cloze", "d" * 32)],
            "files": {"metrics.json": b"{}"},
            "tables": {"routes.json": {"query_language": ["de"], "n": [3]}},
        }
        return RunRecord(**{**base, **changes})

    return make


Script = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def script(project: Project) -> Script:
    """Start Python code in another process, in the project's folder."""

    def start(code: str, **environment: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=project.root,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    return start
