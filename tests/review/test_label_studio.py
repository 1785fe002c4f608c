"""Audits by way of Label Studio."""

import json
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from isogloss.errors import DataError
from isogloss.review.label_studio import labelling_config, read_annotations, tasks_json
from isogloss.review.returns import Return, check_return

from .sent_sheets import SENT


def choice(name: str, *values: str) -> dict[str, Any]:
    return {
        "from_name": name,
        "to_name": "shown_id",
        "type": "choices",
        "value": {"choices": list(values)},
    }


def exported(*annotations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The tasks of the first sheet as Label Studio would export them."""
    tasks = json.loads(tasks_json(SENT, SENT.sheets[0]))
    for number, task in enumerate(tasks):
        task |= {"id": 100 + number, "predictions": [{"result": [choice("score", "1")]}]}
        task["annotations"] = annotations[number] if number < len(annotations) else []
    return tasks


def annotation(user: Any, *results: dict[str, Any], **other: Any) -> dict[str, Any]:
    return {"id": 1, "completed_by": user, "result": list(results), "was_cancelled": False, **other}


def read(path: Path, tasks: Any) -> dict[str, Return]:
    path.write_text(json.dumps(tasks), "utf-8")
    return {who: check_return(raw, SENT) for who, raw in read_annotations(path, SENT).items()}


def test_the_configuration_offers_every_value_and_no_other() -> None:
    view = etree.fromstring(labelling_config(SENT.sheets[0]))
    assert [choice.get("value") for choice in view.find("Choices[@name='score']")] == list("12345")
    assert view.find("Choices[@name='verdict']").get("required") == "true"
    assert view.find("TextArea[@name='draft']").get("value") == "$draft"
    names = {element.get("name") for element in view if element.tag == "Text"}
    assert all(element.get("toName") in names for element in view if element.get("toName"))


def test_annotations_come_back_by_annotator(tmp_path: Path) -> None:
    good = [choice("score", "4"), choice("verdict", "accept")]
    text = {"from_name": "draft", "type": "textarea", "value": {"text": ["eins!"]}}
    tasks = exported(
        [annotation(7, *good, text), annotation({"id": 8, "email": "b@example.org"}, *good)],
        [annotation(7, was_cancelled=True), annotation(8, choice("score", "4"))],
        [annotation(7, {"from_name": "score", "value": {"number": 9}}, good[1])],
    )
    found = read(tmp_path / "export.json", tasks)
    assert list(found) == ["ls-7", "ls-8"]
    assert found["ls-7"].entries == {
        "q1": {"score": 4, "verdict": "accept", "draft": "eins!", "comment": None}
    }
    assert found["ls-8"].entries["q1"]["draft"] == "eins"
    where = f"{tmp_path / 'export.json'}, annotator ls-"
    assert [str(fault) for fault in (*found["ls-7"].faults, *found["ls-8"].faults)] == [
        f"{where}7, sheet 'First', task 3, column 'Score (1-5)', id 'q3': "
        "holds '9'; type a whole number from 1 to 5",
        f"{where}8, sheet 'First', task 2, column 'Verdict', id 'q2': "
        "is empty; give accept or reject",
    ]


def test_odd_annotations_are_refused_by_task(tmp_path: Path) -> None:
    tasks = exported(
        [annotation(7, choice("score", "4", "5"))],
        [annotation(7, choice("mark", "4"))],
        [annotation(7, choice("score", "4"), choice("verdict", "accept"))] * 2,
    )
    tasks[1]["data"]["text"] = "drei"
    messages = [fault.message for fault in read(tmp_path / "x.json", tasks)["ls-7"].faults]
    assert messages[:2] == [
        "'score' has 2 answers; keep one",
        "result 'mark' is no field of this sheet",
    ]
    assert "is there already in task 3" in messages[2]


def test_files_that_are_no_export(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    for content, said in [
        ("{", "is no JSON export"),
        ("{}", "is no list of tasks"),
        ('[{"score": 4}]', "task 1: has no 'data'"),
        ('[{"data": {"sheet": "Else"}, "annotations": []}]', "names the sheet 'Else'"),
    ]:
        path.write_text(content)
        with pytest.raises(DataError, match=said):
            read_annotations(path, SENT)
