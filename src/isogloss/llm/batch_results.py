"""The lines of a batch's output and error files."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from isogloss.llm.chat_requests import ChatRequest
from isogloss.llm.client import CallFailed, Sent
from isogloss.llm.outcomes import NoCompletionError, Outcome, Reading, decode_body, read_completion
from isogloss.llm.server_errors import Meaning, meaning_of, message_of


@dataclass(frozen=True)
class Result:
    """What the server did with one request of a batch."""

    status: int
    raw: bytes


class _Response(msgspec.Struct):
    status_code: int = 0
    body: msgspec.Raw = msgspec.Raw(b"{}")


class _Line(msgspec.Struct):
    custom_id: str
    response: _Response | None = None
    error: Any = None


def read_results(content: bytes) -> Iterator[tuple[str, Result]]:
    """Yield (custom id, result) of each line; a line that cannot be read is passed over."""
    for line in content.splitlines():
        try:
            entry = _decode(line)
        except (ValueError, msgspec.ValidationError):
            # Its request stays without an answer, and is counted as failed.
            continue
        if entry.response is not None and entry.response.status_code:
            yield entry.custom_id, Result(entry.response.status_code, bytes(entry.response.body))
        else:
            yield entry.custom_id, Result(0, json.dumps({"error": entry.error}).encode())


def _decode(line: bytes) -> _Line:
    try:
        return msgspec.json.decode(line, type=_Line)
    except msgspec.DecodeError:
        # Half a surrogate pair: msgspec refuses it, json and the recordings do not.
        value = json.loads(line)
        if isinstance(value, dict) and isinstance(value.get("response"), dict):
            body = json.dumps(value["response"].get("body"))
            value["response"]["body"] = msgspec.Raw(body.encode())
        return msgspec.convert(value, _Line)


def judge_result(result: Result | None, request: ChatRequest | None) -> Sent | CallFailed:
    """What a result comes to; a request that is no longer asked for is read as free text."""
    if result is None:
        return CallFailed("the batch holds no answer")
    schema = request.schema if request is not None else None
    try:
        body = decode_body(result.raw)
        if result.status == 200:
            return Sent(result.raw, body, read_completion(body, schema))
    except NoCompletionError as error:
        return CallFailed(f"HTTP {result.status}: {error}")
    reason = f"HTTP {result.status}: {message_of(body) or 'no message'}"
    if meaning_of(result.status, body) is Meaning.FILTERED:
        return Sent(result.raw, body, Reading(Outcome.FILTERED, reason=reason))
    return CallFailed(reason)
