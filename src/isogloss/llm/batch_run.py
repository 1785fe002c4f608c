"""One run of batches: adopt what is out, submit what is left, collect, until all is settled."""

from collections.abc import Iterator, Sequence
from uuid import uuid4

from isogloss.llm.batch_client import BatchClient
from isogloss.llm.batch_results import judge_result, read_results
from isogloss.llm.batch_state import BatchState, OpenBatch
from isogloss.llm.budget import Budget
from isogloss.llm.chat_models import ChatModelSettings
from isogloss.llm.chat_requests import ChatRequest
from isogloss.llm.client import CallFailed
from isogloss.llm.joining import join_by_id
from isogloss.llm.outcomes import Outcome
from isogloss.llm.recordings import Recordings
from isogloss.llm.replaying import Pending, settle
from isogloss.llm.replies import Reply
from isogloss.llm.stopping import Stop
from isogloss.progress import note

ENDED = {"completed", "expired", "cancelled", "failed"}
# The server takes 200 MB a file; a character is at most four bytes.
MOST_CHARACTERS = 45_000_000


class BatchRun:
    """Settles requests by way of batches.

    Attributes:
        replies: By key, those that came to an end.
    """

    def __init__(
        self,
        requests: Sequence[ChatRequest],
        model: ChatModelSettings,
        recordings: Recordings,
        budget: Budget,
        size: int,
    ) -> None:
        self.replies: dict[str, Reply] = {}
        self._requests = requests
        self._model = model
        self._recordings = recordings
        self._budget = budget
        self._size = size
        self._state = BatchState(recordings)
        self._failed: dict[str, str] = {}
        self._stop = Stop()

    async def work(self, poll_seconds: float, progress: str | None) -> str | None:
        """Rounds of submitting and collecting until nothing is left to ask.

        Returns:
            Why the run ended early, or None.
        """
        client = BatchClient(self._model)
        try:
            with self._stop.on_signals():
                await self._adopt(client)
                while self._stop.reason is None:
                    await self._submit(self._left(), client)
                    if not self._state.batches:
                        break
                    await self._collect(client)
                    if self._state.batches:
                        if progress is not None:
                            note(f"{progress}: {len(self._state.batches)} batches are out")
                        await self._stop.sleep(poll_seconds)
        finally:
            self._left()
            await client.close()
        return self._stop.reason

    def _left(self) -> list[Pending]:
        """What neither the recordings nor a batch of this run has settled."""
        left = []
        for request in self._requests:
            step = settle(request, self._recordings, replayed=False)
            if isinstance(step, Reply):
                self.replies[request.key] = step
            elif (reason := self._failed.get(step.request.key)) is not None:
                self.replies[request.key] = Reply(
                    request.key,
                    request.replicate,
                    Outcome.FAILED,
                    reason=reason,
                    attempt=step.attempt,
                )
            else:
                left.append(step)
        return left

    async def _adopt(self, client: BatchClient) -> None:
        """Find the batches that a killed run started without learning their ids."""
        for batch in list(self._state.batches):
            batch.id = batch.id or await client.find(batch.token)
            if batch.id is None:
                self._state.batches.remove(batch)
            else:
                self._begin(batch)
        self._state.save()

    def _begin(self, batch: OpenBatch) -> None:
        for _ in batch.requests:
            self._budget.begin()

    async def _submit(self, left: Sequence[Pending], client: BatchClient) -> None:
        out = self._state.keys
        waiting = [step for step in left if step.request.key not in out]
        while waiting and self._stop.reason is None:
            if (limit := self._budget.reached()) is not None:
                # What is out is collected before the run ends.
                if not self._state.batches:
                    self._stop.now(f"{limit} reached")
                return
            chunk = list(self._chunk(waiting))
            waiting = waiting[len(chunk) :]
            batch = OpenBatch(
                uuid4().hex,
                {step.request.key: (step.request.replicate, step.attempt) for step in chunk},
            )
            # The token is on the disk before the server hears of the batch.
            self._state.batches.append(batch)
            self._state.save()
            batch.id = await client.submit([step.request for step in chunk], batch.token)
            self._begin(batch)
            self._state.save()

    def _chunk(self, waiting: Sequence[Pending]) -> Iterator[Pending]:
        """As many as one batch and the budget of calls take, at least one."""
        room = self._size
        if self._budget.limits.calls is not None:
            room = min(room, self._budget.limits.calls - self._budget.calls)
        characters = 0
        for number, step in enumerate(waiting):
            characters += sum(len(turn.content) for turn in step.request.messages)
            if number and (number >= room or characters > MOST_CHARACTERS):
                return
            yield step

    async def _collect(self, client: BatchClient) -> None:
        """Record what the ended ones of the open batches brought."""
        for batch in [batch for batch in self._state.batches if batch.id is not None]:
            state = await client.look(str(batch.id))
            if state.status not in ENDED:
                continue
            if state.status == "failed":
                # Refused as a whole before anything was run.
                faults = (state.errors.data if state.errors else None) or []
                words = "; ".join(fault.message or fault.code or "" for fault in faults)
                self._stop.now(f"batch {batch.id} was refused ({words or 'no message'})")
            else:
                output = await client.fetch(state.output_file_id)
                errors = await client.fetch(state.error_file_id)
                self._record(batch, output + b"\n" + errors)
            self._state.batches.remove(batch)
            self._state.save()

    def _record(self, batch: OpenBatch, content: bytes) -> None:
        """Record the answers of one batch, joined by custom id; all on the disk at return."""
        asked = {step.request.key: step.request for step in self._left()}
        joined = join_by_id(list(batch.requests), read_results(content))
        for key, result in joined.answers.items():
            sent = judge_result(result, asked.get(key))
            if isinstance(sent, CallFailed):
                self._budget.fail()
                self._failed[key] = sent.reason
                continue
            self._budget.end(self._model, sent.body, self._model.batch_price_factor)
            replicate, attempt = batch.requests[key]
            if self._recordings.get(key, replicate) is None:
                outcome = sent.reading.outcome
                self._recordings.append(key, replicate, outcome, attempt, sent.raw)
        self._recordings.sync()
        for count, what in (
            (joined.repeated, "answers came again; the first were kept"),
            (len(joined.conflicts), "requests have answers that differ"),
            (len(joined.unknown), "answers carry an id that was not asked"),
        ):
            if count:
                note(f"batch {batch.id}: {count} {what}")
