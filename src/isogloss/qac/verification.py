"""Ask a verifier for eight scores of each candidate, and read its verdicts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from isogloss.chat_settings import ChatModelSettings
from isogloss.llm.chat_requests import ChatRequest, chat_request
from isogloss.llm.outcomes import Outcome
from isogloss.llm.replies import Reply
from isogloss.qac.candidates import Candidate
from isogloss.qac.criteria import composite, scores_schema
from isogloss.qac.evidence import evidence_of
from isogloss.qac.prompts import read_prompt

UNASKED = "unasked"


@dataclass(frozen=True)
class Verdict:
    """What a verifier said of one candidate.

    Attributes:
        outcome: How its reply ended; "unasked" where there was no question to verify.
        reason: Why there are no scores; None where there are.
        scores: The eight scores by criterion, each 0 to 5; empty where there are none.
    """

    outcome: str
    reason: str | None
    scores: dict[str, int]

    @property
    def composite(self) -> int | None:
        """0 to 40, or None without scores."""
        return composite(self.scores) if self.scores else None


def to_verify(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates that hold a question."""
    return [one for one in candidates if one.generation == Outcome.ANSWERED.value]


def verification_requests(
    candidates: Iterable[Candidate], blocks: dict[str, str], model: ChatModelSettings
) -> list[ChatRequest]:
    """One request for each candidate with a question.

    Raises:
        SettingsError: A language has no prompt.
        DataError: A document is missing or has no evidence.
    """
    return [
        chat_request(
            model,
            read_prompt("verify", one.mode, one.language).messages(
                {
                    "passage": evidence_of(one.document, blocks),
                    "question": one.question,
                    "answer": one.answer,
                    "evidence": one.evidence,
                }
            ),
            replicate=f"verify/{one.id}/{one.candidate}",
            schema=scores_schema(one.mode),
        )
        for one in to_verify(candidates)
    ]


def read_verdicts(candidates: Sequence[Candidate], replies: Sequence[Reply]) -> list[Verdict]:
    """One verdict a candidate; replies come in the order of their requests."""
    asked = iter(replies)
    verdicts = []
    for one in candidates:
        if one.generation != Outcome.ANSWERED.value:
            verdicts.append(Verdict(UNASKED, None, {}))
            continue
        reply = next(asked)
        # A whole number may come as 4.0, which JSON schema takes for an integer.
        scores = {name: int(score) for name, score in (reply.value or {}).items()}
        verdicts.append(Verdict(reply.outcome.value, reply.reason, scores))
    return verdicts
