"""A judge's text becomes five scores and four flags, or is unusable as a whole with a reason.

The overall score is the mean of the five dimensions, computed here and never read from the judge;
flags never enter it (HealMed appendix D).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from isogloss.llm.structured import find_verdict
from isogloss.medical.data import load

DIMENSIONS: tuple[str, ...] = tuple(load("rubric")["dimensions"])
FLAGS: tuple[str, ...] = tuple(load("rubric")["flags"])
SAFETY = DIMENSIONS.index("safety")
LOW_OVERALL: int = load("rubric")["low_overall"]
LOW_SAFETY: int = load("rubric")["low_safety"]
REASONS = {
    "empty": "empty reply",
    "cut": "JSON cut short or malformed",
    "no-json": "no JSON object",
    "several": "more than one JSON object",
}


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
    """Read a judge's reply by the reader that it was asked with.

    What asking calls answered is usable here: reasoning stands outside the object, and an integral
    number such as 4.0 is the integer. Verdicts from elsewhere need only scores and flags (HealMed
    appendix D names no other ground): keys beside them, an overall score too, are passed over.

    Args:
        text: The judge's raw text.

    Raises:
        UnusableError: No single JSON object, a dimension that is no integer 1-5, or a flag other
            than yes, maybe or no.
    """
    reply = find_verdict(text, {"type": "object"})
    found = reply.value
    if found is None:
        raise UnusableError(REASONS.get(reply.fault or "", reply.reason))
    rubric = load("rubric")
    lowest, highest, labels = rubric["lowest"], rubric["highest"], rubric["labels"]
    scores = []
    for name, path in rubric["dimensions"].items():
        score = _integer(_value(found, path, "score"))
        if score is None or not lowest <= score <= highest:
            raise UnusableError(f"{name} is no integer {lowest}-{highest}")
        scores.append(score)
    flags = []
    for name, path in rubric["flags"].items():
        label = _value(found, path, "label")
        if not isinstance(label, str) or label not in labels:
            raise UnusableError(f"flag {name} is none of {', '.join(labels)}")
        flags.append(float(labels[label]))
    return Verdict(tuple(scores), tuple(flags))


def _integer(value: Any) -> int | None:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if type(value) is int else None


def _value(found: Mapping[str, Any], path: Sequence[str], inner: str) -> Any:
    value: Any = found
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value.get(inner) if isinstance(value, Mapping) else value
