"""Work on Ray: tasks and actors in the order of the work, a bounded number of them under way.

Ray places, retries and restarts; this only hands it batches. A worker that is killed loses the
batches in its hands. Each is a function of its input alone and is worked on again, so nothing is
missing and nothing doubled.
"""

import os
import secrets
import shutil
import tempfile
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from isogloss.engine import Held, Holding, Result, Work
from isogloss.errors import EngineError, MissingExtraError, UsageError
from isogloss.files import one_line

RETRIES = 3
"""Times that a batch is worked on again, and a worker started again, after one was lost."""

IN_HAND = 2
"""Batches a worker is given at once, so that it need not wait for the next one."""

CONNECTIONS = 3
"""Times that a cluster's client server is asked for a session: a loaded head loses some."""

PAUSE = 2.0
"""Seconds between them."""

WINDOW = 4
"""Batches under way or waiting for one before them, for each worker: bounds memory."""


class RayEngine:
    """A cluster, or a Ray of this machine alone; started or reached at the first piece of work."""

    def __init__(self, address: str | None = None, processors: int | None = None) -> None:
        """Say which one.

        Args:
            address: Of a cluster, ``ray://HOST:PORT``; None takes RAY_ADDRESS from the environment
                and, without it, starts a Ray of this machine alone.
            processors: Of a Ray of this machine alone; None = all of them.

        Raises:
            MissingExtraError: Ray is not installed.
        """
        # Read when ray is imported: nothing is sent to its makers, and an error that is raised here
        # is not printed as well for each batch that meets it.
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        os.environ["RAY_IGNORE_UNHANDLED_ERRORS"] = "1"
        if find_spec("ray") is None:
            raise MissingExtraError("ray", "engine ray")
        self._address = address or os.environ.get("RAY_ADDRESS") or None
        self._processors = processors
        self._folder: str | None = None
        self._mine = False
        self._task: Any = None

    elsewhere = True

    @property
    def slots(self) -> int:
        """As many as there are processors."""
        return max(1, int(self._resources().get("CPU", 1)))

    def map(
        self, function: Callable[[Work], Result], work: Sequence[Work], processes: int
    ) -> Iterator[Result]:
        """See `isogloss.engine.Engine.map`; Ray alone decides how many share the work."""
        if not work:
            return
        ray = self._started()
        if self._task is None:
            self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(_apply)
        task, shared, lanes = self._task, ray.put(function), self.slots
        yield from _in_order(ray, lambda _, item: task.remote(shared, item), work, lanes)

    @contextmanager
    def holding(self, make: Callable[[], Held], device: str | None) -> Iterator[Holding[Held]]:
        """See `isogloss.engine.Engine.holding`: one actor a processor, or a GPU where there are.

        Raises:
            UsageError: The device is one of several: Ray itself gives each actor one.
        """
        if device is not None and ":" in device:
            plain = device.partition(":")[0]
            raise UsageError(
                f"device {device}: engine ray gives each worker a device of its own; say {plain}"
            )
        pool = _Actors[Held](self, make, device)
        try:
            yield pool
        finally:
            pool.close()

    def close(self) -> None:
        """Stop what was started and leave a cluster; a Ray that was there before goes on."""
        if self._mine:
            import ray

            ray.shutdown()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._mine, self._folder, self._task = False, None, None

    def _resources(self) -> dict[str, float]:
        ray = self._started()
        found: dict[str, float] = ray.cluster_resources()
        return found

    def _started(self) -> Any:
        local = self._address in (None, "local")
        if local:
            # Without them Ray writes a token into the home folder.
            os.environ.setdefault("RAY_AUTH_MODE", "token")
            os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
            # Its workers would otherwise stand back behind everything else on the machine.
            os.environ.setdefault("RAY_worker_niceness", "0")
        # Of processes that this one starts, which is all that Ray forks for.
        warnings.filterwarnings("ignore", message="lancedb fork support is experimental")
        import ray

        if ray.is_initialized():
            return ray
        self._mine = True
        told: dict[str, Any] = {"logging_level": "ERROR", "log_to_driver": False}
        try:
            if local:
                # Names of sockets end at some hundred characters, which a deep TMPDIR uses up.
                short = "/tmp" if Path("/tmp").is_dir() else None  # noqa: S108
                self._folder = tempfile.mkdtemp(prefix="ray-", dir=short)
                told |= {"num_cpus": self._processors, "_temp_dir": self._folder}
                ray.init("local", include_dashboard=False, **told)
            else:
                _connect(ray, self._address, told)
        # Ray raises plain Exception too, such as where a node takes too long to start.
        except Exception as error:
            where = "a Ray of this machine" if local else self._address
            self.close()
            raise EngineError(
                f"engine ray: {where} cannot be used ({one_line(error)[:200]}); "
                "the engine local needs none"
            ) from error
        return ray


def _connect(ray: Any, address: str | None, told: dict[str, Any]) -> None:
    """Reach a cluster; the process that its head starts for each client may end as it starts."""
    for left in reversed(range(CONNECTIONS)):
        try:
            ray.init(address, **told)
            return
        except ConnectionAbortedError:
            if not left:
                raise
            time.sleep(PAUSE)


class _Actors(Holding[Held]):
    """One copy of what is held in each actor."""

    def __init__(self, engine: RayEngine, make: Callable[[], Held], device: str | None) -> None:
        self._engine, self._make, self._device = engine, make, device
        self._actors: list[Any] = []

    def map(
        self, function: Callable[[Held, Work], Result], work: Iterable[Work], count: int
    ) -> Iterator[Result]:
        """See `isogloss.engine.Holding.map`."""
        if not count:
            return
        ray = self._engine._started()
        needs, most = placing(self._device, self._engine._resources())
        kind = ray.remote(max_restarts=RETRIES, max_task_retries=RETRIES, **needs)(_Holder)
        while len(self._actors) < min(most, count):
            self._actors.append(kind.remote(self._make))
        actors, shared = self._actors, ray.put(function)
        yield from _in_order(
            ray, lambda lane, item: actors[lane].apply.remote(shared, item), work, len(actors)
        )

    def close(self) -> None:
        """End the actors: tasks wait for the processors that they hold."""
        if self._actors:
            import ray

            # Where Ray has ended, they have, and asking would start another one.
            for actor in self._actors if ray.is_initialized() else []:
                ray.kill(actor)
            self._actors = []


class _Holder:
    """What an actor is."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._held: list[Any] = []

    def apply(self, function: Callable[[Any, Any], Any], item: Any) -> Any:
        # Made here and not at the start, so that what goes wrong with it arrives as it was raised.
        if not self._held:
            self._held.append(self._make())
        return function(self._held[0], item)


def placing(device: str | None, resources: dict[str, float]) -> tuple[dict[str, float], int]:
    """What one actor takes of a cluster, and how many actors there may be.

    Args:
        device: A name without a number, or None for an accelerator where there is one.
        resources: What the cluster has.
    """
    gpus = int(resources.get("GPU", 0))
    if gpus and device in (None, "auto", "cuda", "xpu"):
        return {"num_cpus": 1, "num_gpus": 1}, gpus
    return {"num_cpus": 1}, max(1, int(resources.get("CPU", 1)))


def _apply(function: Callable[[Any], Any], item: Any) -> Any:
    return function(item)


def _in_order(
    ray: Any, submit: Callable[[int, Any], Any], work: Iterable[Any], lanes: int
) -> Iterator[Any]:
    """Yield the results of the work in its order; the next batch goes where fewest are in hand."""
    items = iter(work)
    waiting: deque[Any] = deque()
    running: dict[Any, int] = {}
    load = [0] * lanes
    left = True
    try:
        while True:
            while left and len(waiting) < WINDOW * lanes and min(load) < IN_HAND:
                item = next(items, _END)
                if item is _END:
                    left = False
                    break
                lane = load.index(min(load))
                load[lane] += 1
                waiting.append(submit(lane, item))
                running[waiting[-1]] = lane
            if not waiting:
                return
            if waiting[0] in running:
                done, _ = ray.wait(list(running), num_returns=1, fetch_local=False)
                for one in done:
                    load[running.pop(one)] -= 1
                continue
            yield _result(ray, waiting.popleft())
    finally:
        # After an error nobody asks for the others.
        for one in running:
            with suppress(ray.exceptions.RayError, RuntimeError, ConnectionError):
                ray.cancel(one, force=False, recursive=False)


def _result(ray: Any, reference: Any) -> Any:
    """What a worker gave, or the very error that it raised."""
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        if not isinstance(error.cause, ray.exceptions.RayError):
            raise error.cause from error
        said = one_line(error.cause).partition(" traceback: ")[0]
        raise EngineError(
            f"engine ray: a worker cannot read its work ({said[:200]}); every node needs the same "
            "isogloss, with the same extras"
        ) from error
    except ray.exceptions.RayError as error:
        raise EngineError(
            f"engine ray: a worker was lost {RETRIES + 1} times over one batch "
            f"({one_line(error)[:200]}); look for a lack of memory, or take the engine local"
        ) from error


_END = object()
