"""Keep the best candidate of each planned query, and say of every other why it was not kept."""

from collections import defaultdict
from collections.abc import Sequence

from isogloss.llm.outcomes import Outcome
from isogloss.qac.candidates import Candidate
from isogloss.qac.criteria import band
from isogloss.qac.verification import UNASKED, Verdict

KEPT = "kept"
NOT_BEST = "not_best"
REJECTED = "band_reject"
_UNANSWERED = [one.value for one in Outcome if one is not Outcome.ANSWERED]
# Why a planned query has no query, from the step that was reached last to the first.
REASONS = (
    REJECTED,
    *(f"verification_{name}" for name in _UNANSWERED),
    *(f"generation_{name}" for name in _UNANSWERED),
)


def fates(candidates: Sequence[Candidate], verdicts: Sequence[Verdict]) -> list[str]:
    """What becomes of each candidate (ChemCLIR-Bench section 2).

    The best of a planned query is the one with the highest composite, ties by the lower index. It
    is kept unless its band is reject; then all are below that border.

    Returns:
        One fate a candidate: "kept", "not_best", or one of `REASONS`.
    """
    best: dict[str, tuple[int, int]] = {}
    for one, verdict in zip(candidates, verdicts, strict=True):
        if verdict.composite is not None:
            rank = (-verdict.composite, one.candidate)
            best[one.id] = min(best.get(one.id, rank), rank)
    return [
        _fate(one, verdict, best.get(one.id))
        for one, verdict in zip(candidates, verdicts, strict=True)
    ]


def _fate(one: Candidate, verdict: Verdict, best: tuple[int, int] | None) -> str:
    if verdict.outcome == UNASKED:
        return f"generation_{one.generation}"
    if verdict.composite is None:
        return f"verification_{verdict.outcome}"
    if band(verdict.composite) == "reject":
        return REJECTED
    return KEPT if best == (-verdict.composite, one.candidate) else NOT_BEST


def reasons(candidates: Sequence[Candidate], decided: Sequence[str]) -> dict[str, str]:
    """Of each planned query "kept", or why it has none.

    The reason is that of the candidate that came furthest, ties by the lower index.
    """
    met: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for one, fate in zip(candidates, decided, strict=True):
        if fate != NOT_BEST:
            met[one.id].append((one.candidate, fate))
    return {name: _furthest([fate for _, fate in sorted(found)]) for name, found in met.items()}


def _furthest(found: list[str]) -> str:
    steps = (KEPT, REJECTED, "verification_", "generation_")
    return next(fate for step in steps for fate in found if fate.startswith(step))
