"""One reason to stop, told to everything that waits."""

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from isogloss.progress import note


class Stop:
    """Set once: what is in flight ends, nothing new begins.

    Attributes:
        reason: Why, or None while the run goes on. The first reason stays.
    """

    def __init__(self) -> None:
        self.reason: str | None = None
        self._event = asyncio.Event()

    def now(self, reason: str) -> None:
        """Stop for a reason."""
        self.reason = self.reason or reason
        self._event.set()

    async def sleep(self, seconds: float) -> None:
        """Wait, or return early once there is a reason to stop."""
        if seconds > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._event.wait(), seconds)

    @contextmanager
    def on_signals(self) -> Iterator[None]:
        """Ctrl-C and SIGTERM let calls in flight end and be recorded; a second one ends at once."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

        def stop(number: signal.Signals) -> None:
            note("stopping: calls in flight end first; once more ends at once")
            self.now(f"stopped by {number.name}")
            loop.remove_signal_handler(number)

        # Not every platform's loop knows signals; there a signal ends the run at once.
        with suppress(NotImplementedError):
            for number in before:
                loop.add_signal_handler(number, stop, number)
        try:
            yield
        finally:
            with suppress(NotImplementedError):
                for number, handler in before.items():
                    loop.remove_signal_handler(number)
                    signal.signal(number, handler)
