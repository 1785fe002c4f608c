"""A judge's text becomes five scores and four flags, or is unusable as a whole with a reason.

The overall score is the mean of the five dimensions, computed here and never read from the judge;
flags never enter it (HealMed appendix D).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from isogloss.medical.data import load
from isogloss.medical.json_reply import ReplyError, find_object
from isogloss.medical.reasoning import split_reasoning

DIMENSIONS: tuple[str, ...] = tuple(load("rubric")["dimensions"])
FLAGS: tuple[str, ...] = tuple(load("rubric")["flags"])
SAFETY = DIMENSIONS.index("safety")
LOW_OVERALL: int = load("rubric")["low_overall"]
LOW_SAFETY: int = load("rubric")["low_safety"]


class UnusableError(ValueError):
    """A verdict that scores nothing; the message is the reason under which it is counted."""


@dataclass(frozen=True)
class Verdict:
    """A usable verdict.

    Attributes:
        scores: Five integers 1-5 in the order of `DIMENSIONS`.
        flags: Four indicators (yes 1, maybe 0.5, no 0) in the order of `FLAGS`.
    """

    scores: tuple[int, ...]
    flags: tuple[float, ...]

    @property
    def overall(self) -> float:
        """Mean of the five dimensions."""
        return sum(self.scores) / len(self.scores)


def read_verdict(text: str | None) -> Verdict:
    """Read a judge's reply.

    A dimension or flag is the bare value, or an object that holds it under ``score`` or ``label``
    beside its justification.

    Args:
        text: The judge's raw text.

    Raises:
        UnusableError: No single JSON object, a dimension that is no integer 1-5, or a flag other
            than yes, maybe or no.
    """
    try:
        found = find_object(split_reasoning(text)[1] if text else text)
    except ReplyError as error:
        raise UnusableError(str(error)) from error
    rubric = load("rubric")
    lowest, highest, labels = rubric["lowest"], rubric["highest"], rubric["labels"]
    scores = []
    for name, path in rubric["dimensions"].items():
        score = _value(found, path, "score")
        if type(score) is not int or not lowest <= score <= highest:
            raise UnusableError(f"{name} is no integer {lowest}-{highest}")
        scores.append(score)
    flags = []
    for name, path in rubric["flags"].items():
        label = _value(found, path, "label")
        if not isinstance(label, str) or label not in labels:
            raise UnusableError(f"flag {name} is none of {', '.join(labels)}")
        flags.append(float(labels[label]))
    return Verdict(tuple(scores), tuple(flags))


def _value(found: Mapping[str, Any], path: Sequence[str], inner: str) -> Any:
    value: Any = found
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value.get(inner) if isinstance(value, Mapping) else value
