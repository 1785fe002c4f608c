"""All replies of an evaluation as arrays over arm, model, language and item."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

ABSENT, FAILED, UNANSWERED, REFUSED, ANSWERED = -1, 0, 1, 2, 3
"""What became of a question: never asked, the call failed, no usable reply, declined, replied."""
OUTCOMES = {"answered": ANSWERED, "unanswered": UNANSWERED, "refused": REFUSED, "failed": FAILED}
NO_TRACE, UNKNOWN_LANGUAGE = -1, -2

Place = tuple[int, int, int, int]
"""Arm, model, language, item."""


@dataclass(frozen=True)
class Sheet:
    """Replies and what was made of them; every array starts (arms, models, languages, items).

    Attributes:
        arms: Those that have replies, `mt` before `reviewed`.
        models: In the panel's order, others after it by name.
        languages: Those of the items, in the panel's order.
        items: Ids, dataset by dataset in the panel's order.
        datasets: Slugs in the panel's order.
        item_dataset: int (items,) index into `datasets`.
        open_ended: bool (items,), whether an item has a free text for an answer.
        exists: bool (arms, languages, items), whether the arm's items hold that version.
        status: int8, one of the outcomes above.
        correct: bool, the extracted letter is the target; False for open-ended items.
        declined: int8, 1 a recorded refusal, 0 a recorded "no refusal", -1 no record.
        trace: int8, index of the trace's language, `NO_TRACE`, or `UNKNOWN_LANGUAGE`.
        scores: int8 (..., 5) the judge's dimensions, 0 where there is no usable verdict.
        flags: float32 (..., 4) the judge's flags.
        judged: bool, a verdict was given, usable or not.
        unusable: Counts of unusable verdicts by (arm, model, language, dataset) and reason.
    """

    arms: list[str]
    models: list[str]
    languages: list[str]
    items: list[str]
    datasets: list[str]
    item_dataset: npt.NDArray[np.int64]
    open_ended: npt.NDArray[np.bool_]
    exists: npt.NDArray[np.bool_]
    status: npt.NDArray[np.int8]
    correct: npt.NDArray[np.bool_]
    declined: npt.NDArray[np.int8]
    trace: npt.NDArray[np.int8]
    scores: npt.NDArray[np.int8]
    flags: npt.NDArray[np.float32]
    judged: npt.NDArray[np.bool_]
    unusable: dict[tuple[int, int, int, int], Counter[str]]

    @property
    def replied(self) -> npt.NDArray[np.bool_]:
        """Where a call gave a reply: failed calls and questions never asked are left out."""
        return self.status > FAILED

    @property
    def scored(self) -> npt.NDArray[np.bool_]:
        """Where an open-ended reply has a usable verdict."""
        return self.scores[..., 0] > 0

    @property
    def overall(self) -> npt.NDArray[np.float64]:
        """Mean of the five dimensions; 0 where there is no usable verdict."""
        means: npt.NDArray[np.float64] = self.scores.mean(axis=-1, dtype=np.float64)
        return means

    def datasets_of(self, *, open_ended: bool) -> list[int]:
        """Indexes of the datasets of one kind of item."""
        return sorted({int(d) for d in self.item_dataset[self.open_ended == open_ended]})
