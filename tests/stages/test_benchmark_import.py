import json
from pathlib import Path

import pytest

from isogloss.benchmark import read_benchmark
from isogloss.errors import BenchmarkError, UsageError
from isogloss.project import Project
from isogloss.settings import Settings
from isogloss.stages import benchmark_import

SETTINGS = Settings.model_validate(
    {
        "run": {},
        "sources": {"small": {"format": "parallel", "languages": ["en"]}},
        "benchmarks": {"taken": {"source": "small", "maker": "cloze"}},
    }
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project", SETTINGS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """BEIR as it is found: no language, no family, further keys, a query without gold."""
    place = tmp_path / "wild"
    (place / "qrels").mkdir(parents=True)
    corpus = [{"_id": name, "title": "", "text": name, "metadata": {"url": "u"}} for name in "ba"]
    asked = [{"_id": name, "text": name, "metadata": {}} for name in ("q2", "q1")]
    for part, records in (("corpus", corpus), ("queries", asked)):
        content = "".join(json.dumps(record) + "\n" for record in records)
        (place / f"{part}.jsonl").write_text(content, "utf-8")
    (place / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tb\t1\n", "utf-8")
    return place


def test_a_wild_folder_becomes_a_benchmark(project, folder, capsys) -> None:
    benchmark_import.run(project, folder, "wild", language="en", family_is_id=True)
    benchmark = read_benchmark(project.benchmark("wild"))
    assert [document.id for document in benchmark.documents] == ["a", "b"]
    assert [query.metadata.family for query in benchmark.queries] == ["b", "q2"]
    assert "queries without gold leave every mean (1): q2" in capsys.readouterr().err
    stats = json.loads((project.benchmark("wild") / "stats.json").read_text("utf-8"))
    assert stats["queries_without_gold"] == ["q2"]
    assert stats["made"]["dropped_metadata"] == {"url": 2}
    card = (project.benchmark("wild") / "card.md").read_text("utf-8")
    assert "Imported from a folder in BEIR layout" in card
    assert "4 records named no language" in card
    assert "known items" not in card


def test_an_exported_benchmark_comes_back_byte_for_byte(project, folder) -> None:
    benchmark_import.run(project, folder, "one", language="en", family_is_id=True)
    benchmark_import.run(project, project.benchmark("one"), "two")
    one, two = (read_benchmark(project.benchmark(name)) for name in ("one", "two"))
    assert one.version == two.version


def test_what_is_missing_is_named_and_nothing_is_written(project, folder) -> None:
    with pytest.raises(BenchmarkError, match=r"line 1 \(b\): .*'language'.*--language"):
        benchmark_import.run(project, folder, "wild")
    with pytest.raises(BenchmarkError, match=r"line 1 \(b\): .*'family'.*--family-is-id"):
        benchmark_import.run(project, folder, "wild", language="en")
    with (folder / "qrels" / "test.tsv").open("a") as qrels:
        qrels.write("q2\tnowhere\t1\n")
    with pytest.raises(BenchmarkError, match=r"test\.tsv, line 3: no document nowhere"):
        benchmark_import.run(project, folder, "wild", language="en", family_is_id=True)
    assert not project.benchmark("wild").exists()


def test_nothing_is_replaced_unasked(project, folder) -> None:
    benchmark_import.run(project, folder, "wild", language="en", family_is_id=True)
    before = read_benchmark(project.benchmark("wild")).version
    with pytest.raises(UsageError, match="--force"):
        benchmark_import.run(project, folder, "wild", language="de", family_is_id=True)
    assert read_benchmark(project.benchmark("wild")).version == before
    benchmark_import.run(project, folder, "wild", language="de", family_is_id=True, force=True)
    assert read_benchmark(project.benchmark("wild")).version != before


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("../wild", {}, "lower-case letters"),
        ("Wild", {}, "lower-case letters"),
        ("taken", {}, "params.yaml makes a benchmark of this name"),
        ("wild", {"language": "klingon"}, "--language 'klingon'"),
    ],
)
def test_a_wrong_call_is_refused(project, folder, name, options, message) -> None:
    with pytest.raises(UsageError, match=message):
        benchmark_import.run(project, folder, name, **options)
    assert not project.root.exists()


def test_a_missing_folder_is_named(project, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere: no such folder"):
        benchmark_import.run(project, tmp_path / "nowhere", "wild")
