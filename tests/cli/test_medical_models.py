"""The verbs that ask models, from the command line."""

import json
import re
from pathlib import Path

import pytest
from openpyxl import load_workbook
from typer.testing import CliRunner

from isogloss.cli.main import app, main
from stages.medical_project import ITEMS, project_at, read, write

runner = CliRunner()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    project = project_at(tmp_path, languages=[])
    content = project.settings.model_dump(mode="json", include={"run", "chat", "medical"})
    (tmp_path / "params.yaml").write_text(json.dumps(content), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_floor_goes_through_every_verb(folder: Path) -> None:
    for verb, told in (
        ("answer", "asked 4, answered 4"),
        ("refusals", "4 replies, 0 refused; 0 classified"),
        ("judge", "0 judged, 0 scored"),
    ):
        done = runner.invoke(app, ["medical", verb, "majority", "mt"], catch_exceptions=False)
        assert done.exit_code == 0
        assert told in done.output
        assert (folder / "recordings" / f"medical.{verb}.majority.mt.jsonl").read_bytes() == b""
    assert len(read(folder / "medical/answers/majority.mt.jsonl")) == 4


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["answer", "nobody", "mt"], "no answerer 'nobody'"),
        (["answer", "majority", "both"], "no arm 'both' (has: mt, reviewed)"),
        (["translate", "de"], "medical.languages does not name 'de' (has: none)"),
        (["refusals"], "give MODEL and ARM, or --check"),
        (["refusals", "majority", "mt", "--check"], "--check takes no MODEL and no ARM"),
        (["items", "nothing", "--out", "x.jsonl"], "'nothing': write SOURCE=FILE"),
        (["review", "merge", "de", "--items", "x.jsonl"], "give --out too, or only the language"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_2(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["medical", *words])
    said = capsys.readouterr().err
    assert left.value.code == 2
    assert re.fullmatch(r"isogloss: [^\n]+\n", said)
    assert told in said


def test_offline_names_what_is_not_recorded(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["medical", "answer", "own", "mt", "--offline"])
    assert left.value.code == 1
    assert "no recording of request" in capsys.readouterr().err


def test_review_finds_its_files_in_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = project_at(tmp_path, languages=["de"])
    content = project.settings.model_dump(mode="json", include={"run", "chat", "medical"})
    (tmp_path / "params.yaml").write_text(json.dumps(content), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    write(project.translations("de"), [{**item, "language": "de"} for item in ITEMS])
    make = ["medical", "review", "make", "de", "--reviewer", "anna", "--out", "sheets"]
    done = runner.invoke(app, make, catch_exceptions=False)
    assert f"sheets/de-1-anna.xlsx: {len(ITEMS)} items" in done.output
    with pytest.raises(SystemExit):
        main(["medical", "review", "status", "de"])
    assert "data/medical/reviews: no such folder of returned sheets" in capsys.readouterr().err
    (tmp_path / "data" / "medical" / "reviews").mkdir()
    (tmp_path / "sheets" / "de-1-anna.xlsx").rename(
        tmp_path / "data" / "medical" / "reviews" / "de-1-anna.xlsx"
    )
    done = runner.invoke(app, ["medical", "review", "status", "de"], catch_exceptions=False)
    assert f"de: {len(ITEMS)} items, 0 with a first review" in done.output
    done = runner.invoke(app, ["medical", "review", "merge", "de"], catch_exceptions=False)
    assert done.exit_code == 0
    rows = f"0 of {len(ITEMS)} rows usable (0 refused, {len(ITEMS)} not filled in)"
    assert f"1 sheet of 'de' came back, {rows}" in done.output
    assert read(project.reviewed("de")) == []
    # Every row of the returned sheet breaks a rule: that is no success, and no missing sheet.
    returned = tmp_path / "data" / "medical" / "reviews" / "de-1-anna.xlsx"
    book = load_workbook(returned)
    for page in book.worksheets[:-3]:
        for row in range(2, page.max_row + 1):
            page.cell(row, 6).value = 9
            page.cell(row, 7).value = 9
    book.save(returned)
    project.reviewed("de").unlink()
    with pytest.raises(SystemExit) as left:
        main(["medical", "review", "merge", "de"])
    assert left.value.code == 1
    rows = f"0 of {len(ITEMS)} rows usable ({len(ITEMS)} refused, 0 not filled in)"
    assert f"1 sheet of 'de' came back, {rows}" in capsys.readouterr().err
    assert not project.reviewed("de").exists()
    returned.unlink()
    done = runner.invoke(app, ["medical", "review", "merge", "de"], catch_exceptions=False)
    assert "no sheet of 'de' has come back yet" in done.output
    assert done.exit_code == 0
