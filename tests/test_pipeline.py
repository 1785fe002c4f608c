"""The whole pipeline by DVC, MLflow and LanceDB: data changes, and only what it touches runs."""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mlflow.entities import ViewType

from isogloss.project import find_project
from isogloss.tracking.store import open_store

pytestmark = pytest.mark.slow

MODELS = ("bm25", "char-ngrams")
BENCHMARK = "google-patents-title"
PARAMS = """
run:
  benchmarks: [google-patents-title]
  models: [bm25, char-ngrams]
  derived: {}
sources:
  google-patents:
    format: google-patents
    languages: [de, en, es, fr, zh]
    origin: synthetic
    selection: {chemistry: true, minimum_words: 50}
benchmarks:
  google-patents-title: {source: google-patents, maker: title}
seed_translations: {}
llm_benchmarks: {}
pools: {}
medical: {languages: [], arms: [], models: [], headline: [], items: none.jsonl, reviews: none}
plan: {coverages: [0.8], price: null, seconds: null}
evaluation: {resamples: 200, depth_resamples: 200, permutations: 200}
"""
ADDED = "EP-9999999-A1"


@pytest.fixture
def clone(tmp_path: Path, root: Path) -> Path:
    """A clone with its own data, store and tracking; one family is held back."""
    for part in ("dvc.yaml", ".dvcignore", ".gitignore"):
        shutil.copy(root / part, tmp_path / part)
    shutil.copytree(root / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "params.yaml").write_text(PARAMS, encoding="utf-8")
    (tmp_path / "models").mkdir()
    for model in MODELS:
        shutil.copy(root / "models" / f"{model}.yaml", tmp_path / "models")
    raw = tmp_path / "data" / "patents" / "google-patents"
    raw.mkdir(parents=True)
    for path in (root / "data" / "patents" / "google-patents").iterdir():
        shutil.copy(path, raw)
    run(tmp_path, "git", "init", "-q")
    run(tmp_path, sys.executable, "-m", "dvc", "init", "-q")
    run(tmp_path, sys.executable, "-m", "dvc", "add", "-q", "data")
    return tmp_path


def run(folder: Path, *command: str) -> str:
    binaries = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}"}
    environment |= {"DVC_NO_ANALYTICS": "1", "TOKENIZERS_PARALLELISM": "false"}
    done = subprocess.run(
        command, cwd=folder, env=environment, text=True, capture_output=True, timeout=1800
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def repro(folder: Path) -> str:
    return run(folder, sys.executable, "-m", "dvc", "repro")


def embedded(output: str, side: str) -> dict[str, tuple[int, int, int]]:
    """Texts embedded, reused and deleted by model."""
    line = rf"{BENCHMARK} (\S+) {side} texts: (\d+) \w+, (\d+) reused, (\d+) deleted"
    return {
        model: (int(new), int(old), int(gone)) for model, new, old, gone in re.findall(line, output)
    }


def tracked_runs(folder: Path) -> list[str]:
    client = open_store(find_project(folder)).client
    found = client.get_experiment_by_name(f"retrieval/{BENCHMARK}")
    assert found is not None
    return sorted(run.info.run_id for run in client.search_runs([found.experiment_id]))


def whole_store(folder: Path) -> list[tuple[str, str, str]]:
    """Every run and model there is or ever was, with its state."""
    client = open_store(find_project(folder)).client
    experiments = [one.experiment_id for one in client.search_experiments()]
    runs = client.search_runs(experiments, run_view_type=ViewType.ALL)
    models = client.search_logged_models(experiments)
    return sorted(
        [("run", run.info.run_id, run.info.lifecycle_stage) for run in runs]
        + [("model", model.model_id, str(model.status)) for model in models]
    )


def added_patent() -> dict[str, object]:
    texts = {
        "en": "A process removes arsenic from drinking water over granules of iron oxide. ",
        "de": "Ein Verfahren entfernt Arsen aus Trinkwasser über Körnern aus Eisenoxid. ",
        "fr": "Un procédé élimine l'arsenic de l'eau potable sur des granulés d'oxyde de fer. ",
    }
    return {
        "publication_number": ADDED,
        "country_code": "EP",
        "family_id": "99999999",
        "publication_date": 20200101,
        "title_localized": [{"text": text[:40], "language": code} for code, text in texts.items()],
        "abstract_localized": [
            {"text": text * 6, "language": code, "truncated": False} for code, text in texts.items()
        ],
        "cpc": [{"code": "C02F 1/28"}],
    }


def test_one_added_patent_embeds_its_family_and_adds_one_run_per_model(clone: Path) -> None:
    first = repro(clone)
    before = {model: counts[0] for model, counts in embedded(first, "document").items()}
    assert set(before) == set(MODELS)
    assert all(
        counts[1:] == (0, 0) or counts[0] > 0 for counts in embedded(first, "document").values()
    )
    runs = tracked_runs(clone)
    assert len(runs) == len(MODELS)
    metrics = (clone / "results/retrieval" / BENCHMARK / "char-ngrams/metrics.json").read_bytes()

    everything = whole_store(clone)
    again = repro(clone)
    assert "Data and pipelines are up to date" in again
    assert not embedded(again, "document")
    assert whole_store(clone) == everything

    # Run again against DVC's advice, every stage finds its run in place: the store stays as it is.
    run(clone, sys.executable, "-m", "dvc", "repro", "-f")
    assert whole_store(clone) == everything

    shard = clone / "data" / "patents" / "google-patents" / "publications-000000000009.jsonl.gz"
    shard.write_bytes(gzip.compress(json.dumps(added_patent()).encode() + b"\n"))
    third = repro(clone)
    documents = (clone / "benchmark" / BENCHMARK / "corpus.jsonl").read_text("utf-8").count("\n")
    assert embedded(third, "document") == dict.fromkeys(MODELS, (3, documents - 3, 0))
    assert {counts[0] for counts in embedded(third, "query").values()} == {3}
    after = tracked_runs(clone)
    assert set(runs) < set(after)
    assert len(after) == len(runs) + len(MODELS)

    shard.unlink()
    fourth = repro(clone)
    assert tracked_runs(clone) == after
    assert all(counts[0] == 0 for counts in embedded(fourth, "document").values())
    restored = clone / "results/retrieval" / BENCHMARK / "char-ngrams/metrics.json"
    assert restored.read_bytes() == metrics
