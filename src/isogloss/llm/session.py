"""Pending requests are worked through, so many at once, each response recorded as it comes."""

import asyncio
from collections.abc import Callable, Iterator, Sequence

from isogloss.llm.budget import Budget
from isogloss.llm.chat_models import ChatModelSettings
from isogloss.llm.chat_requests import ChatRequest
from isogloss.llm.client import CallFailed, ChatClient
from isogloss.llm.commits import Commits
from isogloss.llm.outcomes import Outcome
from isogloss.llm.recordings import Recordings
from isogloss.llm.replaying import Pending, settle
from isogloss.llm.replies import Reply
from isogloss.llm.stopping import Stop

# So many requests in a row whose retries are used up: the server is gone, not busy.
FAILURES_IN_A_ROW = 25


class Session:
    """One run over one model.

    Attributes:
        replies: By key, those that came to an end.
        stop: Holds the reason where the run ended early.
    """

    def __init__(
        self,
        model: ChatModelSettings,
        recordings: Recordings,
        budget: Budget,
        finished: Callable[[], None],
    ) -> None:
        self.replies: dict[str, Reply] = {}
        self.stop = Stop()
        self._model = model
        self._recordings = recordings
        self._budget = budget
        self._finished = finished
        self._commits = Commits(recordings.sync)
        self._failures = 0
        self._fault: Exception | None = None
        self._reports: set[asyncio.Task[None]] = set()

    async def run(self, requests: Sequence[ChatRequest], concurrency: int) -> None:
        """Work through the requests.

        Raises:
            RecordingError: A reply could not be recorded; no further call was begun.
        """
        workers = min(concurrency, len(requests))
        client = ChatClient(self._model, workers, self.stop, self._count_retry)
        queue = iter(requests)
        try:
            with self.stop.on_signals():
                await asyncio.gather(*(self._work(queue, client) for _ in range(workers)))
                await asyncio.gather(*self._reports)
        finally:
            await client.close()
        if self._fault is not None:
            raise self._fault

    def _count_retry(self) -> None:
        self._budget.retries += 1

    async def _work(self, queue: Iterator[ChatRequest], client: ChatClient) -> None:
        # One worker's exception must not cancel the others: what they wait for is paid.
        try:
            for request in queue:
                reply = await self._finish(request, client)
                if reply is None:
                    return
                # A slow disk holds up the report, not the next call.
                report = asyncio.create_task(self._report(reply))
                self._reports.add(report)
                report.add_done_callback(self._reports.discard)
        except Exception as error:  # noqa: BLE001
            self._break_off(error)

    async def _report(self, reply: Reply) -> None:
        """A reply counts as done once it is on the disk."""
        try:
            await self._commits.done()
            self.replies[reply.key] = reply
            self._finished()
        except Exception as error:  # noqa: BLE001
            self._break_off(error)

    def _break_off(self, error: Exception) -> None:
        self._fault = self._fault or error
        self.stop.now("a reply could not be recorded")

    async def _finish(self, request: ChatRequest, client: ChatClient) -> Reply | None:
        """Ask until the request has its reply; None where the run stopped before."""
        while True:
            step = settle(request, self._recordings, replayed=False)
            if isinstance(step, Reply):
                return step
            if (limit := self._budget.reached()) is not None:
                self.stop.now(f"{limit} reached")
            if self.stop.reason is not None:
                return None
            failed = await self._call(step, client)
            if failed is not None:
                if self.stop.reason is not None and failed.transient:
                    return None
                return _failed(request, failed.reason, step.attempt)

    async def _call(self, step: Pending, client: ChatClient) -> CallFailed | None:
        self._budget.begin()
        sent = await client.send(step.request)
        if isinstance(sent, CallFailed):
            self._budget.fail()
            self._count_failure(sent)
            return sent
        self._failures = 0
        request, outcome = step.request, sent.reading.outcome
        self._recordings.append(request.key, request.replicate, outcome, step.attempt, sent.raw)
        self._budget.end(self._model, sent.body)
        return None

    def _count_failure(self, failed: CallFailed) -> None:
        self._failures = self._failures + 1 if failed.transient else 0
        if self._failures >= FAILURES_IN_A_ROW:
            self.stop.now(f"{self._failures} requests in a row failed, at last: {failed.reason}")


def _failed(request: ChatRequest, reason: str, attempt: int) -> Reply:
    return Reply(request.key, request.replicate, Outcome.FAILED, reason=reason, attempt=attempt)
