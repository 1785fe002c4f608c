"""Publishers' files become one items file; every record of every file is accounted for."""

import json
from pathlib import Path
from typing import Any

import pytest

from isogloss.errors import DataError, UsageError
from isogloss.medical.items import read_items
from isogloss.stages import medical_items as stage
from stages.medical_project import write

SAMPLES = Path(__file__).parent.parent / "medical" / "samples"
REAL = {
    "headqa-es": "headqa_es.jsonl",
    "medqa-us": "medqa_usmle_en.jsonl",
    "expertqa": "expertqa_en.jsonl",
}


def exam(question: str, answer: str = "(A)") -> dict[str, Any]:
    return {"question": question, "options": "(A) one.\n(B) two.", "answer": answer}


def test_real_heads_of_published_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "items.jsonl"
    stage.run([f"{name}={SAMPLES / file}" for name, file in REAL.items()], out)
    items = read_items(out)
    assert {item.dataset for item in items} == {"headqa", "medqa", "expertqabio", "expertqamed"}
    report = json.loads((tmp_path / "items.report.json").read_text("utf-8"))
    kept = 0
    for entry in report["files"]:
        counts = entry["counts"]
        assert counts["read"] == sum(n for reason, n in counts.items() if reason != "read")
        kept += counts["kept"]
    assert kept == len(items) == sum(report["items"].values())
    said = capsys.readouterr()
    assert "read 14, kept 13, field is neither biology nor medicine: Sociology 1" in said.out
    before = out.read_bytes()
    stage.run([f"{name}={SAMPLES / file}" for name, file in REAL.items()], out)
    assert out.read_bytes() == before


def test_files_of_one_dataset_are_numbered_on_and_languages_stay_aligned(tmp_path: Path) -> None:
    for name in ("en", "es"):
        write(tmp_path / f"train.{name}.jsonl", [exam("1?"), exam("2?", "(C)"), exam("3?", "(B)")])
        write(tmp_path / f"test.{name}.jsonl", [exam("4?", "(B)")])
    out = tmp_path / "items.jsonl"
    stage.run(
        [
            f"headqa-{language}={tmp_path / f'{part}.{language}.jsonl'}"
            for language in ("en", "es")
            for part in ("train", "test")
        ],
        out,
    )
    items = read_items(out)
    for language in ("en", "es"):
        # The second record is refused; its place stays empty in both languages.
        assert [item.id[-4:] for item in items if item.language == language] == [
            "0000",
            "0002",
            "0003",
        ]


def test_a_draw_keeps_the_languages_of_an_id_together(tmp_path: Path) -> None:
    for name in ("en", "es"):
        write(tmp_path / f"{name}.jsonl", [exam(f"{number}?") for number in range(20)])
    files = [f"headqa-{name}={tmp_path / f'{name}.jsonl'}" for name in ("en", "es")]
    drawn = []
    for seed in (13, 13, 14):
        stage.run(files, tmp_path / "items.jsonl", per_dataset=5, seed=seed)
        items = read_items(tmp_path / "items.jsonl")
        ids = [{item.id for item in items if item.language == name} for name in ("en", "es")]
        assert ids[0] == ids[1]
        assert len(ids[0]) == 5
        drawn.append(ids[0])
    assert drawn[0] == drawn[1] != drawn[2]


def test_wrong_calls_and_versions_that_differ_are_named(tmp_path: Path) -> None:
    write(tmp_path / "en.jsonl", [exam("1?")])
    write(tmp_path / "es.jsonl", [exam("1?", "(B)")])
    out = tmp_path / "items.jsonl"
    with pytest.raises(UsageError, match="write SOURCE=FILE"):
        stage.run([str(tmp_path / "en.jsonl")], out)
    with pytest.raises(UsageError, match="no source 'headqa'"):
        stage.run([f"headqa={tmp_path / 'en.jsonl'}"], out)
    with pytest.raises(DataError, match=r"nowhere.jsonl: no such file"):
        stage.run([f"headqa-en={tmp_path / 'nowhere.jsonl'}"], out)
    files = [f"headqa-{name}={tmp_path / f'{name}.jsonl'}" for name in ("en", "es")]
    with pytest.raises(DataError, match=r"'mcqa-headqa-0000' in es: another target \(B\) than in"):
        stage.run(files, out)
    assert not out.exists()


def test_files_that_give_no_item_leave_the_output_as_it_was(tmp_path: Path) -> None:
    out = tmp_path / "items.jsonl"
    write(tmp_path / "good.jsonl", [exam("1?")])
    stage.run([f"medqa-us={tmp_path / 'good.jsonl'}"], out)
    before = out.read_bytes()
    write(tmp_path / "bad.jsonl", [exam("1?", "(Z)")])
    (tmp_path / "empty.jsonl").touch()
    with pytest.raises(DataError, match="no record of these files became an item"):
        stage.run([f"medqa-us={tmp_path / 'bad.jsonl'}"], out)
    with pytest.raises(DataError, match=r"empty.jsonl: holds no record of medqa-us"):
        stage.run([f"medqa-us={tmp_path / name}.jsonl" for name in ("good", "empty")], out)
    assert out.read_bytes() == before
