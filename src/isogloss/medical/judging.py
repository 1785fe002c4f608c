"""Ask a judge about open-ended answers by the rubric (HealMed section 2.4, appendix D)."""

from collections.abc import Sequence
from typing import Any

from isogloss.chat_settings import ChatModelSettings
from isogloss.llm.chat_requests import ChatRequest, chat_request
from isogloss.llm.replies import Reply
from isogloss.medical.data import load
from isogloss.medical.items import Item
from isogloss.medical.prompts import judge_prompt
from isogloss.medical.reasoning import split_reasoning
from isogloss.medical.records import AnswerRow, VerdictRow

NAMES = {
    "en": "English", "de": "German", "es": "Spanish", "pt": "Portuguese", "ja": "Japanese",
    "zh": "Chinese", "th": "Thai", "sw": "Swahili", "zu": "isiZulu",
}  # fmt: skip


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def judge_schema() -> dict[str, Any]:
    """The JSON schema of a verdict, built from the rubric: five scores, four labels, reasons."""
    rubric = load("rubric")
    scores = list(range(rubric["lowest"], rubric["highest"] + 1))
    kinds = (
        (rubric["dimensions"], "score", {"type": "integer", "enum": scores}),
        (rubric["flags"], "label", {"type": "string", "enum": list(rubric["labels"])}),
    )
    groups: dict[str, dict[str, Any]] = {}
    for paths, name, value in kinds:
        for group, key in paths.values():
            part = _object({name: value, "justification": {"type": "string"}})
            groups.setdefault(group, {})[key] = part
    return _object({group: _object(parts) for group, parts in groups.items()})


def is_judged(item: Item, row: AnswerRow) -> bool:
    """Whether there is something to judge: an open-ended answer with text.

    Replies that decline in words are judged too (our reading); they score what they are worth.
    """
    final = split_reasoning(row.text or "")[1]
    return not item.options and row.outcome == "answered" and bool(final.strip())


def judge_requests(
    items: Sequence[Item], rows: Sequence[AnswerRow], model: ChatModelSettings
) -> list[ChatRequest]:
    """One request a reply; the reasoning trace is not shown to the judge.

    Args:
        items: What was asked: in the arm ``mt`` the machine-translated question and reference (our
            reading).
        rows: The replies, each one `is_judged`.
        model: The judge.
    """
    schema = judge_schema()
    return [
        chat_request(
            model,
            judge_prompt().messages(
                {
                    "question": item.input,
                    "reference": item.target,
                    "answer": split_reasoning(row.text or "")[1].strip(),
                },
                language=NAMES[item.language],
            ),
            replicate=f"judge/{row.model}/{row.arm}/{row.language}/{row.id}",
            schema=schema,
        )
        for item, row in zip(items, rows, strict=True)
    ]


def verdict_rows(rows: Sequence[AnswerRow], replies: Sequence[Reply]) -> list[VerdictRow]:
    """The judge's raw texts; null where it gave none. What they are worth, scoring decides."""
    return [
        VerdictRow(
            model=row.model,
            arm=row.arm,
            language=row.language,
            id=row.id,
            verdict=reply.text or None,
        )
        for row, reply in zip(rows, replies, strict=True)
    ]
