"""What every declaration of a retriever holds: its key, and the hash that is its release."""

import hashlib
from typing import Annotated, Literal

from pydantic import Field

from isogloss.files import json_bytes
from isogloss.settings import Key, Section

Side = Literal["query", "document"]
DType = Literal["float32", "float16", "bfloat16"]
CommitHash = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]

RELEASE_DIGITS = 16
_NOT_IN_RELEASE = {"key", "parameters_millions", "licence", "note"}


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
