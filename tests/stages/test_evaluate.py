"""Evaluate: outputs whole and byte-stable, one run, and nothing of another version."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from tracked_projects import BENCHMARK, empty_database, make_project

from isogloss.errors import (
    DataError,
    EncoderError,
    TrackingError,
    UsageError,
    VersionMismatchError,
)
from isogloss.project import Project
from isogloss.settings import SearchSettings
from isogloss.stages import embed, evaluate, score
from isogloss.tracking.runs import find_run
from isogloss.tracking.store import open_store

FILES = {
    *("metrics.json", "routes.csv", "slices.csv", "queries.parquet", "run.trec.gz"),
    *("identity.json", "figures/languages.png", "figures/routes.png"),
    *("language_preference.csv", "figures/language_preference.png"),
}


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project whose char-ngrams were evaluated once; tests must leave its results as they are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        project = make_project(tmp_path_factory.mktemp("evaluate"))
        embed.run(project, BENCHMARK, "char-ngrams")
        evaluate.run(project, BENCHMARK, "char-ngrams")
        yield project


@pytest.fixture
def copy(evaluated: Project, tmp_path: Path) -> Project:
    """The same project elsewhere, without its tracking store."""
    for folder in ("benchmark", "embeddings", "lancedb", "models", "results"):
        shutil.copytree(evaluated.root / folder, tmp_path / folder)
    shutil.copy(evaluated.root / "params.yaml", tmp_path)
    (tmp_path / "mlflow.db").write_bytes(empty_database())
    return Project(tmp_path, evaluated.settings)


def test_every_output_is_there(evaluated: Project) -> None:
    folder = evaluated.results(BENCHMARK, "char-ngrams")
    assert set(contents(folder)) == FILES
    metrics = json.loads((folder / "metrics.json").read_text("utf-8"))
    assert metrics["n_queries"] == metrics["n_dual_gold"] == 20
    assert metrics["recall_at_10/same"] == 1.0
    identity = json.loads((folder / "identity.json").read_text("utf-8"))
    assert len(identity["remarks"]) == 2
    assert identity["prompts"]["query"] == "Salz"


def test_the_run_holds_all_of_it(evaluated: Project) -> None:
    store = open_store(evaluated)
    folder = evaluated.results(BENCHMARK, "char-ngrams")
    identity = json.loads((folder / "identity.json").read_text("utf-8"))
    run_id = find_run(store, f"retrieval/{BENCHMARK}", identity["fingerprint"])
    assert run_id is not None
    run = store.client.get_run(run_id)
    assert run.info.run_name.startswith(f"char-ngrams on {BENCHMARK} (")
    stored = Path(store.client.download_artifacts(run_id, ""))
    for name, content in contents(folder).items():
        assert (stored / name).read_bytes() == content
    assert (stored / "prompts/query.txt").read_text("utf-8") == "Salz"
    assert {"model.yaml", "manifest.json", "routes.json"} <= set(contents(stored))
    metrics = json.loads((folder / "metrics.json").read_text("utf-8"))
    for key, value in metrics.items():
        if isinstance(value, (int, float)):
            assert run.data.metrics[key] == value
    (dataset,) = run.inputs.dataset_inputs
    assert dataset.dataset.digest == identity["dataset_version"]
    assert run.data.tags["release"] == identity["release"]
    assert run.data.tags["gate"] == metrics["gate"]


def test_again_changes_nothing_and_adds_nothing(
    evaluated: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = evaluated.results(BENCHMARK, "char-ngrams")
    before = contents(folder)
    evaluate.run(evaluated, BENCHMARK, "char-ngrams")
    assert contents(folder) == before
    assert "(unchanged)" in capsys.readouterr().err


def test_another_process_writes_the_same_bytes_and_loads_no_model(
    copy: Project, evaluated: Project
) -> None:
    code = (
        "import sys\n"
        "from isogloss.project import find_project\n"
        "from isogloss.stages import evaluate\n"
        f"evaluate.run(find_project(), {BENCHMARK!r}, 'char-ngrams')\n"
        "assert not {'torch', 'sentence_transformers'} & set(sys.modules)\n"
    )
    shutil.rmtree(copy.root / "results")
    done = subprocess.run([sys.executable, "-c", code], cwd=copy.root, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    written = contents(copy.results(BENCHMARK, "char-ngrams"))
    assert written == contents(evaluated.results(BENCHMARK, "char-ngrams"))


def test_the_run_file_scores_to_the_same_metrics(evaluated: Project, tmp_path: Path) -> None:
    folder = evaluated.results(BENCHMARK, "char-ngrams")
    score.run(
        folder / "run.trec.gz",
        evaluated.benchmark(BENCHMARK),
        tmp_path,
        evaluated.settings.evaluation,
    )
    for name in (
        "metrics.json",
        "routes.csv",
        "slices.csv",
        "queries.parquet",
        "language_preference.csv",
    ):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_a_store_that_is_away_leaves_whole_outputs(
    copy: Project, evaluated: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "0")
    shutil.rmtree(copy.root / "results")
    with pytest.raises(TrackingError, match="is whole, but was not logged") as error:
        evaluate.run(copy, BENCHMARK, "char-ngrams")
    assert "\n" not in str(error.value)
    written = contents(copy.results(BENCHMARK, "char-ngrams"))
    assert written == contents(evaluated.results(BENCHMARK, "char-ngrams"))


def test_a_fresh_clone_computes_the_vectors_it_lacks(copy: Project, evaluated: Project) -> None:
    shutil.rmtree(copy.root / "lancedb")
    shutil.rmtree(copy.root / "results")
    evaluate.run(copy, BENCHMARK, "char-ngrams")
    written = contents(copy.results(BENCHMARK, "char-ngrams"))
    assert written == contents(evaluated.results(BENCHMARK, "char-ngrams"))


def test_vectors_of_another_version_are_refused(copy: Project) -> None:
    make_project(copy.root, extra_query=True)
    with pytest.raises(VersionMismatchError, match="dataset version"):
        evaluate.run(copy, BENCHMARK, "char-ngrams")


def test_vectors_of_another_release_are_refused(copy: Project) -> None:
    path = copy.model("char-ngrams")
    text = path.read_text("utf-8")
    longest = next(line for line in text.splitlines() if line.startswith("longest:"))
    path.write_text(text.replace(longest, "longest: 6"), encoding="utf-8")
    with pytest.raises(VersionMismatchError, match="release"):
        evaluate.run(copy, BENCHMARK, "char-ngrams")


def test_what_is_missing_is_named(copy: Project) -> None:
    with pytest.raises(UsageError, match="no-such"):
        evaluate.run(copy, "no-such", "char-ngrams")
    with pytest.raises(DataError, match=r"bm25\.json.*embed"):
        evaluate.run(copy, BENCHMARK, "bm25")


def test_a_device_that_has_nothing_to_do_is_told(
    copy: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    embed.run(copy, BENCHMARK, "bm25")
    for device, told in (("cuda:7", True), ("cpu", False), ("auto", False)):
        evaluate.run(copy, BENCHMARK, "bm25", force=True, device=device)
        said = "bm25: words are ranked on the processor; device cuda:7 changes nothing"
        assert (said in capsys.readouterr().err) == told


def test_a_device_is_asked_for_though_vectors_are_stored(copy: Project) -> None:
    before = contents(copy.root / "results")
    with pytest.raises(UsageError, match=r"device 'gpu': .*accepted are auto, cpu"):
        evaluate.run(copy, BENCHMARK, "char-ngrams", device="gpu")
    absent = f"cuda:{torch.cuda.device_count()}"
    with pytest.raises(EncoderError, match=f"device {absent}: cannot be used here .*say cpu"):
        evaluate.run(copy, BENCHMARK, "char-ngrams", device=absent)
    settings = copy.settings.model_copy(update={"search": SearchSettings(device=absent)})
    with pytest.raises(EncoderError, match=f"device {absent}"):
        evaluate.run(Project(copy.root, settings), BENCHMARK, "char-ngrams")
    assert contents(copy.root / "results") == before
