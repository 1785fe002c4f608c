import hashlib
from dataclasses import replace
from typing import Any

import pytest
from chats import SCORE

from isogloss.errors import UsageError
from isogloss.llm.chat_models import ChatModelSettings
from isogloss.llm.chat_requests import ChatRequest, Message, chat_request
from isogloss.llm.wire import is_strict, request_body

REQUEST = ChatRequest("m", (Message("user", "好"),), {"temperature": 0.7}, SCORE, "answer/mt/0")


@pytest.mark.parametrize(
    "other",
    [
        {"model": "n"},
        {"messages": (Message("user", "好 "),)},
        {"messages": (Message("system", ""), Message("user", "好"))},
        {"parameters": {"temperature": 0.8}},
        {"parameters": {}},
        {"schema": None},
        {"schema": {**SCORE, "title": "x"}},
        {"replicate": "answer/reviewed/0"},
    ],
)
def test_every_part_of_a_request_is_in_its_key(other: dict[str, Any]) -> None:
    assert replace(REQUEST, **other).key != REQUEST.key


def test_the_key_is_the_same_on_every_machine_and_in_every_order() -> None:
    schema = dict(reversed(SCORE.items()))
    assert replace(REQUEST, schema=schema).key == REQUEST.key
    plain = ChatRequest("m", (Message("user", "q"),), {}, None, "")
    text = '{"messages":[["user","q"]],"model":"m","parameters":{},"replicate":"","schema":null}'
    assert plain.key == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    "broken",
    [
        {"messages": ()},
        {"messages": (Message("user", "q"), Message("assistant", "a"))},
        {"schema": {"type": "array"}},
    ],
)
def test_a_request_that_no_server_takes_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="answer/mt/0"):
        replace(REQUEST, **broken)


@pytest.mark.parametrize("parameters", [{"x": float("inf")}, {"x": b""}])
def test_a_request_that_is_no_json_has_no_key(parameters: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="answer/mt/0"):
        _ = replace(REQUEST, parameters=parameters).key
    with pytest.raises(UsageError, match="answer/mt/0"):
        _ = replace(REQUEST, messages=(Message("user", "\ud83d"),)).key


def test_settings_become_parameters_and_a_refused_system_message_a_preface() -> None:
    turns = [Message("system", "Be brief."), Message("user", "q")]
    model = ChatModelSettings(name="m", max_tokens=9, temperature=0.7, extra_body={"seed": 1})
    request = chat_request(model, turns, replicate="")
    assert request.parameters == {"max_completion_tokens": 9, "temperature": 0.7, "seed": 1}
    assert [turn.role for turn in request.messages] == ["system", "user"]
    model = ChatModelSettings(
        name="m", max_tokens=9, max_tokens_field="max_tokens", system_message=False
    )
    request = chat_request(model, turns, replicate="")
    assert request.parameters == {"max_tokens": 9}
    assert request.messages == (Message("user", "Be brief.\n\nq"),)


def test_the_schema_goes_by_response_format_or_by_words() -> None:
    body = request_body(REQUEST, structured=True)
    assert body["response_format"]["json_schema"]["schema"] == SCORE
    assert body["messages"] == [{"role": "user", "content": "好"}]
    body = request_body(REQUEST, structured=False)
    assert "response_format" not in body
    assert body["messages"][0]["content"].startswith("好\n\nReply with exactly one JSON object")
    assert '"maximum": 5' in body["messages"][0]["content"]


def test_strict_is_said_only_of_schemas_that_are() -> None:
    assert not is_strict(SCORE)
    closed = {**SCORE, "additionalProperties": False, "required": list(SCORE["properties"])}
    assert is_strict(closed)
    assert not is_strict({**closed, "required": []})
    outer = {"type": "object", "required": ["a"], "additionalProperties": False}
    assert is_strict({**outer, "properties": {"a": closed}})
    assert not is_strict({**outer, "properties": {"a": SCORE}})
