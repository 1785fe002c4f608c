"""The six-field format: what is read, and what is refused by file, line and id."""

import json
from pathlib import Path
from typing import Any

import pytest

from isogloss.errors import DataError
from isogloss.medical.items import parse_options, read_items, unaligned

GOOD = {
    "id": "mcqa-headqa-0000", "language": "en", "task": "MCQA", "source_dataset": "HeadQA",
    "input": "Question: Which?\nOptions:\nA: one\nB: two\nC: C: three", "target": "B",
}  # fmt: skip
NLI = {
    "id": "nli-bionli-0000", "language": "sw", "task": "NLI", "source_dataset": "bionli",
    "input": "Premise: P.\nHypothesis: H.\nOptions:\nA: Entailment\nB: Contradiction",
    "target": "A",
}  # fmt: skip
QA = {
    "id": "qa-liveqa-0000", "language": "zh-CN", "task": "QA", "source_dataset": "LiveQA",
    "input": "什么?\nOptions matter", "target": "答案",
}  # fmt: skip


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def test_a_file_is_read_as_it_is(tmp_path: Path) -> None:
    items = read_items(write(tmp_path / "items.jsonl", GOOD, NLI, {**QA, "extra": 1}))
    assert [item.dataset for item in items] == ["headqa", "bionli", "liveqa"]
    assert items[0].options == {"A": "one", "B": "two", "C": "C: three"}
    assert items[2].language == "zh"
    assert items[2].options == {}
    assert items[0].input == GOOD["input"]


def test_a_folder_is_read_in_name_order(tmp_path: Path) -> None:
    write(tmp_path / "b.jsonl", {**GOOD, "language": "de"})
    write(tmp_path / "a.jsonl", GOOD)
    assert [item.language for item in read_items(tmp_path)] == ["en", "de"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"target": "D"}, "target 'D' is none of its labels A B C"),
        ({"target": ""}, "is none of its labels"),
        ({"input": "Question: Which?"}, "no line 'Options:'"),
        ({"input": "Frage: Was?\nOptions:\nA: x\nB: y"}, "opens with 'Question:'"),
        ({"input": "Question: Q\nOptions:\nA: x\nA: y"}, "option A is there twice"),
        ({"input": "Question: Q\nOptions:\nA: x"}, "fewer than two options"),
        ({"input": "Question: Q\nOptions:\nfree\nA: x\nB: y"}, "no option label opens"),
        ({"language": "fr"}, "language 'fr' is none of"),
        ({"task": "MC"}, "task 'MC' is none of"),
        ({"source_dataset": "MedNLI"}, "holds no MCQA items"),
        ({"id": "a b"}, "id is empty, or none: ids hold no white space"),
        ({"id": "a\0"}, "ids hold no white space or control characters"),
    ],
)
def test_a_bad_row_names_file_line_and_id(
    tmp_path: Path, change: dict[str, str], message: str
) -> None:
    bad = {**GOOD, "id": "bad-1", "language": "de", **change}
    path = write(tmp_path / "items.jsonl", GOOD, bad)
    with pytest.raises(DataError, match=message) as caught:
        read_items(path)
    assert f"{path}, line 2, id {bad['id']!r}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_field_names_the_line(tmp_path: Path) -> None:
    path = write(tmp_path / "items.jsonl", GOOD)
    path.write_text("\n" + path.read_text("utf-8") + '{"id": "x"}\n', "utf-8")
    with pytest.raises(DataError, match=r"line 3: lacks the field .language"):
        read_items(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({}, "in en already at"),
        ({"language": "de", "target": "A"}, r"another target \(A\) than in en"),
        ({"language": "de", "input": "Question: W?\nOptions:\nA: x\nB: y"}, "other option labels"),
        ({"language": "de", "source_dataset": "MedQA"}, "another task or dataset"),
    ],
)
def test_versions_of_an_id_agree(tmp_path: Path, change: dict[str, str], message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_items(write(tmp_path / "items.jsonl", GOOD, {**GOOD, **change}))


def test_ids_that_a_language_lacks_are_named(tmp_path: Path) -> None:
    items = read_items(write(tmp_path / "i.jsonl", GOOD, {**GOOD, "language": "de"}, NLI))
    assert unaligned(items) == {
        "de": ["nli-bionli-0000"],
        "en": ["nli-bionli-0000"],
        "sw": ["mcqa-headqa-0000"],
    }


def test_options_are_read_after_the_last_heading() -> None:
    text = "Question: Options:\nOptions:\nA: no\nOptions:\nA: one\n  more\nB： two\n\nC:\n"
    assert parse_options(text) == {"A": "one\nmore", "B": "two", "C": ""}
    assert parse_options("Question: none") == {}
