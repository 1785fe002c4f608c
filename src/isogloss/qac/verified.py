"""Verified candidates: scores, local checks and fate of each, as rows of verified.parquet."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import pyarrow as pa

from isogloss.qac.candidates import CANDIDATE_FIELDS, Candidate
from isogloss.qac.checks import Checks
from isogloss.qac.criteria import EVERY, band
from isogloss.qac.selection import KEPT, fates
from isogloss.qac.verification import Verdict

VERIFIED = pa.schema(
    [
        *CANDIDATE_FIELDS,
        pa.field("verifier", pa.string(), nullable=False),
        pa.field("verification", pa.string(), nullable=False),
        pa.field("verification_reason", pa.string(), nullable=True),
        # Null where there is no verdict, and for the criteria of the other mode.
        *(pa.field(name, pa.int32(), nullable=True) for name in EVERY),
        pa.field("composite", pa.int32(), nullable=True),
        pa.field("band", pa.string(), nullable=True),
        # Null where there is no question to check.
        pa.field("evidence_occurs", pa.bool_(), nullable=True),
        pa.field("missing_quantities", pa.list_(pa.string()), nullable=True),
        pa.field("question_language", pa.string(), nullable=True),
        pa.field("in_planned_language", pa.bool_(), nullable=True),
        pa.field("lexical_overlap", pa.float64(), nullable=True),
        pa.field("fate", pa.string(), nullable=False),
    ]
)


def verified_table(
    candidates: Sequence[Candidate],
    verdicts: Sequence[Verdict],
    checks: Sequence[Checks | None],
    verifier: str,
) -> pa.Table:
    """Everything known of every candidate, the rejected ones with their reason.

    Args:
        candidates: Sorted by query and index, as candidates.parquet holds them.
        verdicts: One a candidate.
        checks: One a candidate; None where it holds no question.
        verifier: The model that was asked.
    """
    rows = [
        {**asdict(one), **_verdict(verdict), **_checks(one, checked), "fate": fate}
        for one, verdict, checked, fate in zip(
            candidates, verdicts, checks, fates(candidates, verdicts), strict=True
        )
    ]
    return pa.Table.from_pylist([{**row, "verifier": verifier} for row in rows], schema=VERIFIED)


def audit_rows(verified: pa.Table, blocks: Mapping[str, str]) -> list[dict[str, Any]]:
    """The kept candidates as people audit them: with the passage that they were made from.

    Args:
        verified: A table of the schema `VERIFIED`.
        blocks: Evidence block by document id.
    """
    return [
        {
            "query": row["id"],
            "language": row["language"],
            "mode": row["mode"],
            "text": row["question"],
            "evidence": blocks[row["document"]],
            "answer": row["answer"],
            **{name: row[name] for name in EVERY},
        }
        for row in verified.to_pylist()
        if row["fate"] == KEPT
    ]


def _verdict(verdict: Verdict) -> dict[str, Any]:
    total = verdict.composite
    return {
        "verification": verdict.outcome,
        "verification_reason": verdict.reason,
        **verdict.scores,
        "composite": total,
        "band": None if total is None else band(total),
    }


def _checks(candidate: Candidate, checks: Checks | None) -> dict[str, Any]:
    if checks is None:
        return {}
    found = checks.question_language
    same = None if found is None else found == candidate.language
    return {**asdict(checks), "in_planned_language": same}
