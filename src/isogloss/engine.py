"""Where work is done: in this process and its children, or on Ray. Results never depend on it.

What is given to an engine is a function over one batch, the same in both, and batches are cut the
same way, so an engine decides only where and when each is worked on.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol, TypeVar

from isogloss.errors import UsageError

LOCAL_NAME, RAY_NAME = "local", "ray"
ENGINES = "local, ray or ray://HOST:PORT"
_ADDRESS = re.compile(r"ray://[^\s/:]+:([1-9]\d{0,4})")
LAST_PORT = 65_535

Work = TypeVar("Work")
Result = TypeVar("Result")
Held = TypeVar("Held")
HeldThere = TypeVar("HeldThere", covariant=True)


class Holding(Protocol[HeldThere]):
    """Something that is slow to make, such as a loaded model, held wherever work is done with it.

    It is made when it is first needed, so where there is no work it is never made.
    """

    def map(
        self, function: Callable[[HeldThere, Work], Result], work: Iterable[Work], count: int
    ) -> Iterator[Result]:
        """Yield ``function(held, item)`` for each item, in the order of the work.

        Args:
            function: Importable where the work is done, as its item and result must be.
            work: What to do; taken as it is needed.
            count: How many items there are.
        """
        ...


class Engine(Protocol):
    """Where work is done."""

    @property
    def elsewhere(self) -> bool:
        """Whether all work is done by other processes, perhaps of other machines."""
        ...

    @property
    def slots(self) -> int:
        """How many parts a piece of work that can be cut anywhere is best cut into."""
        ...

    def map(
        self, function: Callable[[Work], Result], work: Sequence[Work], processes: int
    ) -> Iterator[Result]:
        """Yield ``function(item)`` for each item, in the order of the work.

        Args:
            function: Importable by a fresh process, as its argument and result must be.
            work: What to do.
            processes: How many processes of this machine share it at most, where the engine is
                this machine; 1 = this one alone.
        """
        ...

    def holding(
        self, make: Callable[[], Held], device: str | None
    ) -> AbstractContextManager[Holding[Held]]:
        """Hold what `make` gives until the context ends.

        Args:
            make: Importable, as `function` of `map`.
            device: Where it computes: a name of `isogloss.retrieval.device`, or None.

        Raises:
            UsageError: The engine cannot place it on that device.
        """
        ...


class LocalEngine:
    """This machine: the process itself, and children where a stage asks for some."""

    elsewhere = False
    slots = 1

    def map(
        self, function: Callable[[Work], Result], work: Sequence[Work], processes: int
    ) -> Iterator[Result]:
        """See `Engine.map`."""
        if processes <= 1 or len(work) <= 1:
            yield from map(function, work)
            return
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        # Fresh processes inherit no threads and no locks, on every platform.
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(min(processes, len(work)), mp_context=context) as pool:
            yield from pool.map(function, work)

    @contextmanager
    def holding(self, make: Callable[[], Held], device: str | None) -> Iterator[Holding[Held]]:
        """See `Engine.holding`; `make` alone knows what to do with a device here."""
        yield Here(make)


class Here(Holding[Held]):
    """Held in this process."""

    def __init__(self, make: Callable[[], Held]) -> None:
        self._make = make
        self._held: list[Held] = []

    def map(
        self, function: Callable[[Held, Work], Result], work: Iterable[Work], count: int
    ) -> Iterator[Result]:
        """See `Holding.map`."""
        if count and not self._held:
            self._held.append(self._make())
        for item in work:
            yield function(self._held[0], item)


LOCAL = LocalEngine()


def is_engine(name: str) -> bool:
    """Whether a text names an engine."""
    if name in (LOCAL_NAME, RAY_NAME):
        return True
    address = _ADDRESS.fullmatch(name)
    return address is not None and int(address[1]) <= LAST_PORT


@contextmanager
def open_engine(name: str) -> Iterator[Engine]:
    """An engine by its name; what it has started ends with the context.

    Args:
        name: ``local``; ``ray``, for the cluster that RAY_ADDRESS names or else a Ray of this
            machine alone; or ``ray://HOST:PORT``, for the cluster there.

    Raises:
        UsageError: The name is none.
        MissingExtraError: Ray is not installed.
        EngineError: Ray cannot be started or reached, which shows at the first piece of work.
    """
    if not is_engine(name):
        raise UsageError(f"engine {name!r}: must be {ENGINES}")
    if name == LOCAL_NAME:
        yield LOCAL
        return
    from isogloss.ray_engine import RayEngine

    engine = RayEngine(None if name == RAY_NAME else name)
    try:
        yield engine
    finally:
        engine.close()
