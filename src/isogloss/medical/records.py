"""The rows of answers, refusals, verdicts and expert scores, joined to items by id."""

from collections.abc import Container
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from isogloss.errors import DataError
from isogloss.languages import normalise_language
from isogloss.medical.panel import ARMS

Arm = Literal["mt", "reviewed"]
Five = Annotated[
    list[Annotated[int, msgspec.Meta(ge=1, le=5)]], msgspec.Meta(min_length=5, max_length=5)
]


class Keyed(msgspec.Struct, frozen=True, kw_only=True):
    """A row about one reply."""

    model: str
    arm: Arm
    language: str
    id: str


class AnswerRow(Keyed, frozen=True, kw_only=True):
    """A reply; `reasoning` is a trace that the endpoint returned apart from the text.

    `ending` is the outcome of the call where it was made here (answered, refused, filtered, empty,
    cut, failed), `reason` why there is no answer. Only a failed row may do without a text.
    """

    outcome: Literal["answered", "failed"]
    text: str | None = None
    reasoning: str | None = None
    ending: str | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        """Refuse what can be neither scored nor counted as a failed call."""
        if self.outcome == "answered" and self.text is None:
            raise ValueError("no text though outcome is answered; write failed, or the text")


class RefusalRow(Keyed, frozen=True, kw_only=True):
    """Whether a reply declines: the provider's refusal or the classifier's verdict."""

    refused: bool
    # Who says so where it was told here: provider, content filter, classifier, or the reply itself.
    by: str | None = None


class VerdictRow(Keyed, frozen=True, kw_only=True):
    """The judge's raw text on one reply; null where the call gave none."""

    verdict: str | None


def written(row: Keyed) -> dict[str, Any]:
    """A row as it is written: fields that hold nothing are left out."""
    fields = msgspec.structs.asdict(row)
    return {name: value for name, value in fields.items() if value is not None}


class ExpertRow(msgspec.Struct, frozen=True):
    """One expert's five scores beside the judge's, in the order of the rubric."""

    language: str
    dataset: str
    id: str
    model: str
    expert: Five
    judge: Five


class Joiner:
    """Finds the place of a row by its id; refuses unknown and repeated ones by name.

    Args:
        path: The file the rows come from; set anew for each further file.
        models: Models by name; new ones are added.
        languages: Language indexes by code.
        items: Item indexes by (language, id).
        known: Places that must exist for a row to be taken; None for the answers themselves.
    """

    def __init__(
        self,
        path: Path,
        models: dict[str, int],
        languages: dict[str, int],
        items: dict[tuple[str, str], int],
        known: Container[tuple[int, int, int, int]] | None = None,
    ) -> None:
        self.path, self.models, self.languages, self.items = path, models, languages, items
        self.known = known
        self.places: dict[tuple[int, int, int, int], tuple[Path, int]] = {}

    def place(self, line: int, row: Keyed) -> tuple[int, int, int, int]:
        """The row's arm, model, language and item.

        Raises:
            DataError: No such item in that language, the same place twice, or (for rows about
                answers) no answer there. File, line and id are named.
        """
        if not row.model.strip():
            raise DataError(f"{self.path}, line {line}, id {row.id!r}: the model has no name")
        language = row.language
        if language not in self.languages:
            language = normalise_language(language) or language
        item = self.items.get((language, row.id))
        if item is None:
            raise DataError(
                f"{self.path}, line {line}, id {row.id!r}: the items hold no such id in "
                f"{row.language!r}; score with the items that were asked"
            )
        if self.known is None:
            model = self.models.setdefault(row.model, len(self.models))
        else:
            model = self.models.get(row.model, -1)
        place = (ARMS.index(row.arm), model, self.languages[language], item)
        where = f"{self.path}, line {line}, id {row.id!r} ({row.model}, {row.arm}, {row.language})"
        if place in self.places:
            first, before = self.places[place]
            there = f"on line {before}" if first == self.path else f"in {first}, line {before}"
            raise DataError(f"{where}: already {there}; keep one")
        if self.known is not None and place not in self.known:
            raise DataError(f"{where}: there is no such answer")
        self.places[place] = self.path, line
        return place
