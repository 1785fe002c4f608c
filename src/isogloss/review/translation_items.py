"""What is reviewed, and what reviewers say about it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

OPEN_TASK = "QA"
DIMENSIONS = ("accuracy", "fluency", "completeness")
# At this score or under it a text calls for a correction.
LOW_SCORE = 3
Labels = Callable[[str], Mapping[str, str]]
"""Reads the options of an input, label to text; raises ValueError where they break the format."""


@dataclass(frozen=True)
class TranslatedItem:
    """A source item and its machine translation, both untouched.

    Attributes:
        id: The same in every language.
        task: MCQA, NLI or QA.
        dataset: Slug of its source.
        source_input: What is asked, in English.
        source_target: A label, or the English reference answer.
        machine_input: The machine translation of the input.
        machine_target: The label, or the machine translation of the reference answer.
    """

    id: str
    task: str
    dataset: str
    source_input: str
    source_target: str
    machine_input: str
    machine_target: str

    @property
    def is_open(self) -> bool:
        """Whether the target is a text that is translated and reviewed too."""
        return self.task == OPEN_TASK


@dataclass(frozen=True)
class Review:
    """One reviewer's scores of the machine translation, and the text they let stand.

    Attributes:
        reviewer: Id of the person.
        scores: 1-5 by dimension.
        input: The text as it shall be; byte for byte the earlier one where it was kept.
        target: Likewise.
        comment: Free text.
        place: File, sheet and row, for messages.
    """

    reviewer: str
    scores: Mapping[str, int]
    input: str
    target: str
    comment: str
    place: str

    def keeps(self, item: TranslatedItem) -> bool:
        """Whether the text is the machine translation unchanged."""
        return (self.input, self.target) == (item.machine_input, item.machine_target)
