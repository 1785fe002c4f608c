import json
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from isogloss.benchmark import read_benchmark
from isogloss.cli.main import app
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
    told = capsys.readouterr().err
    assert "queries without gold leave every mean (1): q2" in told
    assert "dvc add benchmark/wild && git add benchmark/wild.dvc" in told
    assert "add wild to run.benchmarks" in told
    stats = json.loads((project.benchmark("wild") / "stats.json").read_text("utf-8"))
    assert stats["queries_without_gold"] == ["q2"]
    assert stats["made"]["dropped_metadata"] == {"url": 2}
    card = (project.benchmark("wild") / "card.md").read_text("utf-8")
    assert "Imported from a folder in BEIR layout" in card
    assert "4 records named no language" in card
    assert "known items" not in card


def test_what_has_no_text_is_named_before_it_is_embedded(project, folder, capsys) -> None:
    document = {"_id": "mute", "title": " ", "text": "", "metadata": {}}
    with (folder / "corpus.jsonl").open("a", encoding="utf-8") as corpus:
        corpus.write(json.dumps(document) + "\n")
    benchmark_import.run(project, folder, "wild", language="en", family_is_id=True)
    assert "no text to embed (1): mute; give each one" in capsys.readouterr().err


def test_an_exported_benchmark_comes_back_byte_for_byte(project, folder) -> None:
    benchmark_import.run(project, folder, "one", language="en", family_is_id=True)
    benchmark_import.run(project, project.benchmark("one"), "two")
    one, two = (read_benchmark(project.benchmark(name)) for name in ("one", "two"))
    assert one.version == two.version


def test_what_is_missing_is_named_and_nothing_is_written(project, folder) -> None:
    with pytest.raises(BenchmarkError, match=r"\(b\): .*'language'.*--language-field.*--language"):
        benchmark_import.run(project, folder, "wild")
    with pytest.raises(BenchmarkError, match=r"line 1 \(b\): .*'family'.*--family-is-id"):
        benchmark_import.run(project, folder, "wild", language="en")
    with (folder / "qrels" / "test.tsv").open("a") as qrels:
        qrels.write("q2\tnowhere\t1\n")
    with pytest.raises(BenchmarkError, match=r"test\.tsv, line 3: no document nowhere"):
        benchmark_import.run(project, folder, "wild", language="en", family_is_id=True)
    assert not project.benchmark("wild").exists()


def test_brackets_nested_beyond_all_reading_are_a_fault_of_their_line(project, folder) -> None:
    deep = "[" * 1500 + "]" * 1500
    line = f'{{"_id": "z", "text": "x", "metadata": {{"language": "en", "deep": {deep}}}}}\n'
    with (folder / "corpus.jsonl").open("a") as corpus:
        corpus.write(line)
    with pytest.raises(BenchmarkError, match=r"corpus\.jsonl, line \d+: .*recursion"):
        benchmark_import.run(project, folder, "wild", language="en", family_is_id=True)
    assert not project.benchmark("wild").exists()


def test_of_a_key_that_stands_twice_the_last_value_counts(project, folder) -> None:
    path = folder / "queries.jsonl"
    path.write_text(path.read_text("utf-8").replace('"text":', '"text": "first", "text":'), "utf-8")
    benchmark_import.run(project, folder, "wild", language="en", family_is_id=True)
    texts = {query.text for query in read_benchmark(project.benchmark("wild")).queries}
    assert texts
    assert "first" not in texts


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
        ("../wild", {}, "a key holds only a-z"),
        ("Wild", {}, "a key holds only a-z"),
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


def test_the_command_line_passes_every_option(folder, tmp_path, monkeypatch) -> None:
    for part in ("corpus", "queries"):
        path = folder / f"{part}.jsonl"
        records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        lines = [json.dumps(record | {"lang": "zh-CN"}) + "\n" for record in records]
        path.write_text("".join(lines), "utf-8")
    (tmp_path / "params.yaml").write_text("run: {}\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    call = ["benchmark", "import", str(folder), "--name", "wild", "--family-is-id"]
    lacking = CliRunner().invoke(app, call)
    assert isinstance(lacking.exception, BenchmarkError)
    assert "--language-field" in str(lacking.exception)
    assert CliRunner().invoke(app, [*call, "--language-field", "lang"]).exit_code == 0
    read = read_benchmark(tmp_path / "benchmark" / "wild")
    assert {one.metadata.language for one in (*read.documents, *read.queries)} == {"zh"}
    assert CliRunner().invoke(app, [*call, "--language", "de", "--force"]).exit_code == 0
    again = read_benchmark(tmp_path / "benchmark" / "wild")
    assert {one.metadata.language for one in again.documents} == {"de"}


def test_git_takes_the_pin_of_an_import_and_not_its_files(root, tmp_path) -> None:
    """`dvc add` refuses to write a pin that git ignores."""
    (tmp_path / ".gitignore").write_bytes((root / ".gitignore").read_bytes())
    (tmp_path / "benchmark" / "wild").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    for name, ignored in (("wild.dvc", False), ("wild", True), ("wild/card.md", True)):
        asked = ["git", "-C", tmp_path, "check-ignore", "-q", f"benchmark/{name}"]
        assert (subprocess.run(asked, check=False).returncode == 0) == ignored
