"""Embed and evaluate on a device that is not the processor: see `apart_device`."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tracked_projects import BENCHMARK, ROOT, empty_database, make_project

from apart_device import apart, memory
from isogloss.project import Project
from isogloss.retrieval import nearest
from isogloss.retrieval.manifest import read_manifest
from isogloss.retrieval.store import VectorStore
from isogloss.stages import embed, evaluate

MODEL = "minilm-l6-en"


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Project, int, int]]:
    """A project that a process with the device embedded and evaluated."""
    with pytest.MonkeyPatch.context() as patch, apart() as call:
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        root = tmp_path_factory.mktemp("apart")
        project = make_project(root)
        shutil.copy(ROOT / "models" / f"{MODEL}.yaml", root / "models")
        yield (project, *call(_both, project))


def _both(project: Project) -> tuple[int, int]:
    """Embed and evaluate; how many products of matrices each ran on the device."""
    nearest.WORTH_A_START = 1
    memory.start()
    embed.run(project, BENCHMARK, MODEL, device="auto")
    encoding = memory.products
    memory.start()
    evaluate.run(project, BENCHMARK, MODEL)
    return encoding, memory.products


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def stored(project: Project) -> dict[str, np.ndarray]:
    manifest = read_manifest(project.manifest(BENCHMARK, MODEL))
    read = VectorStore(project.store_uri).read(manifest.documents.table, manifest.tag)
    return dict(zip(read.ids, read.vectors, strict=True))


def elsewhere(project: Project, folder: Path) -> Project:
    """The same project without results and tracked runs."""
    for name in ("benchmark", "embeddings", "lancedb", "models"):
        shutil.copytree(project.root / name, folder / name)
    shutil.copy(project.root / "params.yaml", folder)
    (folder / "mlflow.db").write_bytes(empty_database())
    return Project(folder, project.settings)


def test_both_took_the_accelerator_that_torch_found(evaluated):
    _, encoding, searching = evaluated
    assert encoding > 10
    assert searching == 1


def test_the_processor_writes_the_same_bytes_from_the_same_vectors(evaluated, tmp_path):
    project, _, _ = evaluated
    before = contents(project.results(BENCHMARK, MODEL))
    assert "run.trec.gz" in before
    copy = elsewhere(project, tmp_path)
    evaluate.run(copy, BENCHMARK, MODEL, device="cpu")
    assert contents(copy.results(BENCHMARK, MODEL)) == before


def test_the_processor_computes_the_same_vectors_but_for_float_noise(evaluated, tmp_path):
    project, _, _ = evaluated
    copy = elsewhere(project, tmp_path)
    shutil.rmtree(copy.root / "lancedb")
    embed.run(copy, BENCHMARK, MODEL, device="cpu")
    found, wanted = stored(project), stored(copy)
    assert found.keys() == wanted.keys()
    assert max(np.abs(found[one] - wanted[one]).max() for one in found) < 1e-6
