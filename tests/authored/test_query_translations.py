"""What the maintainers translated by hand: whole, their own, and recorded by the product."""

import shutil
from pathlib import Path

import pytest
from authored.query_translations.__main__ import BENCHMARK, MODEL, record, texts

from isogloss.benchmark import read_benchmark
from isogloss.errors import DataError
from isogloss.project import Project, find_project
from isogloss.retrieval.derived_manifest import DerivedManifest, read_any_manifest
from isogloss.stages import embed, queries
from isogloss.stages.translated_queries import TASK, recording_name


@pytest.fixture
def project(root: Path, tmp_path: Path) -> Project:
    """A project with the benchmark of the sample, made from its raw data, and full-text search."""
    from isogloss.stages import corpus

    shutil.copy(root / "params.yaml", tmp_path)
    shutil.copytree(root / "models", tmp_path / "models")
    shutil.copytree(root / "data" / "patents" / "epo", tmp_path / "data" / "patents" / "epo")
    made = find_project(tmp_path)
    corpus.run(made, "epo")
    queries.run(made, BENCHMARK)
    embed.run(made, BENCHMARK, "bm25")
    return made


def test_the_product_asks_for_all_of_them_and_replays_them(project: Project) -> None:
    assert record(project) == len(texts()) == 144
    path = project.recording(recording_name(BENCHMARK, MODEL), TASK)
    first, manifest = path.read_bytes(), project.manifest(BENCHMARK, MODEL).read_bytes()
    record(project)
    assert path.read_bytes() == first
    embed.run(project, BENCHMARK, MODEL, offline=True)
    assert project.manifest(BENCHMARK, MODEL).read_bytes() == manifest
    read = read_any_manifest(project.manifest(BENCHMARK, MODEL))
    assert isinstance(read, DerivedManifest)
    assert read.translations is not None
    assert read.translations["fr"]["EP0138357B1:en:title"] == "ADN étiqueté"
    own = {
        (query.metadata.family, query.metadata.language): query.text.casefold()
        for query in read_benchmark(project.benchmark(BENCHMARK)).queries
    }
    for target, by_query in read.translations.items():
        for query, text in by_query.items():
            family, language = query.split(":")[:2]
            # Nobody copied the title that the specification has in that language.
            assert language == target or text.casefold() != own[family, target]


def test_a_query_without_a_translation_is_named(project: Project) -> None:
    path = project.benchmark(BENCHMARK) / "queries.jsonl"
    path.write_text(path.read_text("utf-8").replace("Labeled DNA", "Dyed DNA"), "utf-8")
    embed.run(project, BENCHMARK, "bm25")
    with pytest.raises(DataError, match=r"4 texts written or asked for alone, .*'en de Dyed DNA'"):
        record(project)
