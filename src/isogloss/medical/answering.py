"""Ask a model the items of one arm, and write its replies as rows (HealMed section 2.3)."""

from collections import Counter
from collections.abc import Iterable, Sequence

from isogloss.chat_settings import ChatModelSettings
from isogloss.llm.chat_requests import ChatRequest, chat_request
from isogloss.llm.outcomes import Outcome
from isogloss.llm.replies import Reply
from isogloss.medical.extraction import Question, extract_letter
from isogloss.medical.items import Item
from isogloss.medical.prompts import answer_prompt
from isogloss.medical.reasoning import split_reasoning
from isogloss.medical.records import AnswerRow, Arm
from isogloss.medical.trace_language import trace_language

LEAST_TOLD = 20
"""Characters of a reply from which its language is told; a word or two decide nothing."""


def answer_requests(items: Iterable[Item], model: ChatModelSettings, arm: Arm) -> list[ChatRequest]:
    """One request an item, zero-shot, in the item's language.

    The arm is part of the replicate label: English, and a text that review left unchanged, are
    asked in both arms and get two answers.

    Raises:
        SettingsError: A language has no prompt.
    """
    return [
        chat_request(
            model,
            answer_prompt(item.task, item.language).messages({"input": item.input}),
            replicate=f"answer/{arm}/{item.language}/{item.id}",
        )
        for item in items
    ]


def answer_rows(
    items: Sequence[Item], replies: Sequence[Reply], model: str, arm: Arm
) -> list[AnswerRow]:
    """Replies, in the order of their requests, as rows.

    Only an answer keeps its text: what was cut, or sent beside a refusal, is in the recordings and
    gives no letter. A reasoning trace is kept wherever there is one.

    Args:
        items: What was asked.
        replies: One an item.
        model: The answerer's key.
        arm: Of the items.
    """
    return [_row(item, reply, model, arm) for item, reply in zip(items, replies, strict=True)]


def _row(item: Item, reply: Reply, model: str, arm: Arm) -> AnswerRow:
    failed = reply.outcome is Outcome.FAILED
    trace = reply.reasoning
    if trace is None and reply.outcome is Outcome.CUT:
        trace = split_reasoning(reply.text)[0]
    return AnswerRow(
        model=model,
        arm=arm,
        language=item.language,
        id=item.id,
        outcome="failed" if failed else "answered",
        text=reply.text if reply.outcome is Outcome.ANSWERED else "",
        reasoning=trace,
        ending=reply.outcome.value,
        reason=reply.reason,
    )


def letter_of(item: Item, text: str | None) -> str | None:
    """The label a reply commits to, as scoring finds it; None for an open-ended item."""
    if not item.options:
        return None
    stem = item.input.rpartition("\nOptions:")[0]
    final = split_reasoning(text or "")[1]
    return extract_letter(final, Question(item.options, item.language, stem))


def reply_counts(items: Sequence[Item], rows: Sequence[AnswerRow]) -> dict[str, int]:
    """What became of the questions before refusals are told.

    Returns:
        ``asked`` = ``answered`` + ``unanswered`` + ``declined by the provider`` + ``failed``.
    """
    counts = Counter({"answered": 0, "unanswered": 0, "declined by the provider": 0, "failed": 0})
    for item, row in zip(items, rows, strict=True):
        if row.outcome == "failed":
            counts["failed"] += 1
        elif row.ending in ("refused", "filtered"):
            counts["declined by the provider"] += 1
        else:
            text = split_reasoning(row.text or "")[1]
            given = letter_of(item, row.text) if item.options else text.strip()
            counts["answered" if given else "unanswered"] += 1
    return {"asked": len(rows), **counts}


def other_language(items: Sequence[Item], rows: Sequence[AnswerRow]) -> dict[str, str]:
    """Open-ended replies in another language than they were asked in: language by place.

    Told by script and everyday words, so a short reply is not told; nothing is scored by it, the
    judge has a flag of its own.
    """
    found = {}
    for item, row in zip(items, rows, strict=True):
        text = split_reasoning(row.text or "")[1]
        if item.options or len(text) < LEAST_TOLD:
            continue
        spoken = trace_language(text)
        if spoken not in (None, item.language):
            found[f"{item.language}/{item.id}"] = str(spoken)
    return found
