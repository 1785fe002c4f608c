import json
from pathlib import Path

import pyarrow as pa
import pytest
import typer
from openpyxl import load_workbook
from typer.testing import CliRunner

from isogloss.cli import audit as audit_verbs
from isogloss.errors import DataError, UsageError
from isogloss.files import read_parquet, write_parquet
from isogloss.project import Project
from isogloss.review.criteria import query_criteria
from isogloss.review.query_audit import QUERY_AUDIT, SCORE_KEYS
from isogloss.review.seed_audit import SEED_AUDIT
from isogloss.settings import Settings
from isogloss.stages import audit_export, audit_import


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project", Settings.model_validate({"run": {}}))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rows = []
    for number in range(30):
        mode = ("technical", "general")[number % 2]
        scores = {key: 4 if key in query_criteria(mode) else None for key in SCORE_KEYS}
        rows.append(
            {
                "query": f"q{number:02}",
                "language": "de",
                "mode": mode,
                "text": "Frage?",
                "evidence": "x" * (40_000 if number == 0 else 10),
                "answer": "-1",
                **scores,
            }
        )
    path = tmp_path / "audit.parquet"
    write_parquet(path, pa.Table.from_pylist(rows, schema=QUERY_AUDIT))
    return path


def export(project: Project, table: Path, **options: object) -> Path:
    given = {"size": 6, "seed": 1, **options}
    audit_export.run(project, "epo-llm", "queries", table, ["ana", "ben"], **given)
    return project.root / "audits" / "epo-llm"


def fill(path: Path, score: int, skip: int = 0) -> Path:
    """Fill every row but the first few, as one annotator would, into the folder of returns."""
    book = load_workbook(path)
    for page in book.worksheets[:2]:
        for row in range(2 + skip, page.max_row + 1):
            for column in range(7, 15):
                page.cell(row, column).value = score
    out = path.parents[2] / "data" / "audits" / "epo-llm" / path.name
    out.parent.mkdir(parents=True, exist_ok=True)
    book.save(out)
    return out


def test_from_a_table_to_agreement(project, table, capsys) -> None:
    folder = export(project, table)
    err = capsys.readouterr().err
    assert "1 of 30 are too long for a cell and stay out: q00" in err
    sheets = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert sorted(sheets) == [
        "queries-ana.xlsx",
        "queries-ben.xlsx",
        "queries.sample.parquet",
        "queries.table.json",
    ]
    counts = json.loads(sheets["queries.table.json"])["composites"]
    assert [(mode, sum(c), c[32]) for mode, c in counts.items()] == [
        ("general", 15, 15),
        ("technical", 15, 15),
    ]
    export(project, table)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == sheets
    with pytest.raises(UsageError, match="holds another sample"):
        export(project, table, seed=2)
    fill(folder / "queries-ana.xlsx", 8)
    returned = fill(folder / "queries-ben.xlsx", 6, skip=1)
    book = load_workbook(returned)
    book.worksheets[0]["H3"].value = "4,5"
    book.save(returned)
    capsys.readouterr()
    audit_import.run(project, "epo-llm", "queries")
    said = capsys.readouterr()
    assert "sheet 'Technical', row 3, column H 'Precision (0-10)'" in said.err
    assert "1 broken rule, 1 row left out; the rest is imported" in said.err
    assert "6 of 6 queries: MAE" in said.out
    figures = json.loads((folder / "queries.json").read_text())
    assert (figures["n_queries"], figures["n_ratings"]) == (6, 9)
    ben = figures["returns"]["ben"]
    assert (ben["read"], len(ben["refused"]), len(ben["untouched"])) == (3, 1, 2)
    assert f"ben: 3 rows read, 1 refused ({ben['refused'][0]}), 2 untouched (" in said.err
    assert figures["returns"]["ana"] == {"read": 6, "refused": [], "untouched": [], "missing": []}
    # ana gives 8, ben 6 on three of six; the model's composite is 32 of 40.
    assert figures["mae"] == pytest.approx(0.5)
    first = (folder / "queries.json").read_bytes()
    audit_import.run(project, "epo-llm", "queries")
    assert (folder / "queries.json").read_bytes() == first
    with pytest.raises(DataError, match="nothing was imported"):
        audit_import.run(project, "epo-llm", "queries", strict=True)


def test_seed_translations_and_files_that_do_not_belong(project, tmp_path, table, capsys) -> None:
    rows = [
        {"document": f"d{n}", "stratum": "", "source": "Acid", "translation": "酸"}
        for n in range(4)
    ]
    path = tmp_path / "seed.parquet"
    write_parquet(path, pa.Table.from_pylist(rows, schema=SEED_AUDIT))
    audit_export.run(project, "epo-llm", "seed", path, ["li"], size=3, seed=1)
    export(project, table)
    folder = project.root / "audits" / "epo-llm"
    fill(folder / "queries-ana.xlsx", 8)
    book = load_workbook(folder / "seed-li.xlsx")
    for row in range(2, 5):
        book["Translations"].cell(row, 5).value = 5
        book["Translations"].cell(row, 6).value = row
        book["Translations"].cell(row, 7).value = "accept" if row < 4 else "reject"
    returned = project.root / "data" / "audits" / "epo-llm"
    book.save(returned / "seed.xlsx")
    (returned / "torn.xlsx").write_bytes(b"PK")
    capsys.readouterr()
    audit_import.run(project, "epo-llm", "seed")
    said = capsys.readouterr()
    assert "queries-ana.xlsx: is a query-audit sheet, passed over" in said.err
    assert "torn.xlsx: is no .xlsx workbook" in said.err
    assert "3 of 3 translations: adequacy 5.000, fluency 3.000, accepted 2 (0.667" in said.out
    with pytest.raises(DataError, match=r"sample\.parquet: no such file"):
        audit_import.run(project, "other", "seed")


def test_label_studio_there_and_back(project, table, capsys) -> None:
    folder = export(project, table, label_studio=True)
    tasks = json.loads((folder / "label-studio" / "queries-general.json").read_text("utf-8"))
    config = (folder / "label-studio" / "queries-general.xml").read_text("utf-8")
    keys = query_criteria("general")
    for task in tasks:
        task["annotations"] = [
            {
                "completed_by": 3,
                "result": [{"from_name": key, "value": {"choices": ["7"]}} for key in keys],
            }
        ]
        assert all(
            f'value="${key}"' in config for key in task["data"] if key not in ("key", "sheet")
        )
    path = folder / "export.json"
    path.write_text(json.dumps(tasks), "utf-8")
    audit_import.run(project, "epo-llm", "queries", [path])
    ratings = [json.loads(line) for line in (folder / "queries.ratings.jsonl").open()]
    assert {row["annotator"] for row in ratings} == {"ls-3"}
    sample = read_parquet(folder / "queries.sample.parquet").to_pylist()
    general = sorted(row["query"] for row in sample if row["mode"] == "general")
    assert [row["query"] for row in ratings] == general


def test_calls_that_are_wrong(project, table) -> None:
    with pytest.raises(UsageError, match="no audit of 'answers'"):
        audit_export.run(project, "b", "answers", table, ["ana"], size=1, seed=1)
    with pytest.raises(UsageError, match="annotator 'Ana' is named twice"):
        audit_export.run(project, "b", "queries", table, ["ana", "Ana"], size=1, seed=1)
    with pytest.raises(UsageError, match="no id of a person"):
        audit_export.run(project, "b", "queries", table, ["a/b"], size=1, seed=1)


def test_the_verbs_stand_under_audit(tmp_path, monkeypatch, table) -> None:
    app = typer.Typer()
    audit_verbs.register(app)
    app.command("other")(lambda: None)
    (tmp_path / "params.yaml").write_text("run: {}\n")
    monkeypatch.chdir(tmp_path)
    options = ["--table", str(table), "--annotator", "ana", "--annotator", "ben", "--size", "4"]
    result = CliRunner().invoke(app, ["audit", "export", "b", *options], catch_exceptions=False)
    assert result.exit_code == 0
    assert (tmp_path / "audits" / "b" / "queries-ben.xlsx").is_file()
    assert CliRunner().invoke(app, ["audit", "import", "--help"]).exit_code == 0
