"""Scores and shifts of a project's own answers: files, figures, text and runs."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from isogloss.cli.main import app
from isogloss.errors import DataError, UsageError
from isogloss.project import Project
from isogloss.settings import Settings
from isogloss.stages import medical_score, medical_shifts
from isogloss.tracking.store import Store, open_store
from stages.medical_answers import ARMS, MODELS, NOTE, answered_project, rows, write


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project that was scored once by the verbs themselves."""
    root = tmp_path_factory.mktemp("project")
    made = answered_project(root)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        patch.chdir(root)
        for verb in ("score", "shifts"):
            done = CliRunner().invoke(app, ["medical", verb])
            assert done.exit_code == 0, done.output
            (root / f"{verb}.out").write_text(done.stdout, "utf-8")
    return made


def runs(project: Project, experiment: str) -> dict[str, Any]:
    store: Store = open_store(project)
    found = store.client.get_experiment_by_name(experiment)
    assert found is not None
    return {str(run.info.run_name): run for run in store.client.search_runs([found.experiment_id])}


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_every_file_is_there(project: Project) -> None:
    held = set(contents(project.medical_results))
    tables = ("cells", "averages", "groups", "open_ended", "shares", "agreement")
    tables += ("agreement_parts",)
    assert {f"tables/{name}.{kind}" for name in tables for kind in ("csv", "tex")} <= held
    assert {"scores.json", "inputs.json", "summary.txt", "tables/board.tex"} <= held
    assert {"figures/accuracy-models.png", "figures/judge-against-expert.png"} <= held
    shifts = {"shifts.json", "summary.txt", "tables/mt_against_reviewed.csv"}
    shifts |= {f"figures/mt-against-reviewed-{score}.png" for score in ("accuracy", "qa")}
    assert {f"shifts/{name}" for name in {*shifts, "tables/mt_against_reviewed.tex"}} <= held
    table = csv.DictReader((project.medical_results / "tables/averages.csv").open(encoding="utf-8"))
    assert {row["model"] for row in table} == set(MODELS)
    groups = csv.DictReader((project.medical_results / "tables/groups.csv").open(encoding="utf-8"))
    named = {(row["arm"], row["group"]) for row in groups}
    assert {("mt", "all"), ("reviewed", "floor"), ("reviewed-mt", "medical")} <= named
    latex = (project.medical_results / "tables/averages.tex").read_text("utf-8")
    assert NOTE in latex
    beside = (project.medical_results / "tables/NOTE.txt").read_text("utf-8").splitlines()
    assert beside[0] == NOTE
    assert beside[1:] == json.loads((project.medical_results / "scores.json").read_text())["notes"]
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 8


def test_the_leaderboard_says_what_matters(project: Project) -> None:
    printed = (project.root / "score.out").read_text("utf-8")
    scores = json.loads((project.medical_results / "scores.json").read_text("utf-8"))
    section = scores["arms"]["reviewed"]["accuracy"]
    line = next(line for line in printed.splitlines() if line.startswith("MedGemma-27B"))
    macros = section["macro"]["medgemma-27b"]
    least = min(found["value"] for found in macros.values())
    codes = [code for code, found in macros.items() if found["value"] == least]
    assert any(f"{code} {100 * least:.1f}" in line for code in codes)
    assert f"{100 * section['mean']['medgemma-27b']['value']:.1f} [" in line
    assert f"{100 * section['gap']['medgemma-27b']['value']:+.1f} [" in line
    failed = sum(
        row["outcome"] == "failed" for row in rows(project.answers("medgemma-27b", "reviewed"))
    )
    asked = len(rows(project.answers("medgemma-27b", "reviewed")))
    assert line.endswith(f"  {failed} ({100 * failed / asked:.1f}%)  0 (0.0%)")
    assert NOTE in printed
    assert printed.index("Majority option") > printed.index("MedGemma-27B")
    assert "GPT-5.4, MedGemma-27B" in (project.root / "shifts.out").read_text("utf-8")


def test_one_run_a_model_and_arm(project: Project) -> None:
    found = runs(project, "medical")
    assert len(found) == len(MODELS) * len(ARMS)
    scores = json.loads((project.medical_results / "scores.json").read_text("utf-8"))
    inputs = json.loads((project.medical_results / "inputs.json").read_text("utf-8"))
    name, run = next((n, r) for n, r in found.items() if n.startswith("MedGemma-27B on mt items ("))
    assert name.endswith(")")
    section = scores["arms"]["mt"]["accuracy"]
    metrics = run.data.metrics
    assert metrics["accuracy/macro"] == section["mean"]["medgemma-27b"]["value"]
    assert metrics["accuracy/gap"] == section["gap"]["medgemma-27b"]["value"]
    assert metrics["accuracy/zu"] == section["macro"]["medgemma-27b"]["zu"]["value"]
    assert metrics["accuracy/failed"] == section["outcomes"]["medgemma-27b"]["all"]["failed"]
    assert metrics["qa/macro"] == scores["arms"]["mt"]["qa"]["mean"]["medgemma-27b"]["value"]
    assert not any("undefined" in key for key in metrics)
    (item,) = run.inputs.dataset_inputs
    assert item.dataset.name == "medical-mt"
    assert item.dataset.digest == inputs["arms"]["mt"]["digest"] == run.data.params["items_version"]
    assert len(item.dataset.digest) == 32
    assert inputs["arms"]["mt"]["digest"] != inputs["arms"]["reviewed"]["digest"]
    assert run.data.tags["arm"] == "mt"
    assert run.data.tags["group"] == "medical"
    assert run.data.tags["note"] == NOTE
    assert NOTE in run.data.tags["mlflow.note.content"]
    folder = Path(run.info.artifact_uri.removeprefix("file://"))
    held = contents(folder)
    assert held["answers.jsonl"] == project.answers("medgemma-27b", "mt").read_bytes()
    assert held["verdicts.jsonl"] == project.verdicts("medgemma-27b", "mt").read_bytes()
    assert held["refusals.jsonl"] == project.refusals("medgemma-27b", "mt").read_bytes()
    own = json.loads(held["scores.json"])
    assert own["accuracy"]["cells"] == section["cells"]["medgemma-27b"]
    cells = json.loads(held["datasets.json"])
    assert len(cells["data"]) == 9 * 9
    assert len(json.loads(held["languages.json"])["data"]) == 2 * 9
    floor = next(r for n, r in found.items() if n.startswith("Majority option on reviewed"))
    assert floor.data.tags["group"] == "floor"
    assert not any(key.startswith("qa/") for key in floor.data.metrics)


def test_one_run_of_shifts_over_both_versions(project: Project) -> None:
    ((name, run),) = runs(project, "medical-shifts").items()
    assert name.startswith("reviewed against mt, 2 models (")
    section = json.loads((project.medical_shifts / "shifts.json").read_text("utf-8"))["accuracy"]
    metrics = run.data.metrics
    assert metrics["accuracy/overall/sw"] == section["overall"]["sw"]["value"]
    assert metrics["accuracy/overall/en"] == section["english_overall"]["value"]
    assert metrics["accuracy/cell/sw/medqa"] == section["cells"]["sw"]["medqa"]["value"]
    assert {item.dataset.name for item in run.inputs.dataset_inputs} == {
        "medical-mt", "medical-reviewed"
    }  # fmt: skip
    held = contents(Path(run.info.artifact_uri.removeprefix("file://")))
    assert held["shifts.json"] == (project.medical_shifts / "shifts.json").read_bytes()
    assert "figures/mt-against-reviewed-accuracy.png" in held
    assert len(json.loads(held["accuracy-cells.json"])["data"]) == 9 * 6


def test_a_second_run_changes_no_byte_and_adds_no_run(
    project: Project, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    before = contents(project.medical_results)
    known = {name: run.info.run_id for name, run in runs(project, "medical").items()}
    shifted = {run.info.run_id for run in runs(project, "medical-shifts").values()}
    medical_score.run_project(project)
    medical_shifts.run(project)
    assert capfd.readouterr().err.count("(unchanged)") == len(MODELS) * len(ARMS) + 1
    assert contents(project.medical_results) == before
    assert {name: run.info.run_id for name, run in runs(project, "medical").items()} == known
    medical_shifts.run(project, force=True)
    replaced = {run.info.run_id for run in runs(project, "medical-shifts").values()}
    assert len(replaced) == 1
    assert replaced != shifted


def test_a_missing_file_is_named_with_the_verb_that_makes_it(tmp_path: Path) -> None:
    project = answered_project(tmp_path, size=1)
    project.verdicts("gpt-5-4", "mt").unlink()
    with pytest.raises(
        DataError, match=r"gpt-5-4.mt.jsonl: no such file; run `isogloss medical judge"
    ):
        medical_score.run_project(project)
    assert not project.medical_results.exists()
    with pytest.raises(DataError, match="run `isogloss medical score`"):
        medical_shifts.run(project)


def test_the_same_answer_in_two_files_names_both(tmp_path: Path) -> None:
    project = answered_project(tmp_path, size=1)
    first, second = (project.answers(model, "mt") for model in MODELS[:2])
    write(second, [*rows(second), rows(first)[0]])
    with pytest.raises(
        DataError, match=r"medgemma-27b.mt.jsonl.*already in .*gpt-5-4.mt.jsonl, line 1"
    ):
        medical_score.run_project(project)


def test_a_project_without_a_medical_part_says_so(tmp_path: Path) -> None:
    project = Project(tmp_path, Settings.model_validate({"run": {}}))
    for stage in (medical_score.run_project, medical_shifts.run):
        with pytest.raises(UsageError, match=r"params.yaml: medical.models is empty"):
            stage(project)


def test_one_arm_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    project = answered_project(tmp_path, size=2, arms=["reviewed"])
    medical_score.run_project(project)
    medical_shifts.run(project)
    said = (project.medical_shifts / "summary.txt").read_text("utf-8")
    assert "only the arm reviewed has answers" in said
    ((name, run),) = runs(project, "medical-shifts").items()
    assert "0 models" in name
    assert run.data.metrics == {}
    assert "only the arm reviewed" in run.data.tags["mlflow.note.content"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--items=i.jsonl"], "--answers and --out"),
        (["--out=o"], "--items and --answers"),
        (["--resamples=200"], "--items"),
        (["--items=i", "--answers=a", "--out=o", "--force"], "tracked runs"),
    ],
)
def test_half_a_call_is_wrong(arguments: list[str], said: str) -> None:
    done = CliRunner().invoke(app, ["medical", "score", *arguments])
    assert done.exit_code == 2
    assert said in " ".join(done.output.replace("│", " ").split())
