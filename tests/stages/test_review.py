import json
from pathlib import Path
from typing import Any

import pytest
import typer
from openpyxl import load_workbook
from typer.testing import CliRunner

from isogloss.cli import review as review_verbs
from isogloss.errors import DataError, UsageError
from isogloss.medical.items import read_items
from isogloss.stages import review_make, review_merge, review_status

CHOICES = "Question: {}\nOptions:\nA: {}\nB: {}"
SOURCE = [
    ("mcqa-headqa-0000", "MCQA", "headqa", CHOICES.format("Dose 5 mg?", "yes", "no"), "A"),
    ("mcqa-headqa-0001", "MCQA", "headqa", CHOICES.format("Fever?", "yes", "no"), "B"),
    ("qa-liveqa-0000", "QA", "liveqa", "What is gout?", "A form of arthritis."),
]
MACHINE = [
    ("mcqa-headqa-0000", "MCQA", "headqa", CHOICES.format("Dosi 5 mg?", "ndiyo", "hapana"), "A"),
    # The machine broke the format: putting it right is what reviewers are for.
    ("mcqa-headqa-0001", "MCQA", "headqa", "Question: Homa?\nOptions:\nA: ndiyo", "B"),
    ("qa-liveqa-0000", "QA", "liveqa", "Gauti ni nini?", "Aina ya yabisi ya viungo."),
]


def write(path: Path, language: str, rows: list[tuple[str, ...]]) -> Path:
    keys = ("id", "task", "source_dataset", "input", "target")
    lines = [
        json.dumps({"language": language, **dict(zip(keys, row, strict=True))}) for row in rows
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    return write(tmp_path / "en.jsonl", "en", SOURCE), write(tmp_path / "sw.jsonl", "sw", MACHINE)


def fill(path: Path, back: Path, scores: tuple[int, ...], texts: dict[str, str]) -> None:
    book = load_workbook(path)
    for page in book.worksheets[:-3]:
        titles = {cell.value: cell.column for cell in page[1]}
        for row in range(2, page.max_row + 1):
            for score, name in zip(scores, ("Accuracy", "Fluency", "Completeness"), strict=True):
                page.cell(row, titles[f"{name} (1-5)"]).value = score
            text = texts.get(page.cell(row, 2).value)
            if text:
                page.cell(row, titles.get("Reviewed text") or titles["Final text"]).value = text
    back.mkdir(exist_ok=True)
    book.save(back / path.name)


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_make_merge_status(files, tmp_path, capsys) -> None:
    items, machine = files
    before = machine.read_bytes()
    out, back = tmp_path / "sheets", tmp_path / "back"
    notes = tmp_path / "notes.txt"
    notes.write_text("gauti: jongo\n\n", "utf-8")
    review_make.run("sw", items, machine, "asha", out, notes=notes)
    sheet = out / "sw-1-asha.xlsx"
    assert [cell.value for cell in load_workbook(sheet)["Terminology"]["A"]][-1] == "gauti: jongo"
    made = sheet.read_bytes()
    review_make.run("sw", items, machine, "asha", out, notes=notes)
    assert sheet.read_bytes() == made
    mended = CHOICES.format("Homa?", "ndiyo", "hapana")
    fill(sheet, back, (4, 4, 5), {"mcqa-headqa-0001": mended})
    review_make.run("sw", items, machine, "bao", out, stage=2, returned=[back])
    final = CHOICES.format("Kipimo 5 mg?", "ndiyo", "hapana")
    fill(out / "sw-2-bao.xlsx", back, (5, 4, 5), {"mcqa-headqa-0000": final})
    capsys.readouterr()
    results = tmp_path / "results"
    review_merge.run("sw", items, machine, [back], results)
    assert "sw: 3 items, 3 with a first review, 3 finished" in capsys.readouterr().out
    reviewed = read_items(results / "reviewed.jsonl")
    assert [item.input for item in reviewed] == [final, mended, MACHINE[2][3]]
    assert [item.target for item in reviewed] == ["A", "B", MACHINE[2][4]]
    assert machine.read_bytes() == before
    reviews = rows(results / "reviews.jsonl")
    assert [row["machine"]["input"] for row in reviews] == [row[3] for row in MACHINE]
    figures = json.loads((results / "review.json").read_text("utf-8"))
    # Item 1: 1 of 6 words (dosi 5 mg A ndiyo B hapana A); item 2 adds B and hapana; item 3 none.
    assert figures["revision_rate"]["final"]["mean"] == pytest.approx((1 / 8 + 2 / 6) / 3)
    assert figures["revision_rate"]["first"]["mean"] == pytest.approx((2 / 6) / 3)
    assert figures["scores"]["accuracy"] == {"first": 4.0, "second": 5.0, "both": 4.5}
    assert figures["agreement"]["pooled"]["exact"] == pytest.approx(2 / 3)
    content = {path.name: path.read_bytes() for path in results.iterdir()}
    review_merge.run(
        "sw", items, machine, [back / "sw-2-bao.xlsx", back / "sw-1-asha.xlsx"], results
    )
    assert {path.name: path.read_bytes() for path in results.iterdir()} == content


def test_partial_and_faulty_returns(files, tmp_path, capsys) -> None:
    items, machine = files
    out, back = tmp_path / "sheets", tmp_path / "back"
    review_make.run("sw", items, machine, "asha", out, part="1/2")
    fill(out / "sw-1-asha.xlsx", back, (4, 9, 5), {})
    (back / "torn.xlsx").write_bytes(b"no")
    stray = load_workbook(out / "sw-1-asha.xlsx")
    for row in stray["isogloss"].iter_rows():
        if row[0].value == "code":
            row[1].value = "translation-review/sw/1/a b"
    stray.save(back / "stray.xlsx")
    with pytest.raises(DataError, match="no returned sheet of language 'sw' holds a usable row"):
        review_merge.run("sw", items, machine, [back], tmp_path / "results")
    said = capsys.readouterr().err
    assert "row 2, column H 'Fluency (1-5)', id 'mcqa-headqa-0000': holds '9'" in said
    assert "torn.xlsx: is no .xlsx workbook" in said
    assert "stray.xlsx: is the sheet 'translation-review/sw/1/a b', not one of" in said
    assert not (tmp_path / "results").exists()
    review_make.run("sw", items, machine, "cira", out, part="2/2")
    mended = CHOICES.format("Homa?", "ndiyo", "hapana")
    fill(out / "sw-1-cira.xlsx", back, (4, 4, 5), {"mcqa-headqa-0001": mended})
    review_merge.run("sw", items, machine, [back], tmp_path / "results")
    assert len(rows(tmp_path / "results" / "reviews.jsonl")) == 2
    assert rows(tmp_path / "results" / "reviewed.jsonl") == []
    with pytest.raises(DataError, match=r"broken rules? in all\); nothing was imported"):
        review_merge.run("sw", items, machine, [back], tmp_path / "results", strict=True)
    capsys.readouterr()
    review_status.run(["sw"], items, [machine], [back])
    said = capsys.readouterr().out
    assert "reviewer 1 asha: 0 of 1 done, missing 0, refused 1 (mcqa-headqa-0000)" in said
    assert "reviewer 1 cira: 2 of 2 done, missing 0, refused 0" in said
    assert "without a first review: 1 (mcqa-headqa-0000)" in said
    assert "waiting for reviewer 2: 2 (mcqa-headqa-0001, qa-liveqa-0000)" in said


def test_a_second_sheet_of_one_person_holds_what_is_left(files, tmp_path, capsys) -> None:
    items, machine = files
    out, back = tmp_path / "sheets", tmp_path / "back"
    review_make.run("sw", items, machine, "asha", out, part="2/2")
    mended = CHOICES.format("Homa?", "ndiyo", "hapana")
    fill(out / "sw-1-asha.xlsx", back, (4, 4, 5), {"mcqa-headqa-0001": mended})
    review_make.run("sw", items, machine, "bao", out, stage=2, returned=[back])
    assert "1 items wait for a first review" in capsys.readouterr().err
    fill(out / "sw-2-bao.xlsx", back, (5, 4, 5), {})
    review_make.run("sw", items, machine, "asha", out, part="1/2")
    fill(out / "sw-1-asha-2.xlsx", back, (4, 4, 5), {})
    review_make.run("sw", items, machine, "bao", out, stage=2, returned=[back])
    said = capsys.readouterr()
    assert "2 items are finished and stay out" in said.err
    assert "sw-2-bao-2.xlsx: 1 items" in said.out


def test_reviewer_two_gets_nothing_of_their_own(files, tmp_path, capsys) -> None:
    items, machine = files
    out, back = tmp_path / "sheets", tmp_path / "back"
    back.mkdir()
    with pytest.raises(UsageError, match="nothing for 'bao' to review in stage 2"):
        review_make.run("sw", items, machine, "bao", out, stage=2, returned=[back])
    review_make.run("sw", items, machine, "asha", out)
    mended = CHOICES.format("Homa?", "ndiyo", "hapana")
    fill(out / "sw-1-asha.xlsx", back, (4, 4, 5), {"mcqa-headqa-0001": mended})
    with pytest.raises(UsageError, match="nothing for 'Asha'"):
        review_make.run("sw", items, machine, "Asha", out, stage=2, returned=[back])
    assert "3 items had Asha as reviewer 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("language", "part", "said"),
    [
        ("en", "1/1", "'en' is no language to translate into"),
        ("xx", "1/1", "'xx' is no language"),
        ("sw", "half", "part 'half': write K/N"),
        ("sw", "3/2", "part 3/2"),
    ],
)
def test_calls_that_are_wrong(files, tmp_path, language: str, part: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        review_make.run(language, *files, "asha", tmp_path, part=part)


def test_a_review_before_the_translation_says_what_comes_first(files, tmp_path) -> None:
    items, _ = files
    with pytest.raises(DataError, match=r"none.jsonl: no such file; run `isogloss medical transl"):
        review_make.run("sw", items, tmp_path / "none.jsonl", "asha", tmp_path)


def test_pairs_of_source_and_translation(files, tmp_path, capsys) -> None:
    items, _ = files
    odd = write(tmp_path / "odd.jsonl", "sw", [MACHINE[0], ("mcqa-x-9", *MACHINE[0][1:])])
    review_make.run("sw", items, odd, "asha", tmp_path)
    said = capsys.readouterr().err
    assert "1 translate no item" in said
    assert "2 items have no sw translation" in said
    twice = write(tmp_path / "twice.jsonl", "sw", [MACHINE[0], MACHINE[0]])
    with pytest.raises(DataError, match="line 2, id 'mcqa-headqa-0000': is there twice"):
        review_make.run("sw", items, twice, "asha", tmp_path)
    with pytest.raises(DataError, match="no de translation of an item"):
        review_make.run("de", items, odd, "asha", tmp_path)


def test_the_verbs_stand_under_review(files, tmp_path) -> None:
    app = typer.Typer()
    review_verbs.register(app)
    app.command("other")(lambda: None)
    pair = ["--items", str(files[0]), "--translations", str(files[1])]
    made = [*pair, "--reviewer", "asha", "--out", str(tmp_path / "o")]
    runner = CliRunner()
    assert (
        runner.invoke(app, ["review", "make", "sw", *made], catch_exceptions=False).exit_code == 0
    )
    back = ["--returned", str(tmp_path / "o")]
    state = runner.invoke(app, ["review", "status", "sw", *pair, *back], catch_exceptions=False)
    assert "reviewer 1 asha: 0 of 3 done, missing 3" in state.output
    merged = runner.invoke(
        app, ["review", "merge", "sw", *pair, *back, "--out", str(tmp_path / "r")]
    )
    assert isinstance(merged.exception, DataError)
