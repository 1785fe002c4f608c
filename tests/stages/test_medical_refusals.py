"""Refusals: who decides about which reply, and how good the classifier is."""

import json
from pathlib import Path

import pytest

from isogloss.errors import DataError
from isogloss.medical.panel import LANGUAGES
from isogloss.stages import medical_answer, medical_refusal_check, medical_refusals
from isogloss.stages.asking import Asking
from llm.loopback import Answer, Call, Loopback, answer, error
from stages.medical_project import block, project_at, read, well, write


def replies(call: Call) -> Answer:
    """One reply of each kind, and the classifier."""
    if call.json["model"] == "classifier":
        reply = block(call, "reply")
        if reply == "???":
            return answer("no object at all")
        return answer(json.dumps({"refused": "cannot" in reply, "reason": "read"}))
    said = call.said
    if "100 mg" in said:
        return answer("B")
    if "500 mg" in said:
        return answer("I cannot say.")
    if "200 mg" in said:
        return answer(None, refusal="No.")
    if "Premise:" in said:
        return answer("???")
    return answer("Iron turns stools dark.")


def test_the_provider_decides_before_the_classifier(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Loopback(replies) as server:
        project = project_at(tmp_path, server.url, languages=[])
        medical_answer.run(project, "own", "mt")
        medical_refusals.run(project, "own", "mt")
        asked = [call for call in server.calls if call.json["model"] == "classifier"]
    # A letter, and the provider's own refusal, need no classifier; an unusable verdict is repaired
    # once and then left out.
    assert len(asked) == 4
    assert {block(call, "reply") for call in asked} == {
        "I cannot say.",
        "???",
        "Iron turns stools dark.",
    }
    rows = {row["id"]: (row["refused"], row["by"]) for row in read(project.refusals("own", "mt"))}
    assert rows == {
        "mcqa-headqa-0000": (False, "reply"),
        "mcqa-headqa-0001": (True, "classifier"),
        "mcqa-headqa-0002": (True, "provider"),
        "qa-liveqa-0000": (False, "classifier"),
    }
    said = capsys.readouterr()
    assert "5 replies, 2 refused; 3 classified, 1 without a usable verdict" in said.out
    assert "1 verdicts cannot be used, the first en/nli-mednli-0000" in said.err
    before = project.refusals("own", "mt").read_bytes()
    medical_refusals.run(project, "own", "mt", Asking(offline=True))
    assert project.refusals("own", "mt").read_bytes() == before


def test_failed_calls_have_no_record_and_floors_ask_nobody(tmp_path: Path) -> None:
    with Loopback(lambda call: error(400, "too long")) as server:
        project = project_at(tmp_path, server.url, languages=[])
        medical_answer.run(project, "own", "mt", Asking(accept_failures=True))
        medical_answer.run(project, "majority", "mt")
        begun = len(server.calls)
        for model in ("own", "majority"):
            medical_refusals.run(project, model, "mt")
        assert len(server.calls) == begun
    assert read(project.refusals("own", "mt")) == []
    assert [row["refused"] for row in read(project.refusals("majority", "mt"))] == [False] * 4


def test_answers_of_another_run_are_refused_by_name(tmp_path: Path) -> None:
    project = project_at(tmp_path, languages=[])
    with pytest.raises(DataError, match="run isogloss medical answer majority mt"):
        medical_refusals.run(project, "majority", "mt")
    medical_answer.run(project, "majority", "mt")
    path = project.answers("majority", "mt")
    rows = read(path)
    for change, message in (
        ([{**rows[0], "model": "other"}], "line 1.*is of other mt, not of majority mt"),
        ([rows[0], rows[0]], "line 2.*is there twice in en"),
        ([{**rows[0], "id": "x"}], "line 1, id 'x': the items of the arm mt hold no such id"),
    ):
        write(path, change)
        with pytest.raises(DataError, match=message):
            medical_refusals.run(project, "majority", "mt")


def test_the_classifier_is_checked_in_nine_languages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Loopback(well) as server:
        project = project_at(tmp_path, server.url, languages=[])
        medical_refusal_check.run(project)
    found = json.loads((project.medical / "refusal-check.json").read_text("utf-8"))
    assert found["classifier"] == "classifier"
    assert set(found["languages"]) == {"all", *LANGUAGES}
    for counts in found["languages"].values():
        parts = (counts[key] for key in ("right", "missed", "false_alarms", "unusable"))
        assert sum(parts) == counts["n"] >= 8
    # A classifier that looks for one English word misses declines and takes no answer for one.
    english, german = found["languages"]["en"], found["languages"]["de"]
    assert (english["right"], english["missed"], english["false_alarms"]) == (5, 3, 0)
    assert (german["right"], german["missed"]) == (4, 4)
    assert len(found["wrong"]) == found["languages"]["all"]["missed"]
    assert "missed: check/de/declines/0: Es tut mir leid" in capsys.readouterr().out
