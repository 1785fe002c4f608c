"""Expert scores beside the judge's."""

from typing import Any

import pytest

from isogloss.errors import DataError
from isogloss.medical.experts import Response, expert_section, read_experts
from isogloss.medical.items import Item

ITEMS = [Item(f"qa-liveqa-{i}", "th", "QA", "liveqa", "Why?", "So.", {}) for i in range(9)]
ROW = {
    "language": "th", "dataset": "LiveQA", "id": "qa-liveqa-0", "model": "m",
    "expert": [4, 4, 4, 4, 4], "judge": [5, 5, 5, 5, 5],
}  # fmt: skip


def response(experts: list[list[int]], judge: list[int], id_: str = "x") -> Response:
    return Response("th", "liveqa", id_, "m", tuple(map(tuple, experts)), tuple(judge))


@pytest.mark.parametrize(
    ("experts", "judge", "within"),
    [
        ([[4, 4, 4, 4, 4]], [5, 5, 5, 5, 5], True),
        ([[4, 4, 4, 4, 3]], [5, 5, 5, 5, 5], False),
        ([[1, 2, 3, 4, 5]], [2, 3, 4, 5, 5], True),
        # Three experts whose mean sum lies a third of a point outside.
        ([[4, 4, 4, 4, 4], [4, 4, 4, 4, 4], [4, 4, 4, 4, 3]], [5, 5, 5, 5, 5], False),
        ([[4, 4, 4, 4, 3], [4, 4, 4, 4, 5]], [5, 5, 5, 5, 5], True),
    ],
)
def test_within_one_is_decided_on_integer_sums(
    experts: list[list[int]], judge: list[int], within: bool
) -> None:
    assert response(experts, judge).within_one is within


def test_several_rows_are_several_experts(lines: Any) -> None:
    rows = [ROW, {**ROW, "expert": [2, 4, 4, 4, 4]}, {**ROW, "id": "qa-liveqa-1"}]
    first, second = read_experts(lines("e.jsonl", rows), ITEMS)
    assert first.expert == (3, 4, 4, 4, 4)
    assert len(second.experts) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "qa-liveqa-99"}, "hold no such id in 'th'"),
        ({"language": "sw"}, "hold no such id in 'sw'"),
        ({"dataset": "headqa"}, "the item is of liveqa, not of 'headqa'"),
        ({"judge": [1, 5, 5, 5, 5]}, "line 1 gives other judge scores"),
        ({"expert": [4, 4, 4, 4]}, r"length >= 5 .*expert"),
        ({"expert": [4, 4, 4, 4, 6]}, r"<= 5 .*expert"),
        (
            {"expert": [4, 4, 4, 4, 4.5]},
            r"field `expert\[4\]` must be a whole number, but is a number",
        ),
    ],
)
def test_a_bad_row_is_named(change: dict[str, Any], message: str, lines: Any) -> None:
    with pytest.raises(DataError, match=message) as caught:
        read_experts(lines("e.jsonl", [ROW, {**ROW, **change}]), ITEMS)
    assert "line 2" in str(caught.value)


def test_no_rows(lines: Any) -> None:
    with pytest.raises(DataError, match="holds no expert scores"):
        read_experts(lines("e.jsonl", []), ITEMS)


def test_constant_raters_have_no_concordance() -> None:
    same = [response([[3] * 5], [3] * 5, f"i{i}") for i in range(5)]
    found = expert_section(same, resamples=200, seed=0)["th"]
    assert found["concordance"]["value"] is None
    assert found["concordance"]["reason"].endswith("one and the same constant")
    assert found["within_one"]["value"] == 1
    assert found["overall"]["expert"]["value"] == 3


def test_equal_raters_agree_fully() -> None:
    equal = [response([[i] * 5], [i] * 5, f"i{i}") for i in (1, 2, 3, 4, 5)]
    found = expert_section(equal, resamples=200, seed=0)["th"]
    assert found["concordance"]["value"] == 1
    assert found["overall"]["difference"]["value"] == 0
