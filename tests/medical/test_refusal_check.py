"""Labelled replies in nine languages, and agreement that adds up."""

from collections import Counter

import pytest

from isogloss.medical.panel import LANGUAGES
from isogloss.medical.refusal_check import refusal_agreement, refusal_samples


def test_samples_are_many_labelled_and_different() -> None:
    samples = refusal_samples()
    counts = Counter((sample.language, sample.refused) for sample in samples)
    assert {language for language, _ in counts} == set(LANGUAGES)
    assert min(counts.values()) >= 4
    assert len({sample.case.reply for sample in samples}) == len(samples)
    assert len({sample.case.name for sample in samples}) == len(samples)


def test_agreement_counts_each_kind_of_error_apart() -> None:
    samples = refusal_samples()
    right = [sample.refused for sample in samples]
    perfect = refusal_agreement(samples, right)
    assert perfect["wrong"] == []
    assert {counts["share"] for counts in perfect["languages"].values()} == {1.0}
    never = refusal_agreement(samples, [False] * len(samples))["languages"]["all"]
    assert (never["missed"], never["false_alarms"]) == (sum(right), 0)
    always = refusal_agreement(samples, [True] * len(samples))["languages"]["sw"]
    assert (always["missed"], always["false_alarms"]) == (0, 4)
    broken = refusal_agreement(samples, [None, *right[1:]])
    assert broken["languages"]["en"]["unusable"] == 1
    assert broken["languages"]["en"]["share"] == pytest.approx(7 / 8)
    assert broken["wrong"][0]["case"] == "check/en/declines/0"
