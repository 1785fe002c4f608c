"""The report of a real project: whole, the same again, and refused where versions part."""

import csv
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tracked_projects import BENCHMARK, MODELS, make_project

from isogloss.errors import DataError, UsageError, VersionMismatchError
from isogloss.project import Project
from isogloss.report.page.content import page_content
from isogloss.report.page.render import render
from isogloss.retrieval.second_reading import WITHOUT
from isogloss.settings import Settings
from isogloss.stages import compare, embed, evaluate, plan, report


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        project = make_project(tmp_path_factory.mktemp("report"), translated=True)
        for model in MODELS:
            embed.run(project, BENCHMARK, model)
            evaluate.run(project, BENCHMARK, model)
        compare.run(project)
        yield project


@pytest.fixture
def project(compared: Project, tmp_path: Path) -> Project:
    """The results alone: no vectors, no tracking, no benchmark."""
    shutil.copytree(compared.root / "results", tmp_path / "results")
    return Project(tmp_path, compared.settings)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_page_and_its_tables_the_same_each_time(compared: Project, tmp_path: Path) -> None:
    report.run(compared)
    first = contents(compared.report)
    assert {"index.html", f"tables/recall.{BENCHMARK}.csv", "tables/plan.tex"} <= set(first)
    report.run(compared, tmp_path / "again")
    assert contents(tmp_path / "again") == first
    page = first["index.html"].decode("utf-8")
    version = json.loads((compared.comparison / "comparison.json").read_text("utf-8"))
    assert version["benchmarks"][BENCHMARK]["dataset_version"] in page
    assert "What these figures are not." in page
    assert "pool tiny" in page


def test_only_a_report_is_replaced(compared: Project, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "index.html").write_text("<title>My page</title>")
    (tmp_path / "file").touch()
    for place in (foreign, tmp_path, tmp_path / "file"):
        before = contents(tmp_path)
        with pytest.raises(UsageError, match=f"^--out {place}: .* give a new or an? empty"):
            report.run(compared, place)
        assert contents(tmp_path) == before
    report.run(compared, tmp_path / "new")
    (tmp_path / "new" / "tables" / "notes.md").write_text("mine")
    (tmp_path / "new" / "tables" / "old.csv").touch()
    report.run(compared, tmp_path / "new")
    assert (tmp_path / "new" / "tables" / "notes.md").is_file()
    assert not (tmp_path / "new" / "tables" / "old.csv").exists()


def test_figures_are_those_of_metrics_json(compared: Project, tmp_path: Path) -> None:
    report.run(compared, tmp_path)
    with (tmp_path / "tables" / f"recall.{BENCHMARK}.csv").open(encoding="utf-8") as lines:
        rows = {row["model"]: row for row in csv.DictReader(lines)}
    for model in MODELS:
        path = compared.results(BENCHMARK, model) / "metrics.json"
        metrics = json.loads(path.read_text("utf-8"))
        for side in ("same", "cross"):
            assert float(rows[model][f"recall_at_10_{side}"]) == metrics[f"recall_at_10/{side}"]


def test_results_alone_make_a_page(project: Project) -> None:
    report.run(project)
    page = (project.report / "index.html").read_text("utf-8")
    assert f"{BENCHMARK}: recall within and across languages" in page


def test_machine_translated_documents_are_read_with_and_without(
    compared: Project, tmp_path: Path
) -> None:
    report.run(compared, tmp_path)
    with (tmp_path / "tables" / f"readings.{BENCHMARK}.csv").open(encoding="utf-8") as lines:
        rows = {row["model"]: row for row in csv.DictReader(lines)}
    key = "recall_at_10/cross"
    for model in MODELS:
        folder = compared.results(BENCHMARK, model)
        whole = json.loads((folder / "metrics.json").read_text("utf-8"))[key]
        left = json.loads((folder / WITHOUT / "metrics.json").read_text("utf-8"))[key]
        assert float(rows[model]["with_cross"]) == whole
        assert float(rows[model]["without_cross"]) == left
        assert float(rows[model]["moved_cross"]) == left - whole
    page = (tmp_path / "index.html").read_text("utf-8")
    assert f"{BENCHMARK}.{WITHOUT}: recall within and across languages" in page
    assert "Machine-translated documents are left out here." in page


def test_tables_that_no_longer_exist_go(project: Project) -> None:
    stale = project.report / "tables" / "recall.gone.csv"
    stale.parent.mkdir(parents=True)
    stale.write_text("x", encoding="utf-8")
    report.run(project)
    assert not stale.exists()


def test_without_a_comparison_it_says_what_to_run(project: Project) -> None:
    shutil.rmtree(project.comparison)
    with pytest.raises(DataError, match="run `isogloss compare` first"):
        report.run(project)
    assert not project.report.exists()


def test_a_project_may_be_medical_alone(project: Project) -> None:
    shutil.rmtree(project.comparison)
    run = project.settings.run.model_copy(update={"benchmarks": []})
    alone = Project(project.root, project.settings.model_copy(update={"run": run}))
    alone.medical_scores.parent.mkdir(parents=True)
    alone.medical_scores.write_text("{}", "utf-8")
    gathered = report.gather(alone)
    assert gathered.targets == []
    assert gathered.medical == {}
    page = render(page_content(replace(gathered, medical=None))[0])
    assert "no retrieval was measured" in page
    assert 'id="medical"' in page
    assert 'id="leaderboard"' not in page


def test_a_comparison_of_another_version_is_refused(project: Project) -> None:
    path = project.comparison / "comparison.json"
    content = json.loads(path.read_text("utf-8"))
    content["benchmarks"][BENCHMARK]["dataset_version"] = "0" * 32
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(VersionMismatchError, match=f"{'0' * 32} of {BENCHMARK}"):
        report.run(project)


def test_a_broken_result_is_named(project: Project) -> None:
    path = project.results(BENCHMARK, MODELS[0]) / "metrics.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(DataError, match=r"metrics\.json"):
        report.run(project)


def test_a_plan_is_printed_and_written(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "plan.csv"
    plan.run(project, coverages=[0.1], price=0.5, out=out)
    printed = capsys.readouterr().out
    assert "pool tiny" in printed
    assert "exhaustive by construction" in printed
    with out.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert {(row["target"], row["model"]) for row in rows} == {
        (target, model) for target in (BENCHMARK, "pool tiny") for model in MODELS
    }
    for row in rows:
        if row["depth"]:
            assert float(row["cost_per_query"]) == int(row["depth"]) * 0.5
        else:
            assert row["refused"]


def test_a_plan_that_is_refused_throughout_fails(project: Project, tmp_path: Path) -> None:
    strict = project.settings.model_dump()
    strict["evaluation"]["gate"] = 1.0
    gated = Project(project.root, Settings.model_validate(strict))
    out = tmp_path / "plan.csv"
    with pytest.raises(DataError, match=r"no model can be planned for: .* gate failed"):
        plan.run(gated, [BENCHMARK], out=out)
    assert "gate failed" in out.read_text("utf-8")


@pytest.mark.parametrize(
    ("targets", "options", "message"),
    [
        (
            ["nowhere"],
            {},
            "nowhere: no benchmark with results and no pool; there are: pool:tiny, ti",
        ),
        (["pool:tiny-title"], {}, "no benchmark with results and no pool"),
        ([BENCHMARK], {"price": -1.0}, "--price -1.0: must be a finite number"),
        ([BENCHMARK], {"seconds": float("inf")}, "--seconds inf"),
        ([BENCHMARK], {"coverages": [1.5]}, "coverage 1.5: must be above 0"),
    ],
)
def test_a_wrong_call_is_said(project: Project, targets, options, message) -> None:
    with pytest.raises(UsageError, match=message):
        plan.run(project, targets, **options)


def test_a_missing_evaluation_is_named(project: Project) -> None:
    with pytest.raises(DataError, match=f"run `isogloss evaluate {BENCHMARK} absent`"):
        plan.run(project, [BENCHMARK], models=["absent"])
