"""Models of the Hugging Face hub, loaded as declared: revision, pooling, dtype, length, trust."""

from pathlib import Path
from typing import Any

from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Pooling

from isogloss.errors import EncoderError
from isogloss.files import one_line
from isogloss.retrieval.declaration import DType, HubModel, unpinned
from isogloss.retrieval.declaration import Pooling as PoolingMode
from isogloss.retrieval.device import chosen_device, without
from isogloss.retrieval.whole_weights import whole_weights

PROBE_SECONDS = 10.0


def load_hub(declaration: HubModel, device: str | None = None) -> SentenceTransformer:
    """Load a hub model from the cache, else from the hub, else say what to do.

    Raises:
        UsageError: The device's name is none.
        EncoderError: No revision is pinned, the device is not here, the hub is out of reach, or the
            model fails to load.
    """
    key, name = declaration.key, declaration.name
    fault = unpinned(declaration)
    if fault is not None or declaration.revision is None:
        raise EncoderError(str(fault))
    device = chosen_device(device)
    local = Path(name).is_dir()
    try:
        try:
            model = _load(declaration, device, offline=True)
        except OSError:
            if local:
                raise
            # Not in the cache, or an interrupted download left only a part of it there.
            probe(key, name, declaration.revision)
            model = _load(declaration, device, offline=False)
    except EncoderError:
        raise
    except Exception as error:  # A repository's own code may raise anything.
        raise EncoderError(
            f"{key}: {name} at {declaration.revision[:12]} cannot be loaded on {device} "
            f"({one_line(error)[:300]}){without(device)}"
        ) from error
    fit(model, declaration.pooling, declaration.max_length)
    return model


def dtype_arguments(dtype: DType) -> dict[str, Any]:
    """Arguments that make transformers load weights in the declared dtype, whatever is stored."""
    import torch
    from transformers.utils.logging import disable_progress_bar

    # Our own progress is shown; a bar for each loading of weights would break its lines.
    disable_progress_bar()  # type: ignore[no-untyped-call]
    return {"dtype": getattr(torch, dtype)}


def fit(model: SentenceTransformer, pooling: PoolingMode | None, max_length: int | None) -> None:
    """Make pooling and length those declared; a model without its own pooling gets a default one.

    Pooling and length of a repository are whatever its files say, or a guess where they say
    nothing; the declaration is what the release hash covers, so it decides.
    """
    if max_length is not None:
        model.max_seq_length = max_length
    if pooling is None:
        return
    for module in model:
        if isinstance(module, Pooling):
            module.pooling_mode = pooling


def _load(declaration: HubModel, device: str, *, offline: bool) -> SentenceTransformer:
    code: dict[str, Any] = {}
    if declaration.code_revision is not None:
        code["code_revision"] = declaration.code_revision
    with whole_weights(declaration.key):
        return SentenceTransformer(
            declaration.name,
            revision=declaration.revision,
            device=device,
            trust_remote_code=declaration.trust_remote_code,
            local_files_only=offline,
            model_kwargs={**dtype_arguments(declaration.dtype), **code},
            config_kwargs=code,
        )


def probe(key: str, name: str, revision: str) -> None:
    """Ask the hub once, because loading would retry for over a minute before it gives up."""
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

    try:
        HfApi().model_info(name, revision=revision, timeout=PROBE_SECONDS)
    except HfHubHTTPError as error:
        raise EncoderError(
            f"{key}: the hub refuses {name} at {revision}: "
            f"{one_line(error)[:200]}; check name and revision, accept its terms, set HF_TOKEN"
        ) from error
    except Exception as error:
        raise EncoderError(
            f"{key}: {name} is not in the cache and the model hub "
            "cannot be reached; connect, set HF_HOME to a filled cache, or use a packaged model "
            "such as use-multilingual-v3"
        ) from error
