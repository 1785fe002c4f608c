"""The Batch API as a second transport: cheaper, slower, and resumed after a restart."""

from collections.abc import Sequence

from isogloss.llm.budget import Budget
from isogloss.llm.chat_models import ChatModelSettings
from isogloss.llm.chat_requests import ChatRequest
from isogloss.llm.door import check_requests, missing, replay, run_blocking, stopped
from isogloss.llm.recordings import Recordings
from isogloss.llm.replies import Reply
from isogloss.progress import note


def ask_batch(
    requests: Sequence[ChatRequest],
    model: ChatModelSettings,
    recordings: Recordings,
    *,
    budget: Budget | None = None,
    offline: bool = False,
    requests_per_batch: int = 10_000,
    poll_seconds: float = 30.0,
    progress: str | None = None,
) -> list[Reply]:
    """Like `door.ask`, by way of batches; both share the recordings.

    The ids of batches that are out are kept beside the recordings, so a run that was stopped
    collects them instead of submitting again. Empty, cut and malformed replies go out once more as
    a batch of repairs. What a batch leaves unanswered is a failed reply, and asked again by the
    next run.

    Args:
        requests: Each once; equal ones need different replicate labels.
        model: Where the model is and what it accepts.
        recordings: What was answered before; grows by what is answered now.
        budget: Its limit of calls is exact, those of tokens and money are looked at before each
            batch, since what a batch costs is known when it has ended.
        offline: Refuse to send anything.
        requests_per_batch: At most so many in one batch.
        poll_seconds: Time between two looks.
        progress: What is being done; None prints nothing.

    Returns:
        One reply a request, in their order, joined by key.

    Raises:
        ChatError: The server refused; what was collected is recorded.
        StoppedError: A limit or a signal ended the run; batches that are out go on.
        UsageError, OfflineError, MissingKeyError, RecordingError: As in `door.ask`.
    """
    check_requests(requests, model)
    budget = budget or Budget()
    replies, pending = replay(requests, recordings, budget)
    if pending and offline:
        raise missing(pending, recordings)
    if pending:
        budget.check(model)
        recordings.open()
        # Imported late: a run that only replays needs no chat library.
        from isogloss.llm.batch_run import BatchRun

        asked = [step.origin for step in pending]
        run = BatchRun(asked, model, recordings, budget, requests_per_batch)
        reason = run_blocking(lambda: run.work(poll_seconds, progress))
        if progress is not None:
            note(f"{progress}: {budget.line()}")
        replies |= run.replies
        if reason is not None and len(replies) < len(requests):
            raise stopped(reason, requests, replies, recordings)
    return [replies[request.key] for request in requests]
