"""The verbs that ask models, from the command line."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from isogloss.cli.main import app, main
from stages.medical_project import project_at, read

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
