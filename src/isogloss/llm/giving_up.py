"""Calls that failed for good become recordings once somebody decides to go on without them."""

import json
from collections.abc import Sequence

from isogloss.llm.chat_requests import ChatRequest
from isogloss.llm.outcomes import Outcome
from isogloss.llm.recordings import Recordings
from isogloss.llm.replaying import Pending, settle
from isogloss.llm.replies import Reply


def record_failures(
    requests: Sequence[ChatRequest], replies: Sequence[Reply], recordings: Recordings
) -> int:
    """Record each failed reply, so that it replays as failed instead of being asked again.

    The response of such a line is ``{"error": {"message": reason}}``; who removes the line has the
    request asked again.

    Args:
        requests: What was asked.
        replies: In the order of the requests.
        recordings: Open or not; grows by one line a failure that has none yet.

    Returns:
        How many were recorded.

    Raises:
        RecordingError: The file cannot be appended to.
    """
    recorded = 0
    for request, reply in zip(requests, replies, strict=True):
        if reply.outcome is not Outcome.FAILED:
            continue
        step = settle(request, recordings, replayed=True)
        if isinstance(step, Pending):
            body = json.dumps({"error": {"message": reply.reason or ""}}, ensure_ascii=False)
            recordings.append(
                step.request.key, request.replicate, Outcome.FAILED, step.attempt, body.encode()
            )
            recorded += 1
    if recorded:
        recordings.sync()
    return recorded
