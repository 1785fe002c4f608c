"""`isogloss score` inside a project repeats what `evaluate` writes there."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from isogloss.benchmark import Document, DocumentMetadata, Query, QueryMetadata, write_benchmark
from isogloss.cli.main import app, main
from isogloss.errors import SettingsError, UsageError

PARAMS = "run: {benchmarks: [], models: []}\nevaluation: {gate: 0.9, resamples: 200}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    documents = [
        Document(f"f{n}:{code}", DocumentMetadata(code, f"f{n}"), "", f"text {n}")
        for n in range(4)
        for code in ("de", "en")
    ]
    queries = [Query(f"q{n}", "text", QueryMetadata("de", f"f{n}")) for n in range(4)]
    qrels = [(f"q{n}", f"f{n}:{code}", 1) for n in range(4) for code in ("de", "en")]
    write_benchmark(tmp_path / "bench", documents, queries, qrels)
    # The last query misses its foreign gold: recall across languages is 0.75.
    lines = [f"q{n} Q0 f{n}:de 1 0.9 t\n" for n in range(4)]
    lines += [f"q{n} Q0 f{n}:en 2 0.8 t\n" for n in range(3)]
    (tmp_path / "run.trec").write_text("".join(lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def gate(folder: Path) -> str:
    call = ["score", "run.trec", "--benchmark", "bench", "--out", "out"]
    done = CliRunner().invoke(app, call, catch_exceptions=False)
    assert done.exit_code == 0
    return str(json.loads((folder / "out" / "metrics.json").read_text("utf-8"))["gate"])


def test_the_project_s_settings_hold(folder: Path) -> None:
    assert gate(folder) == "passed"
    (folder / "params.yaml").write_text(PARAMS, encoding="utf-8")
    assert gate(folder) == "failed"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("q\x00\u202ex Q0 f0:de 1 0.9 t", r"no query q\x00\u202ex in the benchmark"),
        ("q0 Q0 f0:\x1b[2J 1 0.9 t", r"no document f0:\x1b[2J in the benchmark"),
        (f"q0 Q0 {'f' * 5_000_000} 1 0.9 t", "fff[... 4,999,920 characters ...]fff"),
        (f"q0 Q0 f0:de 1 {'9' * 5_000_000} t", "999[... 4,999,920 characters ...]999"),
    ],
)
def test_what_a_run_holds_does_not_reach_the_terminal_raw(
    folder: Path, capsys: pytest.CaptureFixture[str], line: str, told: str
) -> None:
    (folder / "run.trec").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["score", "run.trec", "--benchmark", "bench", "--out", "out"])
    error = capsys.readouterr().err
    assert ended.value.code == 1
    assert told in error
    assert error.removesuffix("\n").isprintable()
    assert len(error) < 400


def test_a_mistyped_folder_gets_its_nearest_neighbour(folder: Path) -> None:
    with pytest.raises(UsageError, match="bensh: no such benchmark folder; did you mean bench"):
        CliRunner().invoke(
            app,
            ["score", "run.trec", "--benchmark", "bensh", "--out", "out"],
            catch_exceptions=False,
        )


def test_the_help_says_what_orders_a_run() -> None:
    told = " ".join(CliRunner().invoke(app, ["score", "--help"]).output.split())
    assert "the rank column of the file is ignored" in told


def test_broken_settings_are_not_passed_over(folder: Path) -> None:
    (folder / "params.yaml").write_text("evaluation: {gaet: 1}\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="gaet"):
        gate(folder)
