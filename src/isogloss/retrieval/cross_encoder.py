"""Cross-encoders of the hub or a local folder, loaded as declared; they score pairs of texts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sentence_transformers import CrossEncoder

from isogloss.errors import EncoderError
from isogloss.files import one_line
from isogloss.retrieval.declaration import unpinned
from isogloss.retrieval.derived import CrossEncoderScorer, Rerank
from isogloss.retrieval.device import chosen_device, without
from isogloss.retrieval.hub import dtype_arguments, probe
from isogloss.retrieval.vectors import name_some
from isogloss.retrieval.whole_weights import whole_weights


class PairScorer:
    """One loaded cross-encoder.

    Attributes:
        key: Of the retriever it re-ranks for.
        batch_size: Pairs scored together; changes speed, and scores only by float noise.
    """

    def __init__(self, model: CrossEncoder, key: str, batch_size: int = 32) -> None:
        self._model = model
        self.key = key
        self.batch_size = batch_size

    def score(
        self, pairs: Sequence[tuple[str, str]], names: Sequence[str]
    ) -> npt.NDArray[np.float64]:
        """Score pairs of query and document text.

        Args:
            pairs: Query, then document.
            names: What errors call the pairs.

        Returns:
            float64 (n,): the model's raw output, which no squashing has made equal at its ends.

        Raises:
            EncoderError: The model fails, or a score is NaN or infinite; pairs are named.
        """
        try:
            raw = self._model.predict(
                list(pairs),
                batch_size=self.batch_size,
                show_progress_bar=False,
                activation_fn=torch.nn.Identity(),
            )
        except (RuntimeError, ValueError, IndexError) as error:
            raise EncoderError(
                f"{self.key}: scoring failed at {name_some(names)}: {one_line(error)[:200]}"
            ) from error
        scores = np.asarray(raw, dtype=np.float64).reshape(len(pairs), -1)[:, 0]
        bad = [names[row] for row in np.flatnonzero(~np.isfinite(scores)).tolist()]
        if bad:
            raise EncoderError(
                f"{self.key}: {len(bad)} of {len(pairs)} scores are NaN or infinite "
                f"({name_some(bad)}); try dtype float32"
            )
        return scores


def load_cross_encoder(
    declaration: Rerank, device: str | None = None, batch_size: int = 32
) -> PairScorer:
    """Load a declared cross-encoder from the cache, else from the hub, else say what to do.

    Raises:
        UsageError: The device's name is none.
        EncoderError: No revision is pinned, the device is not here, the hub is out of reach, the
            model fails to load, or it gives more than one score for a pair.
    """
    key, scorer = declaration.key, declaration.scorer
    if not isinstance(scorer, CrossEncoderScorer):
        raise EncoderError(f"{key}: its scorer is no cross-encoder")
    fault = unpinned(declaration)
    if fault is not None or scorer.revision is None:
        raise EncoderError(str(fault))
    device = chosen_device(device)
    try:
        try:
            model = _load(key, scorer, device, offline=True)
        except OSError:
            if Path(scorer.name).is_dir():
                raise
            probe(key, scorer.name, scorer.revision)
            model = _load(key, scorer, device, offline=False)
    except EncoderError:
        raise
    except Exception as error:  # A repository's own code may raise anything.
        raise EncoderError(
            f"{key}: {scorer.name} at {scorer.revision[:12]} cannot be loaded on {device} "
            f"({one_line(error)[:300]}){without(device)}"
        ) from error
    if model.num_labels != 1:
        raise EncoderError(
            f"{key}: {scorer.name} gives {model.num_labels} scores for a pair, one is wanted; "
            "declare a model that was trained to rank"
        )
    return PairScorer(model, key, batch_size)


def _load(key: str, scorer: CrossEncoderScorer, device: str, *, offline: bool) -> CrossEncoder:
    code: dict[str, Any] = {}
    if scorer.code_revision is not None:
        code["code_revision"] = scorer.code_revision
    with whole_weights(key, pooler=True):
        model: CrossEncoder = CrossEncoder(
            scorer.name,
            revision=scorer.revision,
            device=device,
            max_length=scorer.max_length,
            trust_remote_code=scorer.trust_remote_code,
            local_files_only=offline,
            model_kwargs={**dtype_arguments(scorer.dtype), **code},
            config_kwargs=code,
        )
    return model
