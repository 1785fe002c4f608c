"""What `ask` gives back for one request."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from isogloss.llm.outcomes import Outcome


@dataclass(frozen=True)
class Reply:
    """The end of one request.

    Attributes:
        key: Of the request asked for, also where its repair was used.
        replicate: The request's label.
        outcome: What the last attempt came to.
        text: The model's text.
        value: The validated object, where a schema was asked for and kept.
        reason: Why there is no usable answer; None for an answer.
        attempt: 1, or 2 where the reply answers the repair.
        replayed: Nothing was sent for it in this run.
        response: The server's body; empty for a failed request.
    """

    key: str
    replicate: str
    outcome: Outcome
    text: str = ""
    value: dict[str, Any] | None = None
    reason: str | None = None
    attempt: int = 1
    replayed: bool = False
    response: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def reasoning(self) -> str | None:
        """The reasoning trace that a server sends beside the text, under either of its names."""
        choices = self.response.get("choices") or [{}]
        message = choices[0].get("message") or {}
        for name in ("reasoning_content", "reasoning"):
            if isinstance(message.get(name), str) and message[name].strip():
                return str(message[name])
        return None


def tally(replies: Iterable[Reply]) -> dict[str, int]:
    """How many replies ended how; every outcome has its count, and the counts add up."""
    counts = Counter(reply.outcome for reply in replies)
    return {outcome.value: counts[outcome] for outcome in Outcome}
