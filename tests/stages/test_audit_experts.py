import json
from pathlib import Path
from typing import Any

import pytest
import typer
from openpyxl import load_workbook
from typer.testing import CliRunner

from isogloss.cli import audit as audit_verbs
from isogloss.errors import DataError, UsageError
from isogloss.medical.data import load
from isogloss.medical.experts import read_experts
from isogloss.medical.items import read_items
from isogloss.stages import audit_experts_export, audit_experts_import

MODELS = ["alpha", "beta"]


def verdict(score: int) -> str:
    found: dict[str, Any] = {}
    for outer, inner in load("rubric")["dimensions"].values():
        found.setdefault(outer, {})[inner] = {"score": score, "justification": "so"}
    for outer, inner in load("rubric")["flags"].values():
        found.setdefault(outer, {})[inner] = {"label": "no", "justification": "so"}
    return json.dumps(found)


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    items, answers, verdicts = [], [], []
    for number in range(8):
        name = f"qa-liveqa-{number:04}"
        items.append(
            {"id": name, "language": "de", "task": "QA", "source_dataset": "LiveQA",
             "input": "Was?", "target": "Das."}
        )  # fmt: skip
        for model in MODELS:
            key = {"model": model, "arm": "reviewed", "language": "de", "id": name}
            answers.append({**key, "text": f"<think>hm</think>{model}", "outcome": "answered"})
            broken = number == 7 and model == "beta"
            verdicts.append({**key, "verdict": "no" if broken else verdict(1 + number % 5)})
    answers[0]["text"] = "=1"
    return (
        write(tmp_path / "items.jsonl", items),
        write(tmp_path / "answers.jsonl", answers),
        write(tmp_path / "verdicts.jsonl", verdicts),
    )


def test_from_verdicts_to_an_experts_file(files, tmp_path, capsys) -> None:
    out = tmp_path / "audit"
    audit_experts_export.run(*files, out, MODELS, ["eva", "tom"], per_dataset=5)
    said = capsys.readouterr()
    assert "1 verdicts are unusable" in said.err
    assert "de-eva.xlsx: 10 answers" in said.out
    made = {path.name: path.read_bytes() for path in out.iterdir()}
    audit_experts_export.run(*files, out, MODELS, ["eva", "tom"], per_dataset=5)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == made
    with pytest.raises(UsageError, match="holds another sample"):
        audit_experts_export.run(*files, out, MODELS, ["eva"], per_dataset=5, seed=99)
    back = tmp_path / "back"
    back.mkdir()
    for expert, score in (("eva", 4), ("tom", 2)):
        book = load_workbook(out / f"de-{expert}.xlsx")
        page = book["Answers"]
        assert "think" not in str(page["F2"].value)
        for row in range(2, 12 if expert == "eva" else 7):
            for column in range(7, 12):
                page.cell(row, column).value = score
        book.save(back / f"{expert}.xlsx")
    audit_experts_import.run(out, [back])
    assert "15 rows on 10 of 10 answers" in capsys.readouterr().out
    responses = read_experts(out / "experts.jsonl", read_items(files[0]))
    assert len(responses) == 10
    assert sorted(len(one.experts) for one in responses) == [1] * 5 + [2] * 5
    by_id = {row["id"]: row for row in map(json.loads, files[2].open())}
    for one in responses:
        assert verdict(one.judge[0]) == by_id[one.id]["verdict"]


def test_wrong_files(files, tmp_path) -> None:
    with pytest.raises(DataError, match="no question has a usable verdict for each of"):
        audit_experts_export.run(*files, tmp_path / "a", ["alpha", "delta"], ["eva"])
    rows = [json.loads(line) for line in files[2].open()]
    twice = write(tmp_path / "twice.jsonl", [*rows, rows[3]])
    with pytest.raises(DataError, match=r"line 17, id 'qa-liveqa-0001': this answer is judged"):
        audit_experts_export.run(files[0], files[1], twice, tmp_path / "a", MODELS, ["eva"])
    with pytest.raises(DataError, match="no such file"):
        audit_experts_import.run(tmp_path)


def test_the_verbs_stand_under_audit(files, tmp_path) -> None:
    app = typer.Typer()
    audit_verbs.register_medical(app)
    app.command("other")(lambda: None)
    items, answers, verdicts = map(str, files)
    options = ["--items", items, "--answers", answers, "--verdicts", verdicts, "--out",
               str(tmp_path / "x"), "--model", "alpha", "--expert", "eva"]  # fmt: skip
    result = CliRunner().invoke(app, ["audit", "export", *options], catch_exceptions=False)
    assert result.exit_code == 0
    assert (tmp_path / "x" / "de-eva.xlsx").is_file()
