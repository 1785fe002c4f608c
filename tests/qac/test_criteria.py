import pytest

from isogloss.errors import UsageError
from isogloss.llm.structured import schema_fault
from isogloss.qac.criteria import EVERY, band, composite, criteria, scores_schema


@pytest.mark.parametrize("mode", ["technical", "general"])
def test_eight_criteria_make_a_composite_of_forty(mode: str) -> None:
    names = criteria(mode)
    assert len(set(names)) == 8
    assert set(names) <= set(EVERY)
    assert composite(dict.fromkeys(names, 5)) == 40


def test_every_criterion_is_a_column_once() -> None:
    assert len(EVERY) == len(set(EVERY)) == 12


def test_an_unknown_mode_is_named() -> None:
    with pytest.raises(UsageError, match="no mode 'other'"):
        criteria("other")


@pytest.mark.parametrize(
    ("total", "expected"),
    [(0, "reject"), (12, "reject"), (13, "fair"), (27, "fair"), (28, "good"), (40, "good")],
)
def test_bands_part_at_three_and_seven_of_ten(total: int, expected: str) -> None:
    assert band(total) == expected


@pytest.mark.parametrize("odd", [6, -1, 4.5, "5", None, True])
def test_only_whole_scores_from_0_to_5_are_scores(odd: object) -> None:
    scores = dict.fromkeys(criteria("general"), 3)
    assert schema_fault(scores, scores_schema("general")) is None
    assert schema_fault({**scores, "grounding": odd}, scores_schema("general"))


def test_scores_of_the_other_mode_are_none() -> None:
    scores = dict.fromkeys(criteria("general"), 3)
    assert schema_fault(scores, scores_schema("technical"))
    assert schema_fault({**scores, "sum": 24}, scores_schema("general"))
