from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from isogloss.qac.criteria import criteria
from isogloss.qac.selection import KEPT, NOT_BEST, REASONS, REJECTED, fates, reasons
from isogloss.qac.verification import UNASKED, Verdict

from .test_checks import candidate

NAMES = criteria("technical")


def verdict(total: int | None, outcome: str = "answered") -> Verdict:
    scores = {name: min(5, max(0, (total or 0) - 5 * place)) for place, name in enumerate(NAMES)}
    return Verdict(outcome, None, {} if total is None else scores)


def decide(*verdicts: Verdict, generation: str = "refused") -> list[str]:
    three = [
        replace(
            candidate(candidate=index),
            generation=generation if one.outcome == UNASKED else "answered",
        )
        for index, one in enumerate(verdicts)
    ]
    found = fates(three, verdicts)
    end = reasons(three, found)["F:en:technical"]
    assert (end == KEPT) == (KEPT in found)
    return [*found, end]


def test_the_highest_composite_is_kept_and_ties_go_to_the_lower_index() -> None:
    assert decide(verdict(30), verdict(35), verdict(35)) == [NOT_BEST, KEPT, NOT_BEST, KEPT]


def test_the_border_of_reject_is_twelve() -> None:
    assert decide(verdict(12), verdict(13), verdict(0)) == [REJECTED, KEPT, REJECTED, KEPT]
    assert decide(verdict(12), verdict(1), verdict(0))[-1] == REJECTED


def test_a_query_ends_for_the_reason_that_came_furthest() -> None:
    unasked, malformed = verdict(None, UNASKED), verdict(None, "malformed")
    assert decide(unasked, malformed, unasked) == [
        "generation_refused",
        "verification_malformed",
        "generation_refused",
        "verification_malformed",
    ]
    assert decide(unasked, unasked, unasked)[-1] == "generation_refused"
    assert decide(malformed, verdict(3), unasked)[-1] == REJECTED


@given(totals=st.lists(st.none() | st.integers(0, 40), min_size=3, max_size=3))
def test_at_most_one_is_kept_and_none_better_is_left(totals: list[int | None]) -> None:
    *found, end = decide(*(verdict(one, "cut" if one is None else "answered") for one in totals))
    scored = [one for one in totals if one is not None]
    if scored and max(scored) > 12:
        assert found.count(KEPT) == 1
        assert found.index(KEPT) == totals.index(max(scored))
    else:
        assert KEPT not in found
        assert end in REASONS
