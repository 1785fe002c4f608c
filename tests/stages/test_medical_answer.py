"""Answers of models and floors, in both arms, with every question accounted for."""

import re
from pathlib import Path
from typing import Any

import pytest

from isogloss.errors import DataError, UsageError
from isogloss.llm.faults import ChatError
from isogloss.project import Project
from isogloss.stages import medical_answer, medical_translate
from isogloss.stages.asking import Asking
from llm.loopback import Answer, Call, Loopback, answer, error
from stages.medical_project import ITEMS, project_at, read, well, write

LANGUAGES = ("en", "de", "zh")


def translated_project(folder: Path, url: str, **over: Any) -> Project:
    """Both languages translated, and reviewed without a change."""
    project = project_at(folder, url, **over)
    for language in ("de", "zh"):
        medical_translate.run(project, language)
        rows = read(project.translations(language))
        write(project.reviewed(language), rows)
    return project


def test_both_arms_are_asked_in_the_items_language_and_replay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Loopback(well) as server:
        project = translated_project(tmp_path, server.url)
        begun = len(server.calls)
        for arm in ("mt", "reviewed"):
            medical_answer.run(project, "own", arm)
        calls = [call.json for call in server.calls[begun:]]
    # English is asked twice and a text that review left unchanged too.
    assert len(calls) == 2 * 3 * len(ITEMS)
    assert {call["temperature"] for call in calls} == {0.7}
    assert not any({"top_p", "top_k"} & call.keys() for call in calls)
    assert len({call["messages"][0]["content"] for call in calls}) == 1
    prompts = [call["messages"][1]["content"] for call in calls]
    assert sum(prompt.startswith("Beantworte die folgende") for prompt in prompts) == 2 * 4
    assert sum(prompt.startswith("请") for prompt in prompts) == 2 * len(ITEMS)
    rows = read(project.answers("own", "mt"))
    assert [(row["language"], row["id"]) for row in rows] == [
        (language, item["id"]) for language in LANGUAGES for item in ITEMS
    ]
    assert rows[0] == {
        "model": "own", "arm": "mt", "language": "en", "id": "mcqa-headqa-0000",
        "outcome": "answered", "ending": "answered", "text": "B",
    }  # fmt: skip
    said = capsys.readouterr()
    assert (
        "asked 15, answered 15, unanswered 0, declined by the provider 0, failed 0 (before ref"
        in said.out
    )
    assert "2 open-ended replies seem to be in another language" in said.err
    before = project.answers("own", "mt").read_bytes()
    monkeypatch.delenv("LOOPBACK_KEY")
    medical_answer.run(project, "own", "mt", Asking(offline=True))
    assert project.answers("own", "mt").read_bytes() == before


def test_a_model_without_a_system_message_gets_it_before_the_prompt(tmp_path: Path) -> None:
    with Loopback(well) as server:
        project = project_at(tmp_path, server.url, languages=[])
        own = project.settings.chat.answerers["own"].model_copy(
            update={"system_message": False, "temperature": None}
        )
        project.settings.chat.answerers["own"] = own
        medical_answer.run(project, "own", "mt")
        (call, *_) = (call.json for call in server.calls)
    assert [message["role"] for message in call["messages"]] == ["user"]
    assert call["messages"][0]["content"].startswith("You are a careful")
    assert "temperature" not in call


def faulty(call: Call) -> Answer:
    """One question meets each fate."""
    # The repair of a cut reply carries the question in an earlier turn.
    said = str(call.json["messages"])
    if "100 mg" in said:
        return answer("A and C both")
    if "500 mg" in said:
        return answer(None, refusal="I cannot help.")
    if "200 mg" in said:
        return error(400, "too long")
    if "Premise:" in said:
        return answer("<think>Well, A", finish="length")
    return error(400, "filtered", code="content_filter")


def test_every_fate_is_kept_apart_and_the_counts_add_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Loopback(faulty) as server:
        project = project_at(tmp_path, server.url, languages=[])
        with pytest.raises(ChatError, match=r"1 of 5 calls failed.*answer/mt/en/mcqa-headqa-0002"):
            medical_answer.run(project, "own", "mt")
        assert not project.answers("own", "mt").exists()
        medical_answer.run(project, "own", "mt", Asking(accept_failures=True))
        rows = read(project.answers("own", "mt"))
        assert [(row["outcome"], row["ending"]) for row in rows] == [
            ("answered", "answered"),
            ("answered", "refused"),
            ("failed", "failed"),
            ("answered", "cut"),
            ("answered", "filtered"),
        ]
        assert [row["text"] for row in rows] == ["A and C both", "", "", "", ""]
        assert rows[3]["reasoning"] == "Well, A"
        said = capsys.readouterr()
        assert "asked 5, answered 0, unanswered 2, declined by the provider 2, failed 1" in said.out
        assert "answer/mt/en/mcqa-headqa-0002 failed: HTTP 400: too long" in said.err
        before = project.answers("own", "mt").read_bytes()
        medical_answer.run(project, "own", "mt", Asking(offline=True))
        assert project.answers("own", "mt").read_bytes() == before


def test_the_majority_floor_never_sees_its_own_target(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = project_at(tmp_path, languages=[])
    medical_answer.run(project, "majority", "mt")
    rows = {row["id"]: row["text"] for row in read(project.answers("majority", "mt"))}
    # Targets A, B, B: without its own the first sees B twice, the others A and B once each.
    assert rows == {
        "mcqa-headqa-0000": "B",
        "mcqa-headqa-0001": "A",
        "mcqa-headqa-0002": "A",
        "nli-mednli-0000": "A",
    }
    assert "a floor, no language model" in capsys.readouterr().out
    assert project.recording("medical", "answer.majority.mt").read_bytes() == b""


def test_the_nearest_floor_takes_the_option_by_its_meaning(tmp_path: Path, root: Path) -> None:
    (tmp_path / "models").mkdir()
    name = "models/use-multilingual-v3.yaml"
    (tmp_path / name).write_bytes((root / name).read_bytes())
    project = project_at(tmp_path, languages=["de"])
    text = "Question: {}\nOptions:\nA: {}\nB: {}"
    items = [
        {**ITEMS[0], "input": text.format("Which organ pumps blood?", "the moon", "the heart")},
        {**ITEMS[1], "input": text.format("Which one is a colour?", "red", "a railway timetable")},
    ]
    write(tmp_path / "data/medical/items.jsonl", [{**one, "target": "A"} for one in items])
    german = text.format("Welches Organ pumpt Blut?", "der Mond", "das Herz")
    write(
        project.translations("de"), [{**items[0], "language": "de", "input": german, "target": "A"}]
    )
    medical_answer.run(project, "nearest", "mt")
    assert [row["text"] for row in read(project.answers("nearest", "mt"))] == ["B", "A", "B"]


MISFITS = [
    ({"input": ITEMS[0]["input"].replace("\nC: Iron", "")}, r"other option labels \(A B\)"),
    ({"target": "C"}, r"another target \(C\)"),
    ({"target": "F"}, "target 'F' is none of its labels"),
    ({"input": " "}, "input is empty"),
]


@pytest.mark.parametrize(("change", "message"), MISFITS)
def test_a_machine_translation_that_does_not_fit_is_named_and_not_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, str], message: str
) -> None:
    project = project_at(tmp_path, languages=["de"])
    rows = [{**item, "language": "de"} for item in ITEMS]
    write(project.translations("de"), [{**rows[0], **change}, *rows[1:]])
    medical_answer.run(project, "majority", "mt")
    asked = [(row["language"], row["id"]) for row in read(project.answers("majority", "mt"))]
    assert len(asked) == 2 * 4 - 1
    assert ("de", ITEMS[0]["id"]) not in asked
    said = capsys.readouterr().err
    assert re.search(f"de.jsonl, line 1, id '{ITEMS[0]['id']}': {message}.*; not asked", said)
    assert "1 item without a version in de" in said


@pytest.mark.parametrize(
    ("change", "message"),
    [
        *MISFITS,
        ({"id": "mcqa-headqa-9999"}, "the English items hold no such id"),
        ({"id": ITEMS[1]["id"]}, "is there twice"),
        ({"language": "zh"}, "is in zh, not in de"),
    ],
)
def test_a_reviewed_item_that_does_not_fit_is_refused_by_name(
    tmp_path: Path, change: dict[str, str], message: str
) -> None:
    project = project_at(tmp_path, languages=["de"])
    rows = [{**item, "language": "de"} for item in ITEMS]
    write(project.reviewed("de"), [rows[1], {**rows[0], **change}])
    wanted = f"de.jsonl, line 2, id '{change.get('id', ITEMS[0]['id'])}': {message}"
    with pytest.raises(DataError, match=wanted):
        medical_answer.run(project, "majority", "reviewed")


def test_what_is_missing_is_said_with_the_verb_that_makes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = project_at(tmp_path, languages=["de"])
    with pytest.raises(DataError, match="run isogloss medical translate de"):
        medical_answer.run(project, "majority", "mt")
    with pytest.raises(DataError, match="run isogloss medical review merge de"):
        medical_answer.run(project, "majority", "reviewed")
    with pytest.raises(UsageError, match="no answerer 'nobody'"):
        medical_answer.run(project, "nobody", "mt")
    with pytest.raises(UsageError, match="no arm 'both'"):
        medical_answer.run(project, "majority", "both")
    # Nothing reviewed yet: English alone is asked, and said so.
    write(project.reviewed("de"), [])
    medical_answer.run(project, "majority", "reviewed")
    assert len(read(project.answers("majority", "reviewed"))) == 4
    assert "de is not asked in the arm reviewed" in capsys.readouterr().err
