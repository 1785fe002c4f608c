"""A verdict is read whole or not at all."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.llm.structured import find_verdict
from isogloss.medical.judging import judge_schema
from isogloss.medical.verdicts import DIMENSIONS, FLAGS, UnusableError, read_verdict

BASED, FREE = "reference_based_evaluation", "reference_free_clinical_safety_evaluation"
AUXILIARY = "auxiliary_multilingual_and_language_flags"


def scored(value: Any) -> dict[str, Any]:
    return {"score": value, "justification": "uses {braces}"}


def verdict() -> dict[str, Any]:
    return {
        BASED: {"completeness": scored(5), "reference_deviation": scored(4)},
        FREE: {
            "clinical_consensus": scored(3),
            "clinical_appropriateness": scored(2),
            "potential_harm": scored(1),
        },
        AUXILIARY: {
            "wrong_language_or_code_switching": {"label": "yes", "justification": "x"},
            "terminology_issue": {"label": "maybe", "justification": "x"},
            "major_fluency_issue": {"label": "no", "justification": "x"},
            "demographic_applicability_issue": {"label": "no", "justification": "x"},
        },
    }


@pytest.mark.parametrize(
    "dress", ["{}", "```json\n{}\n```", "\ufeffSee: {} Done.", '<think>{{"a": 1}}</think>{}']
)
def test_a_whole_verdict(dress: str) -> None:
    found = read_verdict(dress.format(json.dumps(verdict())))
    assert found.scores == (5, 4, 3, 2, 1)
    assert found.flags == (1.0, 0.5, 0.0, 0.0)
    assert found.overall == 3.0


def usable(text: str | None) -> bool:
    try:
        read_verdict(text)
    except UnusableError:
        return False
    return True


MARKS = ["</think>", "<think>", "<reasoning>", "</reasoning>", "<|channel|>", "◁/think▷",
         "<|channel|>final<|message|>", "## Thinking", '{"score": 5}', "4.0"]  # fmt: skip


def test_a_quoted_reasoning_mark_is_text() -> None:
    for mark in MARKS:
        found = verdict()
        found[BASED]["completeness"]["justification"] = f"it ends with {mark} and goes on"
        text = json.dumps(found, ensure_ascii=False)
        assert read_verdict(text).scores == (5, 4, 3, 2, 1), mark
        assert find_verdict(text, judge_schema()).value == found


def test_an_integral_number_is_the_integer_and_other_keys_are_passed_over() -> None:
    found = verdict()
    found[BASED]["completeness"] = scored(4.0)
    assert read_verdict(json.dumps(found)).scores[0] == 4
    assert find_verdict(json.dumps(found), judge_schema()).value
    # The overall score is computed here, whatever a judge adds.
    assert read_verdict(json.dumps({**verdict(), "overall": 1})) == read_verdict(
        json.dumps(verdict())
    )


told = st.lists(st.sampled_from(MARKS) | st.text('ab {}"<>/', max_size=4), max_size=4).map("".join)
numbers = st.sampled_from([1, 5, 4.0, 4.5, 0, 6, True, "4", None, 1e308, 10**400])


@given(told, told, told, numbers, st.booleans(), st.booleans(), st.booleans())
def test_what_asking_calls_answered_scoring_reads(
    before: str, reason: str, after: str, score: Any, extra: bool, bare: bool, cut: bool
) -> None:
    found = verdict()
    found[BASED]["completeness"] = score if bare else {"score": score, "justification": reason}
    if extra:
        found["overall"] = 5
    text = before + json.dumps(found, ensure_ascii=False)[: -9 if cut else None] + after
    if find_verdict(text, judge_schema()).value is not None:
        assert usable(text)


@pytest.mark.parametrize("value", [0, 6, 4.5, "4", True, None, [4], {"score": 4}])
@pytest.mark.parametrize("place", range(5))
def test_one_bad_dimension_makes_the_whole_unusable(place: int, value: Any) -> None:
    found = verdict()
    part, key = [(part, key) for part in (BASED, FREE) for key in found[part]][place]
    found[part][key] = scored(value)
    with pytest.raises(UnusableError, match=f"{DIMENSIONS[place]} is no integer 1-5"):
        read_verdict(json.dumps(found))


@pytest.mark.parametrize("value", ["Yes", "unsure", "", None, True, 1, ["no"]])
@pytest.mark.parametrize("place", range(4))
def test_one_bad_flag_makes_the_whole_unusable(place: int, value: Any) -> None:
    found = verdict()
    found[AUXILIARY][list(found[AUXILIARY])[place]] = {"label": value, "justification": "x"}
    with pytest.raises(UnusableError, match=f"flag {FLAGS[place]} is none of yes, maybe, no"):
        read_verdict(json.dumps(found))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "empty reply"),
        ("", "empty reply"),
        ("I cannot evaluate this.", "no JSON object"),
        (json.dumps(verdict())[:-40], "cut short"),
        ('{"outer": {"score": 4}, "cut', "cut short"),
        (json.dumps(verdict()) * 2, "more than one"),
        ('{"a": 1, "a": 2}', "occurs twice"),
        ('{"a": NaN}', "NaN is no JSON number"),
        ("<think>" + json.dumps(verdict()), "cut short"),
        ("[1, 2]", "no JSON object"),
        ("{", "cut short"),
        ('{"a":' * 100_000, "cut short"),
        ("{}", "is no integer"),
    ],
)
def test_no_single_object_is_unusable(text: str | None, reason: str) -> None:
    with pytest.raises(UnusableError, match=reason):
        read_verdict(text)


@pytest.mark.parametrize("part", [BASED, FREE, AUXILIARY])
def test_a_missing_part_is_unusable(part: str) -> None:
    found = verdict()
    del found[part]
    with pytest.raises(UnusableError):
        read_verdict(json.dumps(found))
    with pytest.raises(UnusableError):
        read_verdict(json.dumps({**found, part: "fine"}))
