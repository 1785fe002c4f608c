"""Texts to vectors, one way for every model, whatever it is made of."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from isogloss.errors import EncoderError
from isogloss.files import one_line
from isogloss.retrieval.declaration import (
    CharacterNgrams,
    DenseDeclaration,
    HubModel,
    ModelDeclaration,
    PackagedModel,
    Side,
)
from isogloss.retrieval.device import usable_device
from isogloss.retrieval.sending import sent_text
from isogloss.retrieval.vectors import check_vectors, name_some

Vectors = npt.NDArray[np.float32]
Progress = Callable[[Iterable[slice]], Iterator[slice]]


class TextModel(Protocol):
    """What computes vectors of texts that carry their prompts already."""

    def encode(self, sent: list[str], batch_size: int) -> Any:
        """Vectors of any length, finite or not, one a text."""

    def token_counts(self, sent: list[str]) -> list[int | None]:
        """Tokens of each text, special ones included; None where there is no length limit."""


class Encoder:
    """One loaded model.

    Attributes:
        declaration: What was loaded.
        dimension: Length of its vectors.
        batch_size: Texts encoded together; changes speed, and vectors only by float noise.
    """

    def __init__(
        self, model: TextModel, declaration: DenseDeclaration, batch_size: int = 32
    ) -> None:
        self._model = model
        self.declaration = declaration
        self.dimension = declaration.dimension
        self.batch_size = batch_size

    def sent(self, text: str, side: Side) -> str:
        """The exact text sent to the model for a text of one side."""
        return sent_text(self.declaration, text, side)

    def encode(self, texts: Sequence[str], side: Side, progress: Progress = iter) -> Vectors:
        """Encode texts of one side, its prompt put in front of each.

        Args:
            texts: The texts without prompts.
            side: Which prompt they get.
            progress: Wraps the batches, for a progress bar.

        Returns:
            float32 (n, dimension), L2-normalised, in the order of `texts`.

        Raises:
            EncoderError: See `encode_sent`.
        """
        sent = [self.sent(text, side) for text in texts]
        order = sorted(range(len(sent)), key=lambda index: (-len(sent[index]), index))
        vectors = np.empty((len(sent), self.dimension), dtype=np.float32)
        for part in progress(self.batches(len(sent))):
            rows = order[part]
            vectors[rows] = self.encode_sent([sent[row] for row in rows], [str(r) for r in rows])
        return vectors

    def batches(self, count: int) -> list[slice]:
        """Slices of one batch each that cover `count` texts."""
        return [slice(at, at + self.batch_size) for at in range(0, count, self.batch_size)]

    def encode_sent(self, sent: Sequence[str], ids: Sequence[str]) -> Vectors:
        """Encode one batch of texts that carry their prompts already.

        Args:
            sent: The exact texts the model gets.
            ids: Their names, for errors.

        Raises:
            EncoderError: The model fails, returns vectors of another dimension than declared, or
                vectors that are NaN, infinite or zero; the texts are named. No vector is ever
                dropped or filled in.
        """
        key = self.declaration.key
        try:
            raw = self._model.encode(list(sent), self.batch_size)
        except (RuntimeError, ValueError, IndexError) as error:
            raise EncoderError(
                f"{key}: encoding failed at {name_some(ids)}: {one_line(error)[:200]}"
            ) from error
        vectors = np.asarray(raw, dtype=np.float64)
        norms = check_vectors(vectors, ids, self.dimension, key)
        return np.asarray(vectors / norms[:, None], dtype=np.float32)

    def count_tokens(self, sent: Sequence[str]) -> list[int | None]:
        """Tokens of each text, special ones included; None where the model has no length limit."""
        return self._model.token_counts(list(sent))


def load_encoder(
    declaration: ModelDeclaration, device: str | None = None, batch_size: int = 32
) -> Encoder:
    """Load a declared model.

    Args:
        declaration: A model that makes vectors.
        device: Such as ``cpu`` or ``cuda:1``; ``auto`` and None take an accelerator where there
            is one. Models that compute without torch stay on the processor.
        batch_size: Texts encoded together.

    Raises:
        UsageError: The device's name is none.
        EncoderError: The device or the model cannot be had, or it is not what was declared.
        MissingExtraError: Its package is not installed.
    """
    device = usable_device(device)
    # Each brings its own libraries: what computes without torch does not wait for it to load.
    model: TextModel
    if isinstance(declaration, HubModel):
        from isogloss.retrieval.hub import load_hub
        from isogloss.retrieval.sentence_model import SentenceModel

        limited = declaration.max_length is not None
        model = SentenceModel(load_hub(declaration, device), limited=limited)
    elif isinstance(declaration, PackagedModel):
        from isogloss.retrieval.packaged import load_packaged

        model = load_packaged(declaration, device)
    elif isinstance(declaration, CharacterNgrams):
        from isogloss.retrieval.char_ngrams import CharacterNgramModel

        model = CharacterNgramModel(declaration)
    else:
        raise EncoderError(f"{declaration.key}: makes no vectors")
    return Encoder(model, declaration, batch_size)
