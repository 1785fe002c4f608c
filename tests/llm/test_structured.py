import json
from typing import Any

import pytest
from chats import SCORE
from hypothesis import given
from hypothesis import strategies as st

from isogloss.llm.structured import find_verdict, schema_fault


@pytest.mark.parametrize("case", ["L08"], indirect=True)
@pytest.mark.parametrize("name", [f"{number:02}" for number in range(1, 14)])
def test_l08_a_judge_reply_is_a_score_or_none(case: dict[str, Any], name: str) -> None:
    check = case[name]
    expected = None if name == "09" else check["expected"]  # single quotes are not repaired
    verdict = find_verdict(check["input"], SCORE)
    assert (verdict.value and verdict.value["score"]) == expected
    assert (verdict.fault is None) == (expected is not None)
    assert bool(verdict.reason) == (expected is None)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"score": 11}', "invalid"),
        ('{"score": "4"}', "invalid"),
        ('{"score": true}', "invalid"),
        ('{"score": NaN}', "invalid"),
        ('{"score": 2, "score": 5}', "invalid"),
        ('{"score": 2,} no, {"score": 5}', "invalid"),
        ('{"first": {"score": 4}, "second":', "cut"),
        ('set {a of {"score": 4}', "cut"),
        ('<think>maybe {"score": 4}', "cut"),
        ('[{"score": 1}, {"score": 2}]', "several"),
        ('{"score": 4} {"score": 4}', "several"),
        ("{" * 50_000, "cut"),
        ('{"a":' * 50_000 + "1" + "}" * 50_000, "invalid"),
        ("\ufeff \n", "empty"),
    ],
)
def test_what_is_not_exactly_one_valid_object_has_its_class(text: str, fault: str) -> None:
    verdict = find_verdict(text, SCORE)
    assert (verdict.value, verdict.fault) == (None, fault)


@pytest.mark.parametrize(
    "text",
    [
        'The set {a, b} first. {"score": 3}',
        '<think>{"score": 1} or {"score": 2}?</think>\n{"score": 3}',
        '{"score": 3, "reason": "</think> {not} \\" one"}',
        '```json\r\n{"score": 3}\r\n```\r\n{done}',
    ],
)
def test_prose_and_reasoning_around_the_object_are_passed_over(text: str) -> None:
    assert (find_verdict(text, SCORE).value or {})["score"] == 3


prose = st.text(st.characters(codec="utf-8", exclude_characters='{}"<'))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=8,
)


@given(prose, st.dictionaries(st.text(st.characters(codec="utf-8")), values), prose)
def test_any_one_object_comes_back_out_of_any_prose(
    before: str, value: dict[str, Any], after: str
) -> None:
    text = before + json.dumps(value, ensure_ascii=False) + after
    assert find_verdict(text, {"type": "object"}).value == value


@given(st.dictionaries(st.text(), values, min_size=1), st.data())
def test_a_cut_object_never_gives_a_value(value: dict[str, Any], data: st.DataObject) -> None:
    whole = json.dumps(value)
    text = whole[: data.draw(st.integers(1, len(whole) - 1))]
    assert find_verdict(text, {"type": "object"}).value is None


def test_a_schema_names_the_place_and_never_looks_elsewhere() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "object", "required": ["b"]}}}
    assert schema_fault({"a": {}}, schema) == "a: 'b' is a required property"
    with pytest.raises(Exception, match="nresolvable"):
        schema_fault({}, {"$ref": "http://127.0.0.1:9/schema.json"})
