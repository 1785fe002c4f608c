import pytest

from isogloss.qac.candidates import Candidate
from isogloss.qac.checks import check, lexical_overlap
from isogloss.qac.question_language import question_language

LANGUAGES = ("de", "en", "es", "fr", "zh")
BLOCK = "Catalyst\nThe palladium catalyst is heated to 80 °C\nfor two hours."


def candidate(**over: object) -> Candidate:
    filled = {
        "id": "F:en:technical",
        "language": "en",
        "mode": "technical",
        "setup": "all",
        "family": "F",
        "document": "F:en",
        "document_language": "en",
        "candidate": 0,
        "generator": "g",
        "generation": "answered",
        "generation_reason": None,
        "question": "What temperature does the palladium catalyst need?",
        "answer": "80 °C",
        "evidence": "heated to 80 °C for two hours",
    }
    return Candidate(**{**filled, **over})  # type: ignore[arg-type]


def test_what_holds_is_said_to_hold() -> None:
    found = check(candidate(), BLOCK, LANGUAGES)
    assert found.evidence_occurs
    assert found.missing_quantities == ()
    assert found.question_language == "en"
    assert found.lexical_overlap is None


def test_what_does_not_hold_is_told_apart() -> None:
    odd = candidate(
        question="Welche Temperatur benötigt der Katalysator?",
        answer="90 K",
        evidence="heated to 90 K",
        mode="general",
    )
    found = check(odd, BLOCK, LANGUAGES)
    assert not found.evidence_occurs
    assert found.missing_quantities == ("90", "K")
    assert found.question_language == "de"
    assert found.lexical_overlap == 0


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("¿Qué disolvente se utiliza en la polimerización?", "es"),
        ("Quelle est la température de la réaction ?", "fr"),
        ("催化剂的反应温度是多少？", "zh"),
        ("80 / 20", None),
        ("", None),
    ],
)
def test_the_language_of_a_question(text: str, language: str | None) -> None:
    assert question_language(text, LANGUAGES) == language


def test_overlap_is_a_share_of_distinct_words() -> None:
    assert lexical_overlap("The THE catalyst melts", "en", BLOCK, "en") == 0.666667
    assert lexical_overlap("?!", "en", BLOCK, "en") is None
    assert lexical_overlap("催化剂", "zh", "加热催化剂。", "zh") == 1
