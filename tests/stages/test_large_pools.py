"""Pools whose vectors pass by in blocks: the same bytes and the same checks as in memory."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tracked_projects import BENCHMARK, PARAMS, empty_database, make_project

from isogloss.benchmark import (
    Document,
    DocumentMetadata,
    Query,
    QueryMetadata,
    read_benchmark,
    write_benchmark,
)
from isogloss.errors import StoreError
from isogloss.project import Project
from isogloss.retrieval.checked_blocks import CheckedBlocks
from isogloss.retrieval.manifest import Manifest, read_manifest
from isogloss.retrieval.retrieve import Where, retrieve
from isogloss.retrieval.store import VectorStore
from isogloss.stages import embed

MODEL = "char-ngrams"
FAMILIES = 75
FIRST = 10


def write(project: Project, families: range) -> None:
    """Two languages a family; every 37th family says the same, so that scores tie."""
    documents, queries, qrels = [], [], []
    for number in families:
        family = f"f{number:03d}"
        for language, text in (("de", "Katalysator"), ("en", "catalyst for ammonia")):
            key = f"{family}:{language}"
            metadata = DocumentMetadata(language, family, "EP", "synthetic")
            documents.append(Document(key, metadata, "", f"{text} {number % 37}"))
            query = QueryMetadata(language, family, "known-item", "title")
            queries.append(Query(f"{key}:q", text[:9], query))
            qrels += [(f"{key}:q", f"{family}:{other}", 1) for other in ("de", "en")]
    folder = project.benchmark(BENCHMARK)
    shutil.rmtree(folder)
    write_benchmark(folder, documents, queries, qrels)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """150 vectors of 8 kB, embedded in two goes: the first ids stand last in the table."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        project = make_project(tmp_path_factory.mktemp("large"))
        for first in (FIRST, 0):
            write(project, range(first, FAMILIES))
            embed.run(project, BENCHMARK, MODEL)
        yield project


def manifest_of(project: Project) -> Manifest:
    return read_manifest(project.manifest(BENCHMARK, MODEL))


def results(project: Project, folder: Path, memory_mb: int) -> dict[str, bytes]:
    """What a process of its own writes for a limit, from the same vectors."""
    for part in ("benchmark", "embeddings", "lancedb", "models"):
        shutil.copytree(project.root / part, folder / part)
    limit = f"search:\n  memory_mb: {memory_mb}\n"
    (folder / "params.yaml").write_text(PARAMS + limit, encoding="utf-8")
    (folder / "mlflow.db").write_bytes(empty_database())
    command = [sys.executable, "-c", "from isogloss.cli.main import main; main()", "evaluate"]
    subprocess.run([*command, BENCHMARK, MODEL], cwd=folder, check=True, capture_output=True)
    written = folder / "results" / "retrieval" / BENCHMARK / MODEL
    return {
        path.relative_to(written).as_posix(): path.read_bytes()
        for path in written.rglob("*")
        if path.is_file()
    }


def test_an_evaluation_beyond_the_limit_writes_the_same_bytes(
    large: Project, tmp_path: Path
) -> None:
    whole = results(large, tmp_path / "whole", 1024)
    assert {"metrics.json", "run.trec.gz", "queries.parquet"} <= set(whole)
    assert results(large, tmp_path / "parted", 1) == whole


def test_vectors_beyond_the_limit_pass_by_twice_and_never_lie_in_memory_whole(
    large: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks: list[int] = []
    passing = CheckedBlocks.__iter__

    def counted(self: CheckedBlocks) -> Iterator[Any]:
        for block in passing(self):
            blocks.append(len(block[0]))
            yield block

    monkeypatch.setattr(CheckedBlocks, "__iter__", counted)
    benchmark = read_benchmark(large.benchmark(BENCHMARK), BENCHMARK)
    retrieve(large.store_uri, manifest_of(large), benchmark, where=Where(memory_mb=2))
    assert blocks == []
    retrieve(large.store_uri, manifest_of(large), benchmark, where=Where(memory_mb=1))
    assert blocks == [128, 22] * 2


@pytest.mark.parametrize("memory_mb", [1, 1024])
def test_vectors_that_nobody_wrote_are_named_whichever_way_they_are_read(
    large: Project, tmp_path: Path, memory_mb: int
) -> None:
    shutil.copytree(large.store_uri, tmp_path / "lancedb")
    manifest = manifest_of(large)
    table = VectorStore(str(tmp_path / "lancedb"))._open(manifest.documents.table)
    table.update(where="id in ('f003:en', 'f070:de')", values={"vector": [0.5] * 2048})
    table.tags.update(manifest.tag, table.version)
    benchmark = read_benchmark(large.benchmark(BENCHMARK), BENCHMARK)
    said = r"2 vectors have not length 1 \(f003:en, f070:de\); if it is damaged, delete "
    with pytest.raises(StoreError, match=said):
        retrieve(str(tmp_path / "lancedb"), manifest, benchmark, where=Where(memory_mb=memory_mb))


@pytest.mark.parametrize("part", ["data", "_versions"])
def test_a_damaged_table_beyond_the_limit_offers_the_way_out(
    large: Project, tmp_path: Path, part: str
) -> None:
    shutil.copytree(large.store_uri, tmp_path / "lancedb")
    table = manifest_of(large).documents.table
    folder = tmp_path / "lancedb" / f"{table}.lance"
    for path in (folder / part).iterdir():
        content = path.read_bytes()
        # Cut in the middle: its end says where everything lies, so a fragment of it is none.
        path.write_bytes(content[: len(content) // 2])
    benchmark = read_benchmark(large.benchmark(BENCHMARK), BENCHMARK)
    said = f"{table}: .*delete {folder} and run isogloss embed {BENCHMARK} {MODEL}"
    with pytest.raises(StoreError, match=said):
        retrieve(str(tmp_path / "lancedb"), manifest_of(large), benchmark, where=Where(memory_mb=1))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"digest": "0" * 64}, "holds other texts than the manifest says"),
        ({"rows": 149}, "holds 150 rows, the manifest says 149"),
    ],
)
def test_an_altered_manifest_is_held_against_a_pool_beyond_the_limit(
    large: Project, changes: dict[str, Any], said: str
) -> None:
    manifest = manifest_of(large)
    altered = msgspec.structs.replace(
        manifest, documents=msgspec.structs.replace(manifest.documents, **changes)
    )
    benchmark = read_benchmark(large.benchmark(BENCHMARK), BENCHMARK)
    with pytest.raises(StoreError, match=f"{said}.*; run isogloss embed {BENCHMARK} {MODEL}"):
        retrieve(large.store_uri, altered, benchmark, where=Where(memory_mb=1))
    other = msgspec.structs.replace(manifest, dimension=4096)
    with pytest.raises(StoreError, match="dimension is 2048, not 4096"):
        retrieve(large.store_uri, other, benchmark, where=Where(memory_mb=1))
