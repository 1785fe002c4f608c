"""`isogloss medical score` from files to files."""

import csv
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from isogloss.cli import medical
from isogloss.errors import DataError, UsageError
from isogloss.report.medical.medical_tables import tables
from isogloss.stages import medical_score
from medical.synthetic import DATASETS, make

MODELS = ["GPT-5.4", "Qwen3-32B-thinking"]
TABLES = ("cells", "averages", "mt_against_reviewed", "open_ended", "shares", "agreement")


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return make(tmp_path_factory.mktemp("made"), MODELS, dict.fromkeys(DATASETS, 6), seed=2)


def invoke(paths: dict[str, Path], out: Path, *more: str) -> Any:
    app = typer.Typer()
    medical.register(app)
    # A typer app of one verb needs a second one to keep its name on the command line.
    app.command("other")(lambda: None)
    arguments = [f"--{name}={path}" for name, path in paths.items()]
    return CliRunner().invoke(
        app, ["medical", "score", *arguments, f"--out={out}", "--resamples=200", *more]
    )


def test_everything_is_written_and_printed(paths: dict[str, Path], tmp_path: Path) -> None:
    result = invoke(paths, tmp_path)
    assert result.exit_code == 0, result.output
    scores = json.loads((tmp_path / "scores.json").read_text("utf-8"))
    assert scores["headline"] == "reviewed"
    for name in TABLES:
        rows = list(csv.DictReader((tmp_path / f"{name}.csv").open(encoding="utf-8")))
        assert rows, name
        assert {"value", "low", "high", "n"} <= rows[0].keys()
    gap = scores["arms"]["reviewed"]["accuracy"]["gap"]["GPT-5.4"]["value"]
    line = next(line for line in result.output.splitlines() if line.startswith("GPT-5.4"))
    assert f"{100 * gap:.1f}" in line
    for heading in ("Accuracy", "Open-ended score", "Reviewed minus", "Refusals", "Judge against"):
        assert heading in result.output


def test_the_same_call_writes_the_same_bytes(paths: dict[str, Path], tmp_path: Path) -> None:
    for folder in ("one", "two"):
        assert invoke(paths, tmp_path / folder).exit_code == 0
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
    assert invoke(paths, tmp_path / "three", "--seed=9").exit_code == 0
    content = [(tmp_path / name / "scores.json").read_bytes() for name in ("one", "three")]
    assert content[0] != content[1]


def test_cells_of_the_table_add_up(paths: dict[str, Path], tmp_path: Path) -> None:
    invoke(paths, tmp_path)
    rows = list(csv.DictReader((tmp_path / "cells.csv").open(encoding="utf-8")))
    assert len(rows) == 2 * 2 * 9 * 9
    for row in rows:
        parts = (row[key] for key in ("answered", "unanswered", "refused", "failed"))
        assert sum(map(int, parts)) == int(row["asked"]) == 6


def test_answers_to_one_arm_and_one_language_are_enough(
    paths: dict[str, Path], tmp_path: Path
) -> None:
    kept = {}
    for name in ("items", "answers"):
        kept[name] = tmp_path / f"{name}.jsonl"
        rows = [json.loads(line) for line in paths[name].read_text("utf-8").splitlines()]
        rows = [
            row for row in rows if row["language"] == "sw" and row.get("arm", "mt") == "mt"
            and row["id"].startswith("mcqa")
        ]  # fmt: skip
        kept[name].write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    result = invoke(kept, tmp_path / "out")
    assert result.exit_code == 0, result.output
    scores = json.loads((tmp_path / "out" / "scores.json").read_text("utf-8"))
    section = scores["arms"]["mt"]["accuracy"]
    assert section["gap"]["GPT-5.4"]["value"] is None
    assert section["shift"]["GPT-5.4"]["sw"]["value"] is None
    assert section["macro"]["GPT-5.4"]["sw"]["value"] is not None
    assert scores["arms"]["mt"]["qa"] == {}
    assert "only the arm mt" in scores["mt_against_reviewed"]["accuracy"]["reason"]
    assert any("no headline arm" in note for note in scores["notes"])
    assert not (tmp_path / "out" / "agreement.csv").exists()
    assert "note: " in result.output


def kept(path: Path, folder: Path, stays: Callable[[dict[str, Any]], bool]) -> Path:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    out = folder / path.name
    out.write_text("".join(json.dumps(row) + "\n" for row in rows if stays(row)), "utf-8")
    return out


def test_missing_answers_are_said_loudly(paths: dict[str, Path], tmp_path: Path) -> None:
    def stays(row: dict[str, Any]) -> bool:
        gone = row["model"] == "GPT-5.4" and row["language"] == "sw" and row["arm"] == "reviewed"
        return not (gone and row["id"].endswith(("0000", "0001")))

    few = {name: path for name, path in paths.items() if name in ("items", "answers")}
    few["answers"] = kept(paths["answers"], tmp_path, stays)
    result = invoke(few, tmp_path / "out")
    assert result.exit_code == 0, result.output
    said = "GPT-5.4, sw: 18 of 54 items have no answer (reviewed arm)"
    scores = json.loads((tmp_path / "out" / "scores.json").read_text("utf-8"))
    assert scores["notes"][0].startswith(said)
    assert sum("no answer" in one for one in scores["notes"]) == 1
    board = result.output.partition("Arm: reviewed")[0]
    assert f"NOTE {said}" in board
    header, full, short = (
        next(line for line in board.splitlines() if line.startswith(start))
        for start in ("model ", "Qwen3-32B-thinking", "GPT-5.4  ")
    )
    assert header.endswith("missing")
    assert full.endswith(" 0 (0.0%)")
    assert short.endswith(f" 18 ({100 * 18 / (54 * 9):.1f}%)")
    averages = result.output.partition("Accuracy, macro mean")[2].splitlines()
    assert averages[1].endswith("missing")
    assert averages[2].split()[0] == "GPT-5.4"
    assert averages[2].endswith(" 12")
    cells = {name: rows for name, _, rows in tables(scores)}
    (row,) = [row for row in cells["cells-accuracy-reviewed-sw"] if row[0] == "GPT-5.4"]
    assert row[-1] == "12"
    assert row[1].endswith("(4, 2 missing)")


def test_translations_that_fell_out_are_named(paths: dict[str, Path], tmp_path: Path) -> None:
    """The mt arm lacks every sw item of one dataset: the comparison has a hole, and says so."""

    def stays(row: dict[str, Any]) -> bool:
        gone = row["language"] == "sw" and row.get("arm", "mt") == "mt"
        return not (gone and "headqa" in row["id"])

    few = {"items": paths["items"], "answers": kept(paths["answers"], tmp_path, stays)}
    few["items-mt"] = kept(paths["items"], tmp_path, stays)
    result = invoke(few, tmp_path / "out")
    assert result.exit_code == 0, result.output
    scores = json.loads((tmp_path / "out" / "scores.json").read_text("utf-8"))
    names = ", ".join(MODELS)
    hole = "no item of HeadQA is scored in both arms in sw for"
    (said,) = [one for one in scores["notes"] if "scored in both arms" in one]
    assert said == f"reviewed minus machine-translated, accuracy: {hole} {names}"
    assert "6 sw items have no version in the mt arm" in scores["notes"]
    assert not any("have no answer" in one for one in scores["notes"])
    block = result.output.partition("Reviewed minus machine-translated, accuracy")[2]
    assert block.splitlines()[1] == "not computed: no model has paired items in every cell"


def test_a_bad_file_leaves_nothing_behind(paths: dict[str, Path], tmp_path: Path) -> None:
    broken = tmp_path / "answers.jsonl"
    broken.write_text(paths["answers"].read_text("utf-8") + '{"model": "m"}\n', "utf-8")
    with pytest.raises(DataError, match=r"answers.jsonl, line 1945: lacks the field .arm"):
        medical_score.run(paths["items"], broken, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    with pytest.raises(DataError, match="no such file"):
        medical_score.run(tmp_path / "none.jsonl", broken, tmp_path / "out")


def test_help_needs_no_heavy_import() -> None:
    import subprocess

    code = (
        "import sys; from isogloss.cli import medical; "
        "print([m for m in ('numpy', 'scipy', 'pyarrow', 'torch') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_project_s_results_are_not_replaced_in_part(
    paths: dict[str, Path], tmp_path: Path
) -> None:
    (tmp_path / "summary.txt").write_text("a board\n", "utf-8")
    result = invoke(paths, tmp_path)
    assert isinstance(result.exception, UsageError)
    assert "holds the results of a project" in str(result.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["summary.txt"]
