"""What recordings already say about a request, and what is left to ask."""

from dataclasses import dataclass
from typing import Any

from isogloss.llm.chat_requests import ChatRequest
from isogloss.llm.faults import RecordingError
from isogloss.llm.outcomes import (
    FAULTY,
    NoCompletionError,
    Outcome,
    Reading,
    read_completion,
)
from isogloss.llm.recordings import Recording, Recordings
from isogloss.llm.repair import repair_request
from isogloss.llm.replies import Reply
from isogloss.llm.server_errors import message_of


@dataclass(frozen=True)
class Pending:
    """A request that no recording answers.

    Attributes:
        origin: The request asked for.
        request: What to send: the request itself or its repair.
        attempt: 1 for the request, 2 for the repair.
    """

    origin: ChatRequest
    request: ChatRequest
    attempt: int


def settle(request: ChatRequest, recordings: Recordings, replayed: bool) -> Reply | Pending:
    """Follow a request through the recordings: itself, then its repair.

    Answered, refused and filtered replies stand, and so does a failure that was accepted. One that
    is empty, cut or malformed leads to the repair, whose own reply stands whatever it is. A line of
    the request's key but another replicate label answers nothing.

    Args:
        request: What is asked.
        recordings: What was answered before.
        replayed: Whether a reply found now was recorded by an earlier run.

    Raises:
        RecordingError: A recorded response cannot be read.
    """
    first = recordings.get(request.key, request.replicate)
    if first is None:
        return Pending(request, request, 1)
    reading, body = read_recording(first, request.schema, recordings)
    if reading.outcome not in FAULTY:
        return _reply(request, reading, body, 1, replayed)
    repair = repair_request(request, reading)
    second = recordings.get(repair.key, repair.replicate)
    if second is None:
        return Pending(request, repair, 2)
    reading, body = read_recording(second, request.schema, recordings)
    return _reply(request, reading, body, 2, replayed)


def read_recording(
    recording: Recording, schema: dict[str, Any] | None, recordings: Recordings
) -> tuple[Reading, dict[str, Any]]:
    """The reading of a recorded response, and its decoded body.

    The recorded outcome stands (people may record that a text without a refusal field declines),
    except that an answer whose value no longer satisfies the schema is none.
    """
    body = recording.response
    if recording.outcome is Outcome.FAILED:
        return Reading(Outcome.FAILED, reason=message_of(body) or "failed"), body
    if recording.outcome is Outcome.FILTERED and "choices" not in body:
        return Reading(Outcome.FILTERED, reason=message_of(body) or "content filter"), body
    try:
        reading = read_completion(body, schema)
    except NoCompletionError as error:
        raise RecordingError(
            f"{recordings.path}, key {recording.key}: {error}; remove the line to ask again"
        ) from None
    if recording.outcome is Outcome.ANSWERED or recording.outcome is reading.outcome:
        return reading, body
    reason = reading.reason or f"recorded as {recording.outcome.value}"
    return Reading(recording.outcome, reading.text, None, reason), body


def _reply(
    request: ChatRequest, reading: Reading, body: dict[str, Any], attempt: int, replayed: bool
) -> Reply:
    return Reply(
        key=request.key,
        replicate=request.replicate,
        outcome=reading.outcome,
        text=reading.text,
        value=reading.value,
        reason=reading.reason,
        attempt=attempt,
        replayed=replayed,
        response=body,
    )
