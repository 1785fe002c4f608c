"""A verdict is read whole or not at all."""

import json
from typing import Any

import pytest

from isogloss.medical.json_reply import ReplyError, find_object
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
        "overall": 5,
    }


@pytest.mark.parametrize("case", ["L08"], indirect=True)
def test_case_l08(case: dict[str, Any]) -> None:
    assert len(case) == 13
    for name, check in case.items():
        try:
            found = find_object(check["input"]).get("score")
        except ReplyError:
            found = None
        assert found == (None if name == "09" else check["expected"]), name


@pytest.mark.parametrize(
    "dress", ["{}", "```json\n{}\n```", "\ufeffSee: {} Done.", '<think>{{"a": 1}}</think>{}']
)
def test_a_whole_verdict(dress: str) -> None:
    found = read_verdict(dress.format(json.dumps(verdict())))
    assert found.scores == (5, 4, 3, 2, 1)
    assert found.flags == (1.0, 0.5, 0.0, 0.0)
    assert found.overall == 3.0, "computed here, whatever the judge says"


def test_bare_values_are_read_too() -> None:
    bare = {
        part: {key: value.get("score", value.get("label")) for key, value in entries.items()}
        for part, entries in verdict().items()
        if part != "overall"
    }
    assert read_verdict(json.dumps(bare)) == read_verdict(json.dumps(verdict()))


@pytest.mark.parametrize("value", [0, 6, 4.0, 4.5, "4", True, None, [4], {"score": 4}])
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
    found[AUXILIARY][list(found[AUXILIARY])[place]] = {"label": value}
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
        ('{"a": 1, "a": 2}', "a key twice"),
        ('{"a": NaN}', "NaN is no JSON number"),
        ("<think>" + json.dumps(verdict()), "empty reply"),
        ("[1, 2]", "no JSON object"),
        ("{", "cut short"),
        ('{"a":' * 100_000, "cut short"),
        ("{}", "no JSON object"),
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
