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


DENIED = {
    "en": ["it isn't a contradiction", "It isn’t a contradiction.", "It is not a contradiction",
           "The premise does not clearly entail it", "no contradiction",
           "There is no contradiction",
           "The contradiction is not present"],
    "de": ["Das ist kein Widerspruch", "Es gibt keinen Widerspruch", "Sie widerspricht ihm nicht",
           "Das folgt nicht"],
    "es": ["No es una contradicción", "No hay contradicción"],
    "pt": ["Não é uma contradição", "Não há contradição"],
    "ja": ["矛盾ではない", "矛盾していません", "含意関係ではありません", "矛盾しない"],
    "zh": ["不是矛盾", "并不构成矛盾", "没有矛盾", "不矛盾"],
    "th": ["ไม่ใช่ความขัดแย้ง", "ไม่มีความขัดแย้ง", "ไม่ขัดแย้ง"],
    "sw": ["Si mkinzano", "Hakuna mkinzano", "Hii sio ukinzani"],
    "zu": ["Akuyona ukuphikisana", "Akukho ukuphikisana", "Hhayi ukuphikisana"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text"), [(lang, text) for lang, texts in DENIED.items() for text in texts]
)
def test_a_denied_relation_does_not_count(language: str, text: str) -> None:
    assert committed_relation(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is a contradiction.", "contradiction"),
        ("It isn't a contradiction, it is neutral.", "neutral"),
        ("not entailment but contradiction", "contradiction"),
        ("neutral because the text does not say", "neutral"),
        ("Kein Widerspruch, sondern neutral", "neutral"),
        ("No es contradicción sino neutral", "neutral"),
        ("Não é contradição, mas neutro", "neutral"),
        ("矛盾ではなく中立です", "neutral"),
        ("不是矛盾，而是中立", "neutral"),
        ("ไม่ใช่ความขัดแย้ง แต่เป็นกลาง", "neutral"),
        ("Si mkinzano bali isiyoegemea", "neutral"),
        ("Jibu ni mkinzano", "contradiction"),
        ("Akuyona ukuphikisana kodwa neutral", "neutral"),
    ],
)
def test_beside_a_denied_relation_the_affirmed_one_counts(text: str, expected: str) -> None:
    assert committed_relation(text) == expected
