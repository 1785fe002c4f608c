"""Every figure with and without machine-translated documents, from evaluate to the leaderboard."""

import csv
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tracked_projects import BENCHMARK, MODELS, empty_database, make_project

from isogloss.benchmark import read_benchmark, write_benchmark
from isogloss.errors import DataError
from isogloss.project import Project
from isogloss.stages import compare, embed, evaluate, score
from isogloss.tracking.runs import find_run
from isogloss.tracking.store import open_store

WITHOUT = "without-machine-translated"
SECOND = f"{BENCHMARK}.{WITHOUT}"


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project whose Chinese documents are machine translations, evaluated and compared."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        project = make_project(tmp_path_factory.mktemp("second"), translated=True)
        for model in MODELS:
            embed.run(project, BENCHMARK, model)
            evaluate.run(project, BENCHMARK, model)
        compare.run(project)
        yield project


def metrics_of(folder: Path) -> dict:
    return json.loads((folder / "metrics.json").read_text("utf-8"))


def test_the_second_reading_is_that_of_a_benchmark_made_without_them(
    compared: Project, tmp_path: Path
) -> None:
    whole = read_benchmark(compared.benchmark(BENCHMARK))
    left = [one for one in whole.documents if one.metadata.origin != "machine-translated"]
    ids = {one.id for one in left}
    pairs = zip(whole.judged_queries, whole.judged_documents, whole.judged_values, strict=True)
    qrels = [
        (whole.queries[q].id, whole.documents[d].id, int(value))
        for q, d, value in pairs
        if whole.documents[d].id in ids
    ]
    write_benchmark(tmp_path / "benchmark" / BENCHMARK, left, whole.queries, qrels)
    shutil.copytree(compared.root / "models", tmp_path / "models")
    (tmp_path / "mlflow.db").write_bytes(empty_database())
    other = Project(tmp_path, compared.settings)
    # Character n-grams see one text at a time, so vectors are the same in both projects.
    embed.run(other, BENCHMARK, "char-ngrams")
    evaluate.run(other, BENCHMARK, "char-ngrams")
    plain = other.results(BENCHMARK, "char-ngrams")
    assert not (plain / WITHOUT).exists()
    second = compared.results(BENCHMARK, "char-ngrams") / WITHOUT
    assert metrics_of(second) == metrics_of(plain)
    for name in ("routes.csv", "slices.csv"):
        assert (second / name).read_bytes() == (plain / name).read_bytes()
    first = metrics_of(compared.results(BENCHMARK, "char-ngrams"))
    assert first["recall_at_10/cross"] != metrics_of(second)["recall_at_10/cross"]


def test_score_gives_the_same_from_the_run_file(
    compared: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = compared.results(BENCHMARK, "char-ngrams")
    options = compared.settings.evaluation
    score.run(folder / "run.trec.gz", compared.benchmark(BENCHMARK), tmp_path, options)
    for part in (Path(), Path(WITHOUT)):
        for name in ("metrics.json", "routes.csv", "slices.csv", "queries.parquet"):
            assert (tmp_path / part / name).read_bytes() == (folder / part / name).read_bytes()
    assert (
        f"{BENCHMARK}, without machine-translated documents: 20 queries" in capsys.readouterr().out
    )


def test_the_run_holds_both(compared: Project) -> None:
    store = open_store(compared)
    folder = compared.results(BENCHMARK, "char-ngrams")
    identity = json.loads((folder / "identity.json").read_text("utf-8"))
    run_id = find_run(store, f"retrieval/{BENCHMARK}", identity["fingerprint"])
    assert run_id is not None
    logged = store.client.get_run(run_id).data.metrics
    for prefix, metrics in (
        ("", metrics_of(folder)),
        ("without_machine_translated/", metrics_of(folder / WITHOUT)),
    ):
        assert logged[f"{prefix}recall_at_10/cross"] == metrics["recall_at_10/cross"]
        low, high = metrics["ci/recall_at_10/cross"]
        assert logged[f"{prefix}ci/recall_at_10/cross/low"] == low <= high
    stored = Path(store.client.download_artifacts(run_id, ""))
    assert (stored / WITHOUT / "metrics.json").is_file()


def test_the_comparison_ranks_models_on_both(compared: Project) -> None:
    content = json.loads((compared.comparison / "comparison.json").read_text("utf-8"))
    assert set(content["benchmarks"]) == {BENCHMARK, SECOND}
    assert content["benchmarks"][SECOND]["documents"] == 20
    assert content["benchmarks"][BENCHMARK]["documents"] == 30
    assert content["pools"][f"tiny.{WITHOUT}"]["benchmarks"] == [SECOND]
    with (compared.comparison / "leaderboard.csv").open(encoding="utf-8") as lines:
        rows = {(row["benchmark"], row["model"]): row for row in csv.DictReader(lines)}
    for model in MODELS:
        figures = metrics_of(compared.results(BENCHMARK, model) / WITHOUT)
        assert rows[SECOND, model]["recall_at_10/cross"] == repr(figures["recall_at_10/cross"])
        assert rows[SECOND, model] != rows[BENCHMARK, model]
    board = (compared.comparison / "leaderboard.txt").read_text("utf-8")
    assert f"{SECOND}: 20 queries" in board
    assert "some documents are machine translations" in board
    assert "its machine-translated documents are left out here" in board
    assert (compared.comparison / "figures" / f"{SECOND}-depth.png").is_file()


def test_a_model_that_lacks_the_second_reading_is_named(compared: Project, tmp_path: Path) -> None:
    shutil.copytree(compared.root / "results" / "retrieval", tmp_path / "results" / "retrieval")
    project = Project(tmp_path, compared.settings)
    shutil.rmtree(project.results(BENCHMARK, "bm25") / WITHOUT)
    with pytest.raises(DataError, match=f"run `isogloss evaluate {BENCHMARK} bm25`"):
        compare.run(project)
