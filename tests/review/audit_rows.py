"""Audit tables for tests."""

from typing import Any

from isogloss.review.criteria import query_criteria
from isogloss.review.query_audit import SCORE_KEYS


def query_row(query: str, mode: str = "technical", score: int = 4, **other: Any) -> dict[str, Any]:
    keys = query_criteria(mode)
    return {
        "query": query, "language": "de", "mode": mode, "text": f"Frage {query}?",
        "evidence": f"Beleg {query}", "answer": "=42", **{
            key: (score if key in keys else None) for key in SCORE_KEYS
        }, **other,
    }  # fmt: skip
