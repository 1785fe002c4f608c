"""Replies are joined to items by id, and every reply has exactly one outcome."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from isogloss.errors import DataError
from isogloss.medical.items import Item, read_items
from isogloss.medical.loading import load_sheet
from isogloss.medical.sheet import ABSENT, ANSWERED, FAILED, REFUSED, UNANSWERED, Sheet
from isogloss.medical.tally import tally

FOUR = dict.fromkeys("ABCD", "")


def choice(id_: str, target: str = "A", language: str = "en") -> Item:
    text = "Question: q\nOptions:\nA: w\nB: x\nC: y\nD: z"
    return Item(id_, language, "MCQA", "headqa", text, target, FOUR)


def free(id_: str, language: str = "en") -> Item:
    return Item(id_, language, "QA", "liveqa", "Why?", "So.", {})


def answer(id_: str, text: str, **more: Any) -> dict[str, Any]:
    return {
        "model": "m", "arm": "reviewed", "language": "en", "id": id_, "text": text,
        "outcome": "answered", **more,
    }  # fmt: skip


def about(id_: str, **more: Any) -> dict[str, Any]:
    return {"model": "m", "arm": "reviewed", "language": "en", "id": id_, **more}


def status(sheet: Sheet, id_: str) -> int:
    return int(sheet.status[0, 0, 0, sheet.items.index(id_)])


@pytest.mark.parametrize("case", ["L05"], indirect=True)
def test_case_l05(case: dict[str, Any], lines: Any, tmp_path: Path) -> None:
    for name in ("01", "02"):
        check = case[name]
        items = [choice(id_, check["expected"][id_] or "A") for id_ in check["input"]["requests"]]
        rows = [answer(id_, text) for id_, text in check["input"]["responses"]]
        sheet = load_sheet(items, None, lines("answers.jsonl", rows))
        for id_, letter in check["expected"].items():
            place = sheet.items.index(id_)
            assert status(sheet, id_) == (ANSWERED if letter else ABSENT), name
            assert sheet.correct[0, 0, 0, place] == bool(letter), name
    counts = tally(sheet, 0, 0, 0, 0)
    assert (counts["asked"], counts["missing"]) == (2, 1)

    row = {
        "id": "q1", "language": "en", "task": "QA", "source_dataset": "liveqa", "input": "Why?",
        "target": "So.",
    }  # fmt: skip
    with pytest.raises(DataError, match=r"id 'q1': in en already at .* line 1"):
        read_items(lines("items.jsonl", [row, row]))
    assert len(read_items(lines("items.jsonl", [row, {**row, "language": "de"}]))) == 2

    for name, message in (("04", "id 'q1' .*already on line 1"), ("05", "id 'q9': the items hold")):
        check = case[name]["input"]
        rows = [answer(id_, text) for id_, text in check["responses"]]
        with pytest.raises(DataError, match=message) as caught:
            load_sheet([choice(id_) for id_ in check["requests"]], None, lines("a.jsonl", rows))
        assert f"line {len(rows)}" in str(caught.value)

    # 100 items in whatever order replies come back.
    items = [choice(f"q{index:03d}", "ABCD"[index % 4]) for index in range(100)]
    rows = [answer(item.id, random.Random(item.id).choice("ABCD")) for item in items]
    one = load_sheet(items, None, lines("a.jsonl", rows))
    random.Random(8).shuffle(rows)
    eight = load_sheet(items, None, lines("a.jsonl", rows))
    assert np.array_equal(one.correct, eight.correct)
    assert np.array_equal(one.status, eight.status)


def test_outcomes(lines: Any) -> None:
    items = [choice(f"c{index}") for index in range(6)] + [free(f"f{index}") for index in range(4)]
    rows = [
        answer("c0", "A"),
        answer("c1", "B"),
        answer("c2", "A or B"),
        answer("c3", "I cannot help."),
        answer("c4", "A, though I should not say"),
        answer("c5", "", outcome="failed"),
        answer("f0", "Because."),
        answer("f1", "I cannot help."),
        answer("f2", "<think>hm</think>"),
        answer("f3", ""),
    ]
    refusals = [about(id_, refused=True) for id_ in ("c3", "c4", "f1")]
    refusals += [about(id_, refused=False) for id_ in ("c5", "f0", "c2")]
    sheet = load_sheet(items, None, lines("a.jsonl", rows), lines("r.jsonl", refusals))
    expected = {
        "c0": ANSWERED, "c1": ANSWERED, "c2": UNANSWERED, "c3": REFUSED, "c4": ANSWERED,
        "c5": FAILED, "f0": ANSWERED, "f1": REFUSED, "f2": UNANSWERED, "f3": UNANSWERED,
    }  # fmt: skip
    assert {id_: status(sheet, id_) for id_ in expected} == expected
    assert sheet.correct[0, 0, 0].tolist().count(True) == 2
    assert tally(sheet, 0, 0, 0, 0)["asked"] == 6


def test_a_recorded_refusal_with_a_letter_is_an_answer(lines: Any) -> None:
    sheet = load_sheet(
        [choice("c0")],
        None,
        lines("a.jsonl", [answer("c0", "I should not say, but the answer is A.")]),
        lines("r.jsonl", [about("c0", refused=True)]),
    )
    assert status(sheet, "c0") == ANSWERED
    assert sheet.declined[0, 0, 0, 0] == 1, "the rate still counts it"


def test_nothing_is_read_out_of_a_cut_reply(lines: Any) -> None:
    rows = [
        {**answer("c0", "The answer is A."), "ending": ending} for ending in ("cut", "answered")
    ]
    sheets = [load_sheet([choice("c0")], None, lines("a.jsonl", [row])) for row in rows]
    assert [status(sheet, "c0") for sheet in sheets] == [UNANSWERED, ANSWERED]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{**answer("c0", "A"), "arm": "raw"}], r"line 1: Invalid enum value 'raw'"),
        ([{**answer("c0", "A"), "outcome": "ok"}], "Invalid enum value 'ok'"),
        ([{**answer("c0", ""), "text": None}], "line 1: no text though outcome is answered"),
        (
            [{key: value for key, value in answer("c0", "").items() if key != "text"}],
            "line 1: no text though outcome is answered",
        ),
        ([answer("c0", "A"), answer("c0", "A")], "line 2, id 'c0' .*already on line 1; keep one"),
        ([answer("c0", "A", language="fr")], "hold no such id in 'fr'"),
        ([answer("c0", "A", language="de")], "hold no such id in 'de'"),
        ([], "holds no answers"),
    ],
)
def test_bad_answers_are_named(rows: list[dict[str, Any]], message: str, lines: Any) -> None:
    with pytest.raises(DataError, match=message) as caught:
        load_sheet([choice("c0")], None, lines("a.jsonl", rows))
    assert "a.jsonl" in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "row", "message"),
    [
        ("refusals", about("c9", refused=True), "hold no such id"),
        ("refusals", about("c0", refused=True, model="x"), "there is no such answer"),
        ("refusals", about("c1", refused=True), "the call failed"),
        (
            "refusals",
            about("c0", refused="yes"),
            "field `refused` must be true or false, but is text",
        ),
        ("verdicts", about("c0", verdict="{}"), "only open-ended replies are judged"),
        ("verdicts", about("f1", verdict="{}"), "the call failed"),
        ("verdicts", about("f0", verdict="{}", arm="mt"), "there is no such answer"),
    ],
)
def test_bad_records_about_answers_are_named(
    kind: str, row: dict[str, Any], message: str, lines: Any
) -> None:
    rows = [
        answer("c0", "A"), answer("c1", "", outcome="failed"), answer("f0", "So."),
        answer("f1", "", outcome="failed"),
    ]  # fmt: skip
    items = [choice("c0"), choice("c1"), free("f0"), free("f1")]
    with pytest.raises(DataError, match=message) as caught:
        load_sheet(items, None, lines("a.jsonl", rows), **{kind: lines(f"{kind}.jsonl", [row])})
    assert f"{kind}.jsonl, line 1, id" in str(caught.value) or "line 1: " in str(caught.value)


def test_arms_have_items_of_their_own(lines: Any) -> None:
    path = lines("a.jsonl", [answer("c0", "B"), answer("c0", "B", arm="mt")])
    with pytest.raises(DataError, match="the mt item has another target"):
        load_sheet([choice("c0", "A")], [choice("c0", "B")], path)
    with pytest.raises(DataError, match="the mt items hold no such id"):
        load_sheet([choice("c0")], [choice("c1")], path)
    sheet = load_sheet([choice("c0", "B")], [choice("c0", "B")], path)
    assert sheet.arms == ["mt", "reviewed"]
    assert sheet.correct.all()


def test_traces_are_told_apart(lines: Any) -> None:
    items = [choice(f"c{index}") for index in range(3)]
    rows = [
        answer("c0", "<think>The patient has it and this is not the cause.</think>A"),
        answer("c1", "A", reasoning="患者发热三天"),
        answer("c2", "<think>\n</think>A"),
    ]
    sheet = load_sheet([*items, choice("c0", language="zh")], None, lines("a.jsonl", rows))
    assert sheet.languages == ["en", "zh"]
    assert sheet.trace[0, 0, 0].tolist() == [0, 1, -1]
