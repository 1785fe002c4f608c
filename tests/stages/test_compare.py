"""Compare and leaderboard: whole outputs, one run, and never two versions in one table."""

import csv
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tracked_projects import BENCHMARK, MODELS, empty_database, make_project

from isogloss.errors import DataError, TrackingError, UsageError, VersionMismatchError
from isogloss.files import read_parquet, write_parquet
from isogloss.project import Project
from isogloss.settings import RunSettings
from isogloss.stages import compare, embed, evaluate, leaderboard
from isogloss.tracking.store import open_store

FILES = {
    *("comparison.json", "leaderboard.csv", "leaderboard.tex", "leaderboard.txt", "metrics.json"),
    *("significance.csv", f"figures/{BENCHMARK}-gaps.png", f"figures/{BENCHMARK}-depth.png"),
    "figures/pool-tiny-depth.png",
}


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project of two evaluated models, compared once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        project = make_project(tmp_path_factory.mktemp("compare"))
        for model in MODELS:
            embed.run(project, BENCHMARK, model)
            evaluate.run(project, BENCHMARK, model)
        compare.run(project)
        yield project


@pytest.fixture
def results(compared: Project, tmp_path: Path) -> Project:
    """The evaluations alone, in a project of their own."""
    shutil.copytree(compared.root / "results" / "retrieval", tmp_path / "results" / "retrieval")
    (tmp_path / "mlflow.db").write_bytes(empty_database())
    return Project(tmp_path, compared.settings)


def test_every_output_is_there_and_stays_the_same(compared: Project, results: Project) -> None:
    first = contents(compared.comparison)
    assert set(first) == FILES
    compare.run(results)
    assert contents(results.comparison) == first
    with (compared.comparison / "significance.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert [(row["scope"], row["name"]) for row in rows] == [
        ("benchmark", BENCHMARK),
        ("pool", "tiny"),
    ]
    assert all("three systems" in row["reason"] for row in rows)


def test_one_run_holds_it(compared: Project, capsys: pytest.CaptureFixture[str]) -> None:
    compare.run(compared)
    assert "(unchanged)" in capsys.readouterr().err
    store = open_store(compared)
    experiment = store.client.get_experiment_by_name("comparison")
    assert experiment is not None
    (run,) = store.client.search_runs([experiment.experiment_id])
    assert run.info.run_name.startswith("2 models on 1 benchmark (")
    assert [item.dataset.name for item in run.inputs.dataset_inputs] == [BENCHMARK]
    content = json.loads((compared.comparison / "comparison.json").read_text("utf-8"))
    (pair,) = content["benchmarks"][BENCHMARK]["significance"]["pairs"]
    metrics = run.data.metrics
    assert metrics[f"{BENCHMARK}/pairs/bm25 vs char-ngrams/p_holm"] == pair["p_holm"]
    assert metrics["pool/tiny/bm25/floor"] == content["pools"]["tiny"]["models"]["bm25"]["floor"]
    stored = Path(store.client.download_artifacts(run.info.run_id, ""))
    assert contents(stored) == contents(compared.comparison)


def test_the_leaderboard_is_printed_again(
    compared: Project, results: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    leaderboard.run(compared)
    output = capsys.readouterr().out
    assert output.startswith((compared.comparison / "leaderboard.txt").read_text("utf-8"))
    assert "isogloss ui" in output
    with pytest.raises(DataError, match="isogloss compare"):
        leaderboard.run(results)


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [("dataset_version", "e" * 32, "dataset versions"), ("metrics_version", "0", "definitions 0")],
)
def test_two_versions_are_never_mixed(results: Project, key: str, value: str, named: str) -> None:
    path = results.results(BENCHMARK, "bm25") / "queries.parquet"
    table = read_parquet(path)
    metadata = {**(table.schema.metadata or {}), key.encode(): value.encode()}
    write_parquet(path, table.replace_schema_metadata(metadata))
    with pytest.raises(VersionMismatchError, match=named) as error:
        compare.run(results)
    assert value in str(error.value)
    assert not results.comparison.exists()


def test_missing_evaluations_are_named(results: Project) -> None:
    shutil.rmtree(results.results(BENCHMARK, "bm25"))
    with pytest.raises(DataError, match=f"isogloss evaluate {BENCHMARK} bm25"):
        compare.run(results)
    compare.run(results, models=["char-ngrams"])
    assert set(contents(results.partial_comparison([BENCHMARK], ["char-ngrams"]))) == FILES


def test_what_was_evaluated_and_is_named_nowhere_is_told(
    results: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    run = results.settings.run.model_copy(update={"models": ["char-ngrams"]})
    named = Project(results.root, results.settings.model_copy(update={"run": run}))
    compare.run(named)
    assert f"{BENCHMARK}: evaluated, but not compared" in capsys.readouterr().err
    compare.run(named, models=["char-ngrams"])
    assert "not compared" not in capsys.readouterr().err


def test_a_part_never_takes_the_place_of_the_whole(results: Project) -> None:
    compare.run(results)
    whole = contents(results.comparison)
    compare.run(results, models=["bm25"])
    assert contents(results.comparison) == whole


def test_nothing_to_compare_is_said(results: Project) -> None:
    settings = results.settings.model_copy(update={"run": RunSettings()})
    with pytest.raises(UsageError, match=r"run\.benchmarks is empty"):
        compare.run(Project(results.root, settings))


def test_a_broken_identity_is_named(results: Project) -> None:
    path = results.results(BENCHMARK, "bm25") / "identity.json"
    path.write_bytes(msgspec.json.encode({"benchmark": 1}))
    with pytest.raises(DataError, match=r"bm25/identity\.json"):
        compare.run(results)


def test_a_store_that_is_away_leaves_whole_outputs(
    compared: Project, results: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "file:///nowhere")
    with pytest.raises(TrackingError, match="is whole, but was not logged"):
        compare.run(results)
    assert contents(results.comparison) == contents(compared.comparison)


@pytest.mark.parametrize("content", ["{", "{}", "[]"])
def test_broken_metrics_are_named(results: Project, content: str) -> None:
    path = results.results(BENCHMARK, "bm25") / "metrics.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=r"bm25/metrics\.json: .*evaluate again"):
        compare.run(results)
