"""The medical evaluation of params.yaml: which items, languages, versions and models."""

from typing import Literal

from pydantic import Field, field_validator, model_validator

from isogloss.languages import normalise_language
from isogloss.section import Key, Section, is_below

Arm = Literal["mt", "reviewed"]


class MedicalSettings(Section):
    """What is translated, reviewed, asked and scored; empty lists make no stage."""

    # English source items in the six-field format.
    items: str = "data/medical/items.jsonl"
    # Returned sheets of both reviewers, every language in one folder.
    reviews: str = "data/medical/reviews"
    # Languages that the items are translated into; English is asked in any case.
    languages: list[str] = Field(default_factory=list)
    arms: list[Arm] = Field(default=["mt", "reviewed"])
    # Keys of the panel, of its floors, or of chat.answerers.
    models: list[Key] = Field(default_factory=list)
    # The arm whose figures lead; a list, for DVC makes no stage of an empty one.
    headline: list[Arm] = Field(default_factory=list, max_length=1)
    # What a reader must know of these items; it stands below every table and figure.
    note: str | None = Field(default=None, max_length=500)

    @field_validator("note")
    @classmethod
    def _empty_is_none(cls, note: str | None) -> str | None:
        return note if note and note.strip() else None

    @model_validator(mode="after")
    def _fits_together(self) -> "MedicalSettings":
        for name in ("languages", "arms", "models"):
            values = getattr(self, name)
            if len(set(values)) != len(values):
                raise ValueError(f"{name}: one is named twice")
        for code in self.languages:
            if normalise_language(code) != code or code == "en":
                raise ValueError(f"languages: {code!r} is no language to translate English into")
        for name in ("items", "reviews"):
            if not is_below(getattr(self, name)):
                raise ValueError(f"{name}: must lie below the project's folder")
        return self
