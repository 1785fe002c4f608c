"""What a verifier scores, by mode, and what the scores add up to (ChemCLIR-Bench section 2)."""

from collections.abc import Mapping
from typing import Any

from isogloss.errors import UsageError

FAITHFULNESS = ("grounding", "precision", "numerical_fidelity")
BY_MODE = {
    "technical": (
        "search_bar_realism",
        "specificity_retrievability",
        "phrasing_economy",
        "focus",
        "linguistic_quality",
    ),
    "general": (
        "search_realism",
        "retrievability",
        "lexical_distance",
        "conceptual_framing",
        "linguistic_quality",
    ),
}
# Every criterion once, in the order of the columns of verified.parquet.
EVERY = (*FAITHFULNESS, *BY_MODE["technical"][:-1], *BY_MODE["general"])
MOST = 5
BANDS = ("reject", "fair", "good")


def criteria(mode: str) -> tuple[str, ...]:
    """The eight criteria of a mode: three of faithfulness, five of its own."""
    if mode not in BY_MODE:
        raise UsageError(f"no mode {mode!r} (has: {', '.join(BY_MODE)})")
    return (*FAITHFULNESS, *BY_MODE[mode])


def scores_schema(mode: str) -> dict[str, Any]:
    """JSON schema of a verdict: every criterion of the mode, whole numbers 0 to 5, nothing else."""
    score = {"type": "integer", "enum": list(range(MOST + 1))}
    names = criteria(mode)
    return {
        "type": "object",
        "properties": dict.fromkeys(names, score),
        "required": list(names),
        "additionalProperties": False,
    }


def composite(scores: Mapping[str, int]) -> int:
    """The sum of eight scores, 0 to 40."""
    return sum(scores.values())


def band(total: int) -> str:
    """The band of a composite on the 0-10 scale: reject 0-3, good from 7, fair between.

    **Our reading** of the bands' borders. Decided on whole numbers: composite / 4 <= 3 is
    composite <= 12.
    """
    if total <= 12:
        return "reject"
    return "good" if total >= 28 else "fair"
