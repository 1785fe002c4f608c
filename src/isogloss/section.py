"""What every part of the settings is: frozen, strict, without unknown keys."""

import re
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

KEY_PATTERN = r"^[a-z0-9][a-z0-9-]*$"
Key = Annotated[str, Field(pattern=KEY_PATTERN)]


def is_key(text: str) -> bool:
    """Whether a text is a key; a line end after one makes it none."""
    return re.fullmatch(KEY_PATTERN, text) is not None


class Section(BaseModel):
    """A part of params.yaml: frozen, strict, no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
