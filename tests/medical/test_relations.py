"""Relations by name."""

from typing import Any

import pytest

from isogloss.medical.relations import (
    committed_relation,
    is_unlabelled,
    relation,
    relation_of_id,
)


def judged(given: dict[str, Any]) -> str:
    if "gold_id_from_a" in given:
        gold = relation_of_id(given["gold_id_from_a"], given["map_a"])
        return (
            "right"
            if gold == relation_of_id(given["predicted_id_from_b"], given["map_b"])
            else "wrong"
        )
    return "right" if relation(given["gold"]) == committed_relation(given["predicted"]) else "wrong"


@pytest.mark.parametrize("case", ["L03"], indirect=True)
def test_case_l03(case: dict[str, Any]) -> None:
    for name in ("01", "02", "03", "04", "05", "06"):
        assert judged(case[name]["input"]) == case[name]["expected"], name
    with pytest.raises(ValueError, match="label 3 names no relation"):
        relation_of_id(case["07"]["input"]["gold_id"], case["01"]["input"]["map_a"])
    assert is_unlabelled(case["08"]["input"]["gold"])


def test_a_name_in_every_language() -> None:
    from isogloss.medical.data import load
    from isogloss.medical.panel import LANGUAGES

    for key in ("entailment", "neutral", "contradiction"):
        names = load("relations")[key]
        assert set(names) == set(LANGUAGES)
        assert all(relation(f" {name.upper()}. ") == key for lang in names for name in names[lang])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("not entailment", None),
        ("entailment or neutral", None),
        ("Das ist kein Widerspruch, sondern neutral", "neutral"),
        ("这是蕴含关系。", "entailment"),
        ("不是矛盾", None),
        ("disentailmentish", None),
        ("", None),
    ],
)
def test_only_a_commitment_counts(text: str, expected: str | None) -> None:
    assert committed_relation(text) == expected
