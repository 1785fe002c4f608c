import json
import shutil
from pathlib import Path

import pytest

from isogloss.benchmark import Document, DocumentMetadata, Query, QueryMetadata
from isogloss.cli.main import main
from isogloss.errors import UsageError
from isogloss.project import Project
from isogloss.qac.export import export
from isogloss.qac.exports.croissant import Publication
from isogloss.qac.provenance import Provenance
from isogloss.settings import Settings
from isogloss.stages import benchmark_export

SETTINGS = {
    "run": {},
    "sources": {"small": {"format": "parallel", "languages": ["en"]}},
    "benchmarks": {"small-title": {"source": "small", "maker": "title"}},
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path / "project", Settings.model_validate(SETTINGS))
    for name, attribution in (("small-title", "By us."), ("taken", "")):
        export(
            made.benchmark(name),
            [Document("D", DocumentMetadata("en", "D", origin="human-translated"), text="text")],
            [Query("Q", "text", QueryMetadata("en", "D", "known-item", "title"))],
            [("Q", "D", 1)],
            Provenance("small", "Made.", {"maker": "title"}, attribution=attribution),
        )
    raw = made.raw("small")
    raw.mkdir(parents=True)
    (raw / "LICENSE-small").write_text("Do good.\n")
    (made.root / "params.yaml").write_text(json.dumps(SETTINGS))
    return made


def test_the_command_line_exports(project, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(project.root)
    call = ["benchmark", "export", "small-title", "--format", "croissant", "--out", "out"]
    with pytest.raises(SystemExit) as ended:
        main([*call, "--license", "MIT", "--published", "2026-01-31"])
    assert ended.value.code == 0
    out = project.root / "out"
    assert (out / "LICENSE-small").read_text() == "Do good.\n"
    assert json.loads((out / "croissant.json").read_text())["datePublished"] == "2026-01-31"
    assert not (out / "README.md").exists()
    said = capsys.readouterr().err
    assert "also requires creator, url: --creator, --url" in said
    with pytest.raises(SystemExit) as ended:
        main(call)
    assert ended.value.code == 2
    assert "--force" in capsys.readouterr().err


def test_everything_is_written_by_default(project, tmp_path, capsys) -> None:
    benchmark_export.run(project, "small-title", tmp_path / "out")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"README.md", "mteb_task.py", "croissant.json", "ATTRIBUTION.md"} <= names
    metadata = json.loads((tmp_path / "out" / "mteb_task.json").read_text())
    assert metadata["main_score"] == "recall_at_10"  # there is no gold across languages
    assert metadata["sample_creation"] == "human-translated"
    assert "told in words only" in capsys.readouterr().err


def test_a_benchmark_without_credit_says_so(project, tmp_path, capsys) -> None:
    benchmark_export.run(project, "taken", tmp_path / "out")
    assert not (tmp_path / "out" / "ATTRIBUTION.md").exists()
    assert "find out before sharing it" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("nowhere", {}, "no such benchmark; there are: small-title, taken$"),
        ("..", {}, "a key holds only"),
        ("taken", {"format_name": "csv"}, "huggingface, mteb, croissant, all"),
        ("taken", {"publication": Publication(published="yesterday")}, "must be a date"),
        ("taken", {"licence": "mine"}, "no SPDX identifier"),
    ],
)
def test_a_wrong_call_is_refused(project, tmp_path, name, options, message) -> None:
    with pytest.raises(UsageError, match=message):
        benchmark_export.run(project, name, tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


def test_a_declared_benchmark_that_is_missing_says_how_to_make_it(project, tmp_path) -> None:
    shutil.rmtree(project.benchmark("small-title"))
    with pytest.raises(UsageError, match=r"make it first \(isogloss queries small-title\)"):
        benchmark_export.run(project, "small-title", tmp_path / "out")
    with pytest.raises(
        UsageError, match=r"did you mean small-title\? there are: small-title, taken"
    ):
        benchmark_export.run(project, "smal-title", tmp_path / "out")


@pytest.mark.parametrize("place", [".", "benchmark", "benchmark/taken", "benchmark/taken/x", ".."])
def test_the_project_is_never_replaced(project, place: str) -> None:
    with pytest.raises(UsageError, match="holds the project or lies in a benchmark"):
        benchmark_export.run(project, "taken", project.root / place, force=True)
