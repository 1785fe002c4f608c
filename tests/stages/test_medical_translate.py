"""Machine translation through the door, checked by rule, nothing dropped in silence."""

import json
from pathlib import Path

import pytest

from isogloss.errors import DataError, UsageError
from isogloss.llm.faults import ChatError, OfflineError
from isogloss.medical.items import read_items
from isogloss.stages import medical_answer
from isogloss.stages import medical_translate as stage
from isogloss.stages.asking import Asking
from llm.loopback import Answer, Call, Loopback, answer, error
from stages.medical_project import ITEMS, SECRET, block, project_at, read, translated, well, write


def test_a_translation_is_written_checked_and_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Loopback(well) as server:
        project = project_at(tmp_path, server.url)
        stage.run(project, "de")
        assert len(server.calls) == len(ITEMS)
        first = server.calls[0].json
    system, user = (message["content"] for message in first["messages"])
    assert "The target language is German" in system
    assert "mcqa-headqa" not in user
    # The right label is no text to translate.
    choice = next(call.json for call in server.calls if "<<<text" in call.said)
    assert list(choice["response_format"]["json_schema"]["schema"]["properties"]) == ["input"]
    path = project.translations("de")
    found = read_items(path)
    assert [one.id for one in found] == [one["id"] for one in ITEMS]
    assert "Acetylsalicylsäure" in found[0].input
    assert [one.target for one in found] == ["A", "B", "B", "A", "Antwort."]
    report = json.loads(path.with_suffix(".json").read_text("utf-8"))
    assert (report["asked"], report["translated"], report["left_out"]) == (5, 5, {})
    # The premise is still English, word for word.
    assert {"id": "nli-mednli-0000", "message": "the text is the English one unchanged"} in report[
        "look_again"
    ]
    before = path.read_bytes(), path.with_suffix(".json").read_bytes()
    assert SECRET not in project.recording("medical", "translate.de").read_text("utf-8")
    monkeypatch.delenv("LOOPBACK_KEY")
    stage.run(project, "de", Asking(offline=True))
    assert (path.read_bytes(), path.with_suffix(".json").read_bytes()) == before
    assert "5 of 5 items translated, 0 left out, 0 to be put right" in capsys.readouterr().out
    with pytest.raises(OfflineError, match=r"translate/zh/mcqa-headqa-0000"):
        stage.run(project, "zh", Asking(offline=True))


def breaking(call: Call) -> Answer:
    """A lost option, mended when told; a lost option for good; a refusal; a changed number."""
    if "<<<question " in call.said:
        return answer(None, refusal="No.")
    text = translated(block(call, "text"))
    again = "A first translation of this broke these rules" in call.said
    if "100 mg" in text and not again:
        text = text.replace("\nC: Iron", "")
    if "500 mg" in text:
        text = text.replace("Options:", "Optionen:")
    if "200 mg" in text:
        text = text.replace("200 mg", "20 g")
    return answer(json.dumps({"input": text}))


def test_what_breaks_a_rule_is_asked_once_more_and_then_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Loopback(breaking) as server:
        project = project_at(tmp_path, server.url, languages=["de"])
        stage.run(project, "de")
        told = [call.said for call in server.calls if "broke these rules" in call.said]
    assert len(told) == 2
    assert any("the options are A B, must be A B C" in said for said in told)
    path = project.translations("de")
    rows = {row["id"]: row["input"] for row in read(path)}
    assert list(rows) == [item["id"] for item in ITEMS[:4]]
    assert "C: Iron" in rows["mcqa-headqa-0000"]
    # As the machine left it, for its reviewers.
    assert "Optionen:" in rows["mcqa-headqa-0001"]
    report = json.loads(path.with_suffix(".json").read_text("utf-8"))
    assert report["asked"] == report["translated"] + sum(report["left_out"].values()) == 5
    assert report["left_out"] == {"refused": 1}
    assert report["failures"] == [{"id": "qa-liveqa-0000", "reason": "refused"}]
    (broken,) = report["broken"]
    assert broken["id"] == "mcqa-headqa-0001"
    assert "lines must open with Question:" in broken["rules"][0]
    messages = [one["message"] for one in report["look_again"] if one["id"] == "mcqa-headqa-0002"]
    assert messages == [
        "the number 200 of the source is not there in digits",
        "the number 20 is not in the source",
    ]
    said = capsys.readouterr()
    assert "breaks a rule: mcqa-headqa-0001" in said.err
    assert "4 of 5 items translated, 1 left out, 1 to be put right" in said.out
    medical_answer.run(project, "majority", "mt")
    assert "'mcqa-headqa-0001': input has no line 'Options:'; not asked" in capsys.readouterr().err
    asked = [row["id"] for row in read(project.answers("majority", "mt"))]
    assert (asked.count("mcqa-headqa-0000"), asked.count("mcqa-headqa-0001")) == (2, 1)


def test_a_failed_call_ends_the_stage_and_the_next_run_goes_on(tmp_path: Path) -> None:
    def once(call: Call) -> Answer:
        return error(400, "too long") if "<<<question " in call.said else well(call)

    with Loopback(once) as server:
        project = project_at(tmp_path, server.url)
        with pytest.raises(ChatError, match=r"1 of 5 calls failed.*translate/de/qa-liveqa-0000"):
            stage.run(project, "de")
        assert not project.translations("de").exists()
        server.behave = well
        before = len(server.calls)
        stage.run(project, "de")
        assert len(server.calls) == before + 1


def test_wrong_calls_and_wrong_items_are_named(tmp_path: Path) -> None:
    project = project_at(tmp_path)
    with pytest.raises(UsageError, match=r"medical.languages does not name 'fr' \(has: de, zh\)"):
        stage.run(project, "fr")
    write(tmp_path / "data/medical/items.jsonl", [{**ITEMS[0], "language": "es"}])
    with pytest.raises(DataError, match="holds no English items"):
        stage.run(project, "de")
    write(tmp_path / "data/medical/items.jsonl", [{**ITEMS[0], "target": "E"}])
    with pytest.raises(DataError, match=r"line 1, id 'mcqa-headqa-0000': target 'E' is none"):
        stage.run(project, "de")


def test_accepted_failures_are_left_out_by_name(tmp_path: Path) -> None:
    def once(call: Call) -> Answer:
        return error(400, "too long") if "<<<question " in call.said else well(call)

    with Loopback(once) as server:
        project = project_at(tmp_path, server.url)
        stage.run(project, "de", Asking(accept_failures=True))
    path = project.translations("de")
    assert len(read(path)) == len(ITEMS) - 1
    report = json.loads(path.with_suffix(".json").read_text("utf-8"))
    assert report["failures"] == [{"id": "qa-liveqa-0000", "reason": "failed"}]
    before = path.read_bytes()
    stage.run(project, "de", Asking(offline=True))
    assert path.read_bytes() == before


def test_line_ends_and_blanks_of_a_reply_change_no_rule(tmp_path: Path) -> None:
    def windows(call: Call) -> Answer:
        text = block(call, "text").replace("\n", " \r\n")
        return answer(json.dumps({"input": f"\n{text}\n"}))

    with Loopback(windows) as server:
        project = project_at(tmp_path, server.url)
        write(tmp_path / "data/medical/items.jsonl", ITEMS[:4])
        stage.run(project, "de")
    assert [row["input"] for row in read(project.translations("de"))] == [
        item["input"] for item in ITEMS[:4]
    ]
