"""Every verb that takes a benchmark, model or source says which name was meant."""

from pathlib import Path

import pytest

from isogloss.benchmark import Document, DocumentMetadata, Query, QueryMetadata, write_benchmark
from isogloss.cli.main import main
from isogloss.errors import UsageError
from isogloss.faults import MOST_NAMED, known_names
from isogloss.project import find_project

PARAMS = """\
run: {benchmarks: [held-title], models: [ngrams]}
sources: {my-source: {format: epo, languages: [de, en]}}
benchmarks: {made-title: {source: my-source, maker: title}}
"""
NGRAMS = "{kind: char-ngrams, dimension: 64, shortest: 2, longest: 3, licence: none}\n"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tmp_path = tmp_path / "project"
    tmp_path.mkdir()
    (tmp_path / "params.yaml").write_text(PARAMS, encoding="utf-8")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "ngrams.yaml").write_text(NGRAMS, encoding="utf-8")
    documents = [Document("f:en", DocumentMetadata("en", "f"), "", "text")]
    queries = [Query("q", "text", QueryMetadata("en", "f"))]
    write_benchmark(tmp_path / "benchmark" / "held-title", documents, queries, [("q", "f:en", 1)])
    (tmp_path / "audits" / "made-title").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        ("corpus my-sourse", "my-source"),
        ("queries made-titel", "made-title"),
        ("embed held-titel ngrams", "held-title"),
        ("embed held-title ngramms", "ngrams"),
        ("evaluate held-titel ngrams", "held-title"),
        ("evaluate held-title ngramms", "ngrams"),
        ("compare --benchmarks held-titel", "held-title"),
        ("compare --models ngramms", "ngrams"),
        ("plan held-titel", "held-title"),
        ("plan held-title --models ngramms", "ngrams"),
        ("releases ngrams ngrams ngrams --benchmark held-titel", "held-title"),
        ("releases ngrams ngramms ngrams --benchmark held-title", "ngrams"),
        ("dataset-versions held-titel workspace workspace", "held-title"),
        ("benchmark export held-titel --out out", "held-title"),
        ("versions held-titel", "held-title"),
        ("audit export made-titel --annotator a", "made-title"),
        ("audit import made-titel", "made-title"),
    ],
)
def test_the_nearest_name_is_told(
    call: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(call.split())
    told = capsys.readouterr().err.splitlines()
    assert f"did you mean {meant}?" in told[-1]
    # An audit may have been exported elsewhere, and a model evaluated there.
    code = {"audit import": 1, "plan held-title --models": 1}.get(
        call.removesuffix(f" {call.split()[-1]}"), 2
    )
    assert ended.value.code == code


@pytest.mark.parametrize(
    "call",
    [
        "corpus ../x",
        "embed ../x ngrams",
        "evaluate held-title ../x",
        "compare --benchmarks ../x",
        "compare --models ../x",
        "audit export ../x --annotator a",
        "audit import ../x",
        "medical refusals ../x mt",
        "medical judge ../x mt",
        "medical review status ../x",
        "dataset-versions ../x workspace workspace",
        f"embed {'x' * 300} ngrams",
        f"benchmark import benchmark/held-title --name {'x' * 300}",
        "benchmark import benchmark/held-title --name ../x",
    ],
)
def test_what_is_no_key_is_refused_in_one_line(
    project: Path, call: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project.parent / "x").mkdir()
    before = sorted(project.rglob("*"))
    with pytest.raises(SystemExit) as ended:
        main(call.split())
    told = capsys.readouterr().err
    assert ended.value.code == 2
    assert told.count("\n") == 1
    assert "no source" in told or "a key holds only a-z, 0-9 and hyphens, 100" in told
    assert sorted(project.rglob("*")) == before


def test_a_list_of_numbers_outside_the_project_is_refused(project: Path) -> None:
    (project.parent / "outside.txt").write_text("EP1A1\n", encoding="utf-8")
    for path in ("../outside.txt", str(project.parent / "outside.txt"), "a/../../outside.txt"):
        text = PARAMS.replace("[de, en]", f"[de, en], selection: {{surechembl: {path}}}")
        (project / "params.yaml").write_text(text, encoding="utf-8")
        with pytest.raises(UsageError, match=r"surechembl: must lie below the project's folder$"):
            find_project()


def test_a_comparison_of_many_has_a_name_that_fits_a_file(project: Path) -> None:
    many = find_project()
    keys = [f"model-{number}" for number in range(99)]
    first, second = (many.partial_comparison(["b"], part) for part in (keys, keys[:-1]))
    assert first != second
    assert first.name.startswith("b--model-0+model-1")
    first.mkdir(parents=True)


def test_long_lists_of_names_are_cut() -> None:
    names = [f"n{number:02}" for number in range(MOST_NAMED + 5)]
    assert known_names("x", names).endswith("n19 and 5 more")
    assert known_names("x", []) == "; there are: none"
    assert known_names("x" * 5_000_000, names).startswith("; there are: n00")
