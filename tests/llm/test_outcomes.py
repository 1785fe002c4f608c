import json
from typing import Any

import pytest
from chats import SCORE
from loopback import completion

from isogloss.llm.outcomes import NoCompletionError, Outcome, decode_body, read_completion


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (completion("yes"), "answered"),
        (completion(None, refusal="I cannot."), "refused"),
        (completion("I cannot help.", "refusal"), "refused"),
        (completion("", "length", refusal="I cannot."), "refused"),
        (completion("par", "content_filter"), "filtered"),
        (completion("par", "length"), "cut"),
        (completion(None, "length"), "cut"),
        (completion(" \n"), "empty"),
        (completion(None), "empty"),
        ({"choices": []}, "empty"),
        (completion([{"type": "text", "text": "ye"}, {"type": "text", "text": "s"}]), "answered"),
    ],
)
def test_each_outcome_is_told_from_the_others(body: dict[str, Any], outcome: str) -> None:
    assert read_completion(body, None).outcome == outcome


def test_a_schema_makes_an_answer_malformed_and_a_cut_one_stays_cut() -> None:
    assert read_completion(completion('{"score": 11}'), SCORE).outcome is Outcome.MALFORMED
    assert read_completion(completion('{"score": 4}', "length"), SCORE).outcome is Outcome.CUT
    reading = read_completion(completion('{"score": 4}'), SCORE)
    assert (reading.outcome, reading.value) == (Outcome.ANSWERED, {"score": 4})


@pytest.mark.parametrize("raw", [b"<html>", b'{"choices": [', b"[]", b"", b"\xff", b"NaN"])
def test_what_is_no_json_object_is_no_reply(raw: bytes) -> None:
    with pytest.raises(NoCompletionError):
        decode_body(raw)


@pytest.mark.parametrize(
    "body", [{}, {"choices": None}, {"choices": ["x"]}, completion("half", "error")]
)
def test_json_without_a_choice_is_no_reply(body: dict[str, Any]) -> None:
    with pytest.raises(NoCompletionError):
        read_completion(body, None)


def test_half_a_surrogate_pair_is_replaced_so_that_the_text_can_be_written() -> None:
    raw = json.dumps(completion("ok \ud83d")).encode()
    assert read_completion(decode_body(raw), None).text == "ok \ufffd"
