"""What every part of the settings is: frozen, strict, without unknown keys."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

KEY_PATTERN = r"^[a-z0-9][a-z0-9-]*$"
Key = Annotated[str, Field(pattern=KEY_PATTERN)]


class Section(BaseModel):
    """A part of params.yaml: frozen, strict, no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
