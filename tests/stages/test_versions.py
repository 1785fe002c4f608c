import json
import shutil
import sys

import pytest

from isogloss.benchmark import dataset_version
from isogloss.errors import UsageError
from isogloss.project import find_project
from isogloss.retrieval.staging import without_vectors
from isogloss.retrieval.store import VectorStore
from isogloss.retrieval.tables import Rows, TableSpec, table_name
from isogloss.stages import versions as stage
from isogloss.tracking.runs import DatasetInput, RunRecord, log_run
from isogloss.tracking.store import open_store
from isogloss.versions.pins import pins
from versions.pinned_project import FIRST, dvc, git, make_project, write_families


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DVC_SITE_CACHE_DIR", str(tmp_path_factory.mktemp("site")))
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        folder = tmp_path_factory.mktemp("catalogue")
        make_project(folder / "project", str(folder / "remote"))
        yield folder / "project"


def listed(root, capsys, *arguments):
    stage.run(find_project(root), *arguments, as_json=True)
    captured = capsys.readouterr()
    return json.loads(captured.out), captured.err


def test_tags_commit_and_workspace_without_any_database(root, capsys):
    entries, said = listed(root, capsys)
    assert "no tracking database yet" in said
    assert not (root / "mlflow.db").exists()
    assert not (root / "lancedb").exists()
    first, second = entries
    assert [holder["name"] for holder in first["held_by"]] == ["v1"]
    assert [holder["name"] for holder in second["held_by"]] == ["v2", "HEAD"]
    assert (first["workspace"], second["workspace"]) == (False, True)
    assert second["version"] == dataset_version(root / "benchmark/alpha")
    assert first["held_by"][0]["commit"] == git(root, "rev-parse", "v1").strip()
    assert first["languages"] == {
        "de": {"documents": 4, "queries": 0},
        "en": {"documents": 4, "queries": 4},
    }
    assert (first["documents"], first["queries"]) == (8, 4)
    with pytest.raises(UsageError, match="beta: no such benchmark; there are: alpha"):
        listed(root, capsys, "beta")


def test_runs_and_vectors_of_each_version(root, capsys):
    project = find_project(root)
    first, second = (entry["version"] for entry in listed(root, capsys)[0])
    record = RunRecord(
        experiment="retrieval/alpha",
        name="stub on alpha",
        fingerprint="f" * 32,
        description="",
        metrics={"n": 1},
        datasets=[DatasetInput("alpha", first)],
    )
    run_id = log_run(open_store(project), record).run_id
    name = table_name("alpha", "0123456789abcdef", "document")
    rows = Rows(["a"], ["h"], ["text"])
    store = VectorStore(project.store_uri)
    store.update(TableSpec(name, "stub", None), rows, without_vectors, second)
    entries, said = listed(root, capsys)
    assert "tracking" not in said
    assert [run["id"] for run in entries[0]["runs"]] == [run_id]
    assert entries[0]["vectors"] == entries[1]["runs"] == []
    assert [use["release"] for use in entries[1]["vectors"]] == ["0123456789abcdef"]
    stage.run(project)
    printed = capsys.readouterr().out
    assert f"stub on alpha ({run_id[:8]}" in printed
    assert "de 4/0, en 4/4" in printed
    assert "v2, HEAD, workspace" in printed


def test_what_the_workspace_holds_is_looked_at_and_not_believed(root, capsys, tmp_path):
    copy = tmp_path / "project"
    shutil.copytree(root, copy)
    folder = copy / "benchmark/alpha"
    stale = (folder / "stats.json").read_bytes()
    shutil.rmtree(folder)
    write_families(folder, {"N": {"fr": "neuf"}}, stats=False)
    (folder / "stats.json").write_bytes(stale)
    write_families(copy / "benchmark/beta", FIRST, stats=False)
    (copy / "benchmark/gamma").mkdir()
    (copy / "benchmark/gamma/corpus.jsonl").write_text("{}\n", "utf-8")
    entries, _ = listed(copy, capsys)
    here = [entry for entry in entries if entry["workspace"]]
    assert [entry["benchmark"] for entry in here] == ["alpha", "beta", "gamma"]
    assert here[0]["version"] == dataset_version(folder)
    assert here[0]["languages"] == {
        "en": {"documents": 0, "queries": 1},
        "fr": {"documents": 1, "queries": 0},
    }
    assert here[2]["version"] is None
    assert "gamma" in here[2]["notes"][0]


def test_a_version_whose_content_is_lost_says_so(root, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("DVC_SITE_CACHE_DIR", str(tmp_path / "site"))
    git(tmp_path, "clone", "-q", str(root), "project")
    config = tmp_path / "project/.dvc/config"
    config.write_text(config.read_text("utf-8").replace("/remote", "/elsewhere"), "utf-8")
    entries, _ = listed(tmp_path / "project", capsys)
    pinned = [entry for entry in entries if entry["held_by"]]
    assert [entry["version"] for entry in pinned] == [None, None]
    assert all("dvc push" in entry["notes"][0] for entry in pinned)
    assert pinned[0]["notes"][0].startswith("v1 of ")
    md5 = pins(tmp_path / "project", "v1")["alpha"]
    record = RunRecord(
        experiment="retrieval/alpha",
        name="stub on alpha",
        fingerprint="f" * 32,
        description="",
        metrics={"n": 1},
        datasets=[DatasetInput("alpha", "5" * 32, {"dvc.md5": md5})],
    )
    log_run(open_store(find_project(tmp_path / "project")), record)
    entries, _ = listed(tmp_path / "project", capsys)
    assert [(entry["version"], len(entry["runs"])) for entry in entries] == [
        *(("5" * 32, 1), (None, 0))
    ]


def test_outside_git_the_workspace_alone_is_listed(tmp_path, capsys):
    (tmp_path / "params.yaml").write_text("run: {}\n", "utf-8")
    write_families(tmp_path / "benchmark/alpha", FIRST)
    entries, _ = listed(tmp_path, capsys)
    assert [(entry["held_by"], entry["workspace"]) for entry in entries] == [([], True)]


def test_files_added_to_dvc_and_to_git_count_as_pinned(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("DVC_SITE_CACHE_DIR", str(tmp_path / "site"))
    root = tmp_path / "project"
    write_families(root / "benchmark/added", FIRST)
    write_families(root / "benchmark/plain", {"N": {"fr": "neuf"}})
    (root / "params.yaml").write_text("run: {}\n", "utf-8")
    git(root, "init", "-q")
    dvc(root, "init")
    dvc(root, "add", "benchmark/added")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "one")
    git(root, "tag", "-a", "v1", "-m", "annotated")
    entries, _ = listed(root, capsys)
    assert [(entry["benchmark"], entry["documents"]) for entry in entries] == [
        *(("added", 8), ("plain", 1))
    ]
    for entry in entries:
        assert [holder["name"] for holder in entry["held_by"]] == ["v1", "HEAD"]
        assert len({holder["commit"] for holder in entry["held_by"]}) == 1


def test_the_command_line(root, monkeypatch, capsys):
    from isogloss.cli.main import main

    monkeypatch.chdir(root)
    main_exits(main, ["versions", "alpha"], 0)
    assert "dataset version" in capsys.readouterr().out
    main_exits(main, ["pull", "alpha", "--rev", "v9"], 1)
    said = capsys.readouterr().err
    assert said.startswith("isogloss: v9 of ")
    assert said.count("\n") == 1
    assert "typer" in sys.modules


def main_exits(main, arguments, code):
    with pytest.raises(SystemExit) as done:
        main(arguments)
    assert (done.value.code or 0) == code
