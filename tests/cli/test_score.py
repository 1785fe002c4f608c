"""`isogloss score` inside a project repeats what `evaluate` writes there."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from isogloss.benchmark import Document, DocumentMetadata, Query, QueryMetadata, write_benchmark
from isogloss.cli.main import app
from isogloss.errors import SettingsError

PARAMS = "run: {benchmarks: [], models: []}\nevaluation: {gate: 0.9, resamples: 200}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    documents = [
        Document(f"f{n}:{code}", DocumentMetadata(code, f"f{n}"), "", f"text {n}")
        for n in range(4)
        for code in ("de", "en")
    ]
    queries = [Query(f"q{n}", "text", QueryMetadata("de", f"f{n}")) for n in range(4)]
    qrels = [(f"q{n}", f"f{n}:{code}", 1) for n in range(4) for code in ("de", "en")]
    write_benchmark(tmp_path / "bench", documents, queries, qrels)
    # The last query misses its foreign gold: recall across languages is 0.75.
    lines = [f"q{n} Q0 f{n}:de 1 0.9 t\n" for n in range(4)]
    lines += [f"q{n} Q0 f{n}:en 2 0.8 t\n" for n in range(3)]
    (tmp_path / "run.trec").write_text("".join(lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def gate(folder: Path) -> str:
    call = ["score", "run.trec", "--benchmark", "bench", "--out", "out"]
    done = CliRunner().invoke(app, call, catch_exceptions=False)
    assert done.exit_code == 0
    return str(json.loads((folder / "out" / "metrics.json").read_text("utf-8"))["gate"])


def test_the_project_s_settings_hold(folder: Path) -> None:
    assert gate(folder) == "passed"
    (folder / "params.yaml").write_text(PARAMS, encoding="utf-8")
    assert gate(folder) == "failed"


def test_broken_settings_are_not_passed_over(folder: Path) -> None:
    (folder / "params.yaml").write_text("evaluation: {gaet: 1}\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="gaet"):
        gate(folder)
