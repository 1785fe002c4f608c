"""Many replies wait for one flush of the disk."""

import asyncio
from collections.abc import Callable

from isogloss.llm.faults import RecordingError


class Commits:
    """Groups waits: whoever comes during a flush shares the next one.

    Args:
        flush: Blocks until all that was written is on the disk; run in a thread.
    """

    def __init__(self, flush: Callable[[], None]) -> None:
        self._flush = flush
        self._waiting: list[asyncio.Future[None]] = []
        self._task: asyncio.Task[None] | None = None

    async def done(self) -> None:
        """Return when everything written before this call is on the disk.

        Raises:
            RecordingError: The disk refused.
        """
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        if self._task is None:
            self._task = asyncio.create_task(self._run())
        await waiter

    async def _run(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            fault: RecordingError | None = None
            try:
                await asyncio.to_thread(self._flush)
            except RecordingError as error:
                fault = error
            for waiter in batch:
                if waiter.done():
                    continue
                if fault is None:
                    waiter.set_result(None)
                else:
                    waiter.set_exception(fault)
        self._task = None
