"""The nearest documents of each query in float32: on the processor, or on an accelerator.

Both compute in full float32, so their scores differ by rounding alone, which lies far below what
`search` settles in float64: the ranking is the same wherever its candidates were found.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from isogloss.device_names import device_named
from isogloss.errors import EncoderError
from isogloss.files import one_line
from isogloss.retrieval.device import chosen_device

FloatMatrix = npt.NDArray[np.float32]
Indexes = npt.NDArray[np.int64]

WORTH_A_START = 10**12
"""Multiplications from which `auto` looks for an accelerator. Two cores do as many in about ten
seconds, of which torch and a driver take several to start."""

HELD_BYTES = 1 << 28
"""Documents' vectors that an accelerator holds at a time, and scores of theirs."""


class Nearest(Protocol):
    """Finds candidates."""

    def __call__(
        self, queries: FloatMatrix, documents: FloatMatrix, count: int
    ) -> tuple[FloatMatrix, Indexes]:
        """The highest dot products of every query.

        Args:
            queries: float32 (n_queries, dimension).
            documents: float32 (n_documents, dimension).
            count: How many to find, at most n_documents.

        Returns:
            Scores and document indexes (n_queries, count), descending by score; equal scores stand
            in any order.
        """
        ...


def by_faiss(
    queries: FloatMatrix, documents: FloatMatrix, count: int
) -> tuple[FloatMatrix, Indexes]:
    """See `Nearest`; on every processor of this machine."""
    import faiss

    scores, found = faiss.knn(queries, documents, count, metric=faiss.METRIC_INNER_PRODUCT)
    return scores, found


class ByTorch:
    """See `Nearest`; on a device of torch."""

    def __init__(self, device: str) -> None:
        """Name one that is there."""
        self._device = device

    def __call__(
        self, queries: FloatMatrix, documents: FloatMatrix, count: int
    ) -> tuple[FloatMatrix, Indexes]:
        """See `Nearest`.

        Raises:
            EncoderError: The device fails, for lack of memory most likely.
        """
        try:
            with _full_float32():
                return self._find(queries, documents, count)
        except RuntimeError as error:
            raise EncoderError(
                f"device {self._device}: cannot search {len(documents)} vectors "
                f"({one_line(error)[:120]}); say --device cpu"
            ) from error

    def _find(
        self, queries: FloatMatrix, documents: FloatMatrix, count: int
    ) -> tuple[FloatMatrix, Indexes]:
        import torch

        asked = self._moved(queries)
        best: Any = None
        # As many as have room with their scores, however few the queries are.
        at_once = max(count, HELD_BYTES // (4 * max(1, *queries.shape)))
        for start in range(0, len(documents), at_once):
            scores = asked @ self._moved(documents[start : start + at_once]).T
            found = scores.topk(min(count, scores.shape[1]))
            if best is None:
                best = found.values, found.indices
                continue
            values = torch.cat([best[0], found.values], dim=1)
            places = torch.cat([best[1], found.indices + start], dim=1)
            kept = values.topk(count)
            best = kept.values, places.gather(1, kept.indices)
        values, places = best
        return values.cpu().numpy(), places.cpu().numpy()

    def _moved(self, vectors: FloatMatrix) -> Any:
        import torch

        # Torch takes no array that must not be written.
        return torch.from_numpy(np.require(vectors, requirements=["C", "W"])).to(self._device)


def search_device(device: str | None, products: int) -> str | None:
    """Where a search is worth doing.

    Args:
        device: A name, ``auto`` or None.
        products: Multiplications: queries times documents times dimension.

    Returns:
        A name, or None: an accelerator where there is one.

    Raises:
        UsageError: The name is none.
    """
    named = device_named(device)
    return "cpu" if named is None and products < WORTH_A_START else named


def nearest_on(device: str | None) -> Nearest:
    """What finds candidates on a device.

    Args:
        device: As `search_device` gives it.

    Raises:
        EncoderError: The device is not here.
    """
    named = "cpu" if device == "cpu" else chosen_device(device)
    return by_faiss if named == "cpu" else ByTorch(named)


@contextmanager
def _full_float32() -> Iterator[None]:
    """Whatever shorter floats a process allows for the sake of speed: not for scores."""
    import torch

    cuda, cpu = torch.backends.cuda.matmul, torch.backends.mkldnn.matmul  # type: ignore[attr-defined]
    each = [(backend, backend.fp32_precision) for backend in (cuda, cpu)]
    try:
        whole = torch.get_float32_matmul_precision()
    except RuntimeError:  # Torch names none for all where one backend was set alone.
        whole = None
    torch.set_float32_matmul_precision("highest")
    try:
        yield
    finally:
        if whole is not None:
            torch.set_float32_matmul_precision(whole)
        else:
            for backend, before in each:
                backend.fp32_precision = before
