"""What a reply is: seven outcomes that are never mixed up."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from isogloss.llm.structured import find_verdict


class Outcome(StrEnum):
    """The fate of one request."""

    ANSWERED = "answered"
    REFUSED = "refused"
    FILTERED = "filtered"
    EMPTY = "empty"
    CUT = "cut"
    MALFORMED = "malformed"
    FAILED = "failed"


# Asked again once, by a request that carries the faulty reply.
FAULTY = frozenset({Outcome.EMPTY, Outcome.CUT, Outcome.MALFORMED})

_FINISHES = {
    "content_filter": Outcome.FILTERED,
    "refusal": Outcome.REFUSED,
    "length": Outcome.CUT,
    "max_tokens": Outcome.CUT,
}


@dataclass(frozen=True)
class Reading:
    """A server's body read.

    Attributes:
        outcome: Failed only where a recording says so.
        text: The model's text, empty where it gave none.
        value: The validated object, where a schema was asked for.
        reason: Why there is no usable answer; None for an answer.
    """

    outcome: Outcome
    text: str = ""
    value: dict[str, Any] | None = None
    reason: str | None = None


class NoCompletionError(ValueError):
    """The body is no chat completion: a fault of the transport, not a reply of the model."""


def decode_body(raw: bytes) -> dict[str, Any]:
    """Decode a server's body.

    Raises:
        NoCompletionError: It is no JSON object (HTML of a proxy, or cut).
    """
    try:
        # json and not msgspec: a reply cut by tokens may end in half a surrogate pair.
        body = json.loads(raw, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise NoCompletionError("the server sent no JSON") from None
    if not isinstance(body, dict):
        raise NoCompletionError("the server sent JSON that is no object")
    return body


def _no_constant(name: str) -> None:
    raise ValueError(name)


def read_completion(body: dict[str, Any], schema: dict[str, Any] | None) -> Reading:
    """Tell the outcome of a chat completion.

    A refusal comes before a filter, a filter before a cut: each says more than the next. An answer
    that the token limit cut is never used, not even where JSON can be found in it.

    Raises:
        NoCompletionError: There is no list of choices, or the choice says that the server failed.
    """
    choices = body.get("choices")
    if not isinstance(choices, list):
        raise NoCompletionError("the server sent JSON without choices")
    choice = choices[0] if choices else {}
    if not isinstance(choice, dict) or choice.get("finish_reason") == "error":
        raise NoCompletionError("the server sent a choice that reports an error")
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    refusal = message.get("refusal")
    text = _text_of(message.get("content"))
    if isinstance(refusal, str) and refusal.strip():
        return Reading(Outcome.REFUSED, whole_text(refusal), reason="the model declined")
    finish = choice.get("finish_reason")
    outcome = _FINISHES.get(finish) if isinstance(finish, str) else None
    if outcome is not None:
        return Reading(outcome, text, reason=f"finish_reason {finish}")
    if not text.strip():
        return Reading(Outcome.EMPTY, text, reason="no text" if choices else "no choices")
    if schema is None:
        return Reading(Outcome.ANSWERED, text)
    verdict = find_verdict(text, schema)
    if verdict.value is None:
        return Reading(Outcome.MALFORMED, text, reason=f"{verdict.fault}: {verdict.reason}")
    return Reading(Outcome.ANSWERED, text, verdict.value)


def _text_of(content: object) -> str:
    """Plain text, or the text parts of a list of parts as some servers send it."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    return whole_text(content) if isinstance(content, str) else ""


def whole_text(text: str) -> str:
    """The text with halves of surrogate pairs replaced: UTF-8 cannot hold them."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
