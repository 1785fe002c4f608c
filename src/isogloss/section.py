"""What every part of the settings is: frozen, strict, without unknown keys."""

import re
from pathlib import PurePath
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from isogloss.errors import UsageError
from isogloss.foreign_text import shown

# Names of files are made of keys, two of them at times, and hold 255 bytes.
LONGEST_KEY = 100
KEY_PATTERN = rf"^[a-z0-9][a-z0-9-]{{0,{LONGEST_KEY - 1}}}$"
KEY_RULE = f"only a-z, 0-9 and hyphens, {LONGEST_KEY} of them at most"
Key = Annotated[str, Field(pattern=KEY_PATTERN)]


def is_key(text: str) -> bool:
    """Whether a text is a key; a line end after one makes it none."""
    return re.fullmatch(KEY_PATTERN, text) is not None


def checked_key(text: str) -> str:
    """The text, where it is a key; as part of a path anything else could lead out of the project.

    Raises:
        UsageError: It is none.
    """
    if not is_key(text):
        raise UsageError(f"'{shown(text)}': a key holds {KEY_RULE}")
    return text


def is_below(path: str) -> bool:
    """Whether a path of params.yaml stays below the project's folder."""
    pure = PurePath(path)
    return bool(path.strip()) and not pure.is_absolute() and ".." not in pure.parts


class Section(BaseModel):
    """A part of params.yaml: frozen, strict, no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
