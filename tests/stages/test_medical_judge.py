"""The judge is shown what the rubric needs, and its raw text is kept."""

from pathlib import Path

import pytest

from isogloss.errors import DataError
from isogloss.llm.faults import ChatError
from isogloss.medical.verdicts import DIMENSIONS, read_verdict
from isogloss.stages import medical_answer, medical_judge, medical_translate
from isogloss.stages.asking import Asking
from llm.loopback import Answer, Call, Loopback, answer, error
from stages.medical_project import OPEN_REPLY, REFERENCE, block, project_at, read, verdict, well


def test_the_judge_sees_the_arms_own_question_and_reference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Loopback(well) as server:
        project = project_at(tmp_path, server.url, languages=["de"])
        medical_translate.run(project, "de")
        medical_answer.run(project, "own", "mt")
        medical_judge.run(project, "own", "mt")
        calls = [call for call in server.calls if call.json["model"] == "judge"]
    assert len(calls) == 2
    for call in calls:
        assert call.json["max_completion_tokens"] == 4096
        assert "temperature" not in call.json
        assert block(call, "answer") == OPEN_REPLY
    english, german = sorted(calls, key=lambda call: "German" in call.said)
    assert (block(english, "reference"), block(german, "reference")) == (REFERENCE, "Antwort.")
    assert "Target language: English" in english.said
    assert block(german, "question").startswith("Frage? ")
    rows = read(project.verdicts("own", "mt"))
    assert [(row["language"], row["id"]) for row in rows] == [
        ("en", "qa-liveqa-0000"),
        ("de", "qa-liveqa-0000"),
    ]
    assert read_verdict(rows[0]["verdict"]).scores == (4,) * len(DIMENSIONS)
    assert "2 judged, 2 scored" in capsys.readouterr().out
    before = project.verdicts("own", "mt").read_bytes()
    medical_judge.run(project, "own", "mt", Asking(offline=True))
    assert project.verdicts("own", "mt").read_bytes() == before


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (verdict(completeness=6), "completeness is no integer 1-5"),
        ("I would give it a 4.", "no JSON object"),
        (verdict() + verdict(), "more than one JSON object"),
        (verdict()[:-20], "JSON cut short or malformed"),
    ],
)
def test_a_verdict_out_of_range_is_kept_named_and_scores_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, reason: str
) -> None:
    def judge(call: Call) -> Answer:
        return answer(text) if call.json["model"] == "judge" else well(call)

    with Loopback(judge) as server:
        project = project_at(tmp_path, server.url, languages=[])
        medical_answer.run(project, "own", "reviewed")
        medical_judge.run(project, "own", "reviewed")
        asked = sum(call.json["model"] == "judge" for call in server.calls)
    # Asked again once, then counted.
    assert asked == 2
    assert [row["verdict"] for row in read(project.verdicts("own", "reviewed"))] == [text]
    said = capsys.readouterr()
    assert f"1 judged, 0 scored; unusable: {reason} 1" in said.out
    assert f"unusable verdict on en/qa-liveqa-0000: {reason}" in said.err


def test_a_judge_that_gives_no_text_leaves_null(tmp_path: Path) -> None:
    def judge(call: Call) -> Answer:
        return answer(None) if call.json["model"] == "judge" else well(call)

    with Loopback(judge) as server:
        project = project_at(tmp_path, server.url, languages=[])
        medical_answer.run(project, "own", "mt")
        medical_judge.run(project, "own", "mt")
    assert [row["verdict"] for row in read(project.verdicts("own", "mt"))] == [None]


def test_only_open_ended_text_is_judged_and_reasoning_is_not_shown(tmp_path: Path) -> None:
    def replies(call: Call) -> Answer:
        if call.json["model"] == "judge":
            return well(call)
        return answer("<think>Secret: iron.</think>It is harmless.")

    with Loopback(replies) as server:
        project = project_at(tmp_path, server.url, languages=[])
        medical_answer.run(project, "own", "mt")
        medical_judge.run(project, "own", "mt")
        calls = [call for call in server.calls if call.json["model"] == "judge"]
    assert [block(call, "answer") for call in calls] == ["It is harmless."]


def test_a_model_that_takes_no_open_ended_items_has_nothing_judged(tmp_path: Path) -> None:
    project = project_at(tmp_path, languages=[])
    with pytest.raises(DataError, match="run isogloss medical answer majority mt"):
        medical_judge.run(project, "majority", "mt")
    medical_answer.run(project, "majority", "mt")
    medical_judge.run(project, "majority", "mt")
    assert read(project.verdicts("majority", "mt")) == []
    assert project.recording("medical", "judge.majority.mt").read_bytes() == b""


def test_a_failed_judge_ends_the_stage_unless_that_is_accepted(tmp_path: Path) -> None:
    def judge(call: Call) -> Answer:
        return error(400, "too long") if call.json["model"] == "judge" else well(call)

    with Loopback(judge) as server:
        project = project_at(tmp_path, server.url, languages=[])
        medical_answer.run(project, "own", "mt")
        with pytest.raises(ChatError, match=r"1 of 1 calls failed.*judge/own/mt/en/qa-liveqa-0000"):
            medical_judge.run(project, "own", "mt")
        assert not project.verdicts("own", "mt").exists()
        medical_judge.run(project, "own", "mt", Asking(accept_failures=True))
    assert [row["verdict"] for row in read(project.verdicts("own", "mt"))] == [None]


def test_a_judge_of_its_own_answers_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Loopback(well) as server:
        project = project_at(tmp_path, server.url, languages=[])
        answerers = project.settings.chat.answerers
        answerers["own"] = answerers["own"].model_copy(update={"name": "judge"})
        medical_answer.run(project, "own", "mt")
        medical_judge.run(project, "own", "mt")
    assert "judge judges answers of its own" in capsys.readouterr().err
