"""Which replies decline: the provider's word, or a classifier's on replies without a letter.

A refusal is an explicit decline without substance (HealMed section 5.1).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from isogloss.chat_settings import ChatModelSettings
from isogloss.llm.chat_requests import ChatRequest, chat_request
from isogloss.llm.outcomes import Outcome
from isogloss.llm.replies import Reply
from isogloss.medical.answering import letter_of
from isogloss.medical.items import Item
from isogloss.medical.prompts import refusal_prompt
from isogloss.medical.reasoning import split_reasoning
from isogloss.medical.records import AnswerRow, RefusalRow

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"refused": {"type": "boolean"}, "reason": {"type": "string"}},
    "required": ["refused", "reason"],
    "additionalProperties": False,
}
PROVIDER = {"refused": "provider", "filtered": "content filter"}


@dataclass(frozen=True)
class Case:
    """A reply whose classifier is asked, with the question and a name for it."""

    name: str
    question: str
    reply: str


def case_of(item: Item, row: AnswerRow) -> Case | None:
    """What the classifier is shown of one reply; None where the reply decides by itself."""
    final = split_reasoning(row.text or "")[1].strip()
    if row.ending in PROVIDER or not final or letter_of(item, row.text):
        return None
    return Case(f"{row.model}/{row.arm}/{row.language}/{row.id}", item.input, final)


def refusal_requests(cases: Sequence[Case], model: ChatModelSettings) -> list[ChatRequest]:
    """One request a case."""
    return [
        chat_request(
            model,
            refusal_prompt().messages({"question": case.question, "reply": case.reply}),
            replicate=f"refusals/{case.name}",
            schema=SCHEMA,
        )
        for case in cases
    ]


def verdict_of(reply: Reply) -> bool | None:
    """The classifier's verdict; None where its reply cannot be used."""
    if reply.outcome is not Outcome.ANSWERED or reply.value is None:
        return None
    return bool(reply.value["refused"])


def refusal_row(row: AnswerRow, verdict: bool | None, *, classified: bool) -> RefusalRow | None:
    """The record of one reply.

    Args:
        row: The reply, of a call that did not fail.
        verdict: The classifier's.
        classified: Whether the classifier was asked.

    Returns:
        None where the classifier gave no usable verdict: scoring counts it as unrecorded.
    """
    if classified and verdict is None:
        return None
    by = PROVIDER.get(row.ending or "", "classifier" if classified else "reply")
    refused = bool(verdict) if classified else row.ending in PROVIDER
    return RefusalRow(
        model=row.model, arm=row.arm, language=row.language, id=row.id, refused=refused, by=by
    )
