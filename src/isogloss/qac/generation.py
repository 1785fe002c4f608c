"""Ask a generator for candidates, and read what it replied (ChemCLIR-Bench section 2)."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from isogloss.chat_settings import ChatModelSettings
from isogloss.llm.chat_requests import ChatRequest, chat_request
from isogloss.llm.outcomes import Outcome
from isogloss.llm.replies import Reply
from isogloss.qac.candidates import CANDIDATES, Candidate
from isogloss.qac.evidence import evidence_of
from isogloss.qac.plan import PlannedQuery
from isogloss.qac.prompts import read_prompt

PARTS = ("question", "answer", "evidence")
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in PARTS},
    "required": list(PARTS),
    "additionalProperties": False,
}


def generation_requests(
    plan: Iterable[PlannedQuery], blocks: dict[str, str], model: ChatModelSettings
) -> list[ChatRequest]:
    """One request for each candidate: three a planned query, each with a reply of its own.

    A candidate that is refused or malformed so costs one candidate and not the query.

    Raises:
        SettingsError: A language has no prompt.
        DataError: A document is missing or has no evidence.
    """
    return [
        chat_request(
            model,
            read_prompt("generate", query.mode, query.language).messages(
                {"passage": evidence_of(query.document, blocks)},
                number=str(index + 1),
                total=str(CANDIDATES),
            ),
            replicate=f"generate/{query.id}/{index}",
            schema=SCHEMA,
        )
        for query in plan
        for index in range(CANDIDATES)
    ]


def read_generation(
    plan: Sequence[PlannedQuery], replies: Sequence[Reply], model: ChatModelSettings
) -> list[Candidate]:
    """Replies, in the order of their requests, as candidates."""
    slots = [(query, index) for query in plan for index in range(CANDIDATES)]
    return [
        _candidate(query, index, reply, model.name)
        for (query, index), reply in zip(slots, replies, strict=True)
    ]


def _candidate(query: PlannedQuery, index: int, reply: Reply, generator: str) -> Candidate:
    # A question is one line wherever it goes: white space is folded.
    parts = {name: " ".join(str((reply.value or {}).get(name, "")).split()) for name in PARTS}
    outcome, reason = reply.outcome, reply.reason
    blank = [name for name in PARTS if not parts[name]]
    if outcome is Outcome.ANSWERED and blank:
        outcome, reason = Outcome.MALFORMED, f"invalid: {blank[0]} is blank"
    if outcome is not Outcome.ANSWERED:
        parts = dict.fromkeys(PARTS, "")
    return Candidate(
        **asdict(query),
        candidate=index,
        generator=generator,
        generation=outcome.value,
        generation_reason=reason,
        **parts,
    )
