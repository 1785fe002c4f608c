"""The door: requests in, replies out in the same order, each asked and paid at most once."""

import asyncio
from collections.abc import Callable, Coroutine, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, cast

from isogloss.errors import UsageError
from isogloss.llm.budget import Budget
from isogloss.llm.chat_models import ChatModelSettings
from isogloss.llm.chat_requests import ChatRequest
from isogloss.llm.faults import OfflineError, StoppedError
from isogloss.llm.recordings import Recordings
from isogloss.llm.replaying import Pending, settle
from isogloss.llm.replies import Reply
from isogloss.progress import note, track


def ask(
    requests: Sequence[ChatRequest],
    model: ChatModelSettings,
    recordings: Recordings,
    *,
    budget: Budget | None = None,
    offline: bool = False,
    concurrency: int = 16,
    progress: str | None = None,
) -> list[Reply]:
    """Get a reply for each request, from the recordings or from the model.

    A request that is recorded needs no key and no call. Every response is on the disk before its
    reply counts as done, so a run that was killed goes on where it ended: at most the calls in
    flight are paid again. The function blocks; it may be called where an event loop runs.

    Args:
        requests: Each once; equal ones need different replicate labels.
        model: Where the model is and what it accepts.
        recordings: What was answered before; grows by what is answered now.
        budget: Counts what is spent and may limit it; one may serve several calls.
        offline: Refuse to send anything.
        concurrency: How many calls run at once.
        progress: What is being done, for the progress bar; None shows none.

    Returns:
        One reply a request, in their order, joined by key. A request that failed for good is a
        reply with the outcome failed, is not recorded, and is asked again by the next run.

    Raises:
        UsageError: Two requests are equal, one names another model, or `concurrency` is below 1.
        OfflineError: `offline`, and a reply is not recorded.
        MissingKeyError: The API key is not in the environment.
        RecordingError: The recordings cannot be read or appended to.
        StoppedError: A limit, a signal, or an error that every request would meet ended the run.
    """
    check_requests(requests, model)
    if concurrency < 1:
        raise UsageError(f"concurrency must be at least 1, not {concurrency}")
    budget = budget or Budget()
    replies, pending = replay(requests, recordings, budget)
    if pending and offline:
        raise missing(pending, recordings)
    if pending:
        budget.check(model)
        recordings.open()
        reason = None
        with _bar(progress, len(pending)) as tick:
            reason = run_blocking(
                lambda: _run(pending, model, recordings, budget, concurrency, tick, replies)
            )
        if progress is not None:
            note(f"{progress}: {budget.line()}")
        if reason is not None and len(replies) < len(requests):
            raise stopped(reason, requests, replies, recordings)
    return [replies[request.key] for request in requests]


async def _run(
    pending: Sequence[Pending],
    model: ChatModelSettings,
    recordings: Recordings,
    budget: Budget,
    concurrency: int,
    tick: Callable[[], None],
    replies: dict[str, Reply],
) -> str | None:
    # Imported late: a run that only replays needs no chat library.
    from isogloss.llm.session import Session

    session = Session(model, recordings, budget, tick)
    try:
        await session.run([step.origin for step in pending], concurrency)
    finally:
        replies.update(session.replies)
    return session.stop.reason


def check_requests(requests: Sequence[ChatRequest], model: ChatModelSettings) -> None:
    """Refuse what could not be joined by key.

    Raises:
        UsageError: Two requests are equal, or one names another model.
    """
    seen: dict[str, int] = {}
    for index, request in enumerate(requests):
        if request.model != model.name:
            raise UsageError(f"request {request.label} is not for model {model.name}")
        if request.key in seen:
            raise UsageError(
                f"requests {seen[request.key] + 1} and {index + 1} are equal: {request.label}; "
                "give them different replicate labels"
            )
        seen[request.key] = index


def replay(
    requests: Sequence[ChatRequest], recordings: Recordings, budget: Budget
) -> tuple[dict[str, Reply], list[Pending]]:
    """What the recordings answer, by key, and what they do not."""
    replies: dict[str, Reply] = {}
    pending: list[Pending] = []
    for request in requests:
        step = settle(request, recordings, replayed=True)
        if isinstance(step, Reply):
            replies[request.key] = step
        else:
            pending.append(step)
    budget.replayed += len(replies)
    if recordings.faults is not None:
        note(recordings.faults)
    return replies, pending


def missing(pending: Sequence[Pending], recordings: Recordings) -> OfflineError:
    """The error of an offline run: the first request that is not recorded, by name."""
    first = pending[0]
    what = "request" if first.attempt == 1 else "repair request"
    more = f" and {len(pending) - 1} more" if len(pending) > 1 else ""
    strange = next(iter(recordings.strangers.items()), None)
    if strange is not None:
        more += f" (line {strange[0]} has the key of a request but is {strange[1]})"
    return OfflineError(
        f"{recordings.path}: no recording of {what} {first.request.label}{more}; "
        "pull the recordings (`make data`), or ask a model that answers (without --offline and "
        "replay_only)"
    )


def stopped(
    reason: str,
    requests: Sequence[ChatRequest],
    replies: dict[str, Reply],
    recordings: Recordings,
) -> StoppedError:
    """The error of a run that ended early, with the replies it has."""
    had = [replies.get(request.key) for request in requests]
    done = sum(reply is not None for reply in had)
    return StoppedError(
        f"{reason}; {done} of {len(requests)} requests are done and kept in {recordings.path}: "
        "the next run goes on from there",
        had,
    )


def run_blocking(begin: Callable[[], Coroutine[Any, Any, str | None]]) -> str | None:
    """Run a coroutine to its end, in a thread of its own where an event loop runs already."""
    running = True
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        running = False
    if not running:
        return asyncio.run(begin())
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(begin())).result()


@contextmanager
def _bar(label: str | None, total: int) -> Iterator[Callable[[], None]]:
    """A function that moves the progress bar on by one."""
    if label is None:
        yield lambda: None
        return
    steps = cast(Generator[int, None, None], track(range(total), label, total))
    # The bar stands at what has been taken from it before the item that is out now.
    next(steps, None)

    def tick() -> None:
        next(steps, None)

    try:
        yield tick
    finally:
        steps.close()
