"""Models that only replay: what was recorded under their name is all that they ever say."""

from collections.abc import Sequence

from isogloss.chat_settings import ChatModelSettings
from isogloss.llm.budget import Budget
from isogloss.llm.chat_requests import ChatRequest
from isogloss.llm.door import check_requests, missing, replay
from isogloss.llm.outcomes import Outcome
from isogloss.llm.recordings import Recordings
from isogloss.llm.replies import Reply

NOT_RECORDED = "nobody recorded a reply"


def replayed(
    requests: Sequence[ChatRequest],
    model: ChatModelSettings,
    recordings: Recordings,
    budget: Budget,
) -> list[Reply]:
    """The recorded replies, in the order of the requests; the others failed, and nothing is sent.

    Data that changed since people wrote their replies ask for some that nobody wrote: those are
    counted and named, and the rest stands.

    Raises:
        UsageError: Two requests are equal, or one names another model.
        OfflineError: Not one is recorded: recordings are lost, or of other requests altogether.
    """
    check_requests(requests, model)
    replies, pending = replay(requests, recordings, budget)
    if pending and not replies:
        raise missing(pending, recordings)
    for step in pending:
        one = step.origin
        replies[one.key] = Reply(
            one.key, one.replicate, Outcome.FAILED, reason=NOT_RECORDED, attempt=step.attempt
        )
    return [replies[request.key] for request in requests]
