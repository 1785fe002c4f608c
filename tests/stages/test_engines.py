"""Whole stages on Ray: the bytes of the local engine, also where a worker is killed."""

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from killing import SOURCE, embedded, evaluated, ingested, lay_out
from tracked_projects import BENCHMARK

import ray_work
from isogloss.patents import google
from isogloss.project import Project, find_project
from isogloss.retrieval import embedding
from isogloss.stages import corpus, embed, evaluate

MODEL = "char-ngrams"

pytestmark = pytest.mark.usefixtures("ray_engine")


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("engines") / "start"
    lay_out(folder)
    return folder


@pytest.fixture
def two(start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Project, Project]:
    """The same project twice: for the local engine, and for Ray."""
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    local, there = (Path(shutil.copytree(start, tmp_path / name)) for name in ("local", "ray"))
    return find_project(local), find_project(there)


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_corpus_is_the_same_bytes_where_a_worker_was_killed(
    two: tuple[Project, Project], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    local, there = two
    corpus.run(local, SOURCE)
    marker = tmp_path / "died"
    monkeypatch.setattr(google, "scan_to_files", partial(ray_work.dying_scan, marker=marker))
    corpus.run(there, SOURCE, "ray")
    assert marker.exists()
    assert ingested(there) == ingested(local)
    assert files(there.corpus(SOURCE).parent) == files(local.corpus(SOURCE).parent)


@pytest.mark.slow
def test_vectors_are_the_same_bits_and_none_twice_where_an_actor_was_killed(
    two: tuple[Project, Project], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    local, there = two
    embed.run(local, BENCHMARK, MODEL, "cpu")
    marker = tmp_path / "died"
    dying = partial(ray_work.dying_embed_batch, marker=marker)
    monkeypatch.setattr(embedding, "embed_batch", dying)
    embed.run(there, BENCHMARK, MODEL, "cpu", engine="ray")
    assert marker.exists()
    assert embedded(there) == embedded(local)


@pytest.mark.slow
def test_an_evaluation_on_ray_makes_what_is_lacking_and_writes_the_same_bytes(
    two: tuple[Project, Project], capsys: pytest.CaptureFixture[str]
) -> None:
    local, there = two
    for project in two:
        embed.run(project, BENCHMARK, MODEL, "cpu")
    # As in a fresh clone, which has the manifest and no vectors.
    shutil.rmtree(there.store_uri)
    evaluate.run(local, BENCHMARK, MODEL)
    evaluate.run(there, BENCHMARK, MODEL, engine="ray")
    assert "lacks the vectors" in capsys.readouterr().err
    assert embedded(there) == embedded(local)
    assert files(there.results(BENCHMARK, MODEL)) == files(local.results(BENCHMARK, MODEL))
    # The engine is no part of what was evaluated: a second run, elsewhere, adds none.
    evaluate.run(there, BENCHMARK, MODEL)
    assert evaluated(there)["runs"] == ["FINISHED"]


def test_where_nothing_is_to_be_done_nothing_starts(two: tuple[Project, Project]) -> None:
    _, project = two
    embed.run(project, BENCHMARK, "bm25", engine="ray://nowhere.invalid:10001")
    assert project.manifest(BENCHMARK, "bm25").is_file()


def test_params_yaml_names_the_engine_and_an_option_another(
    two: tuple[Project, Project], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, project = two
    params = project.root / "params.yaml"
    params.write_text(f"engine: ray\n{params.read_text('utf-8')}", encoding="utf-8")
    project = find_project(project.root)
    asked: list[Any] = []
    opened: Callable[[str], Any] = corpus.open_engine
    monkeypatch.setattr(corpus, "open_engine", lambda name: asked.append(name) or opened(name))
    corpus.run(project, SOURCE)
    corpus.run(project, SOURCE, "local")
    assert asked == ["ray", "local"]
