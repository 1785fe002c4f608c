"""The language a trace is mostly written in."""

import pytest

from isogloss.medical.trace_language import trace_language


@pytest.mark.parametrize(
    ("language", "trace"),
    [
        ("en", "Okay, let me think. The patient has a fever and this is not a rash."),
        ("de", "Der Patient hat Fieber und das ist nicht die Ursache."),
        ("es", "El paciente tiene fiebre, pero la respuesta es otra por los síntomas."),
        ("pt", "O paciente não tem febre, mas a resposta é uma infecção do trato."),
        ("ja", "患者は発熱している。次に原因を考える。"),
        ("zh", "患者发热三天，首先考虑感染。"),
        ("th", "ผู้ป่วยมีไข้สามวัน"),
        ("sw", "Mgonjwa ana homa ya siku tatu na jibu ni la kwanza katika hali hii."),
        ("zu", "Isiguli sinomkhuhlane futhi lokhu kusho ukuthi impendulo yile."),
    ],
)
def test_nine_languages(language: str, trace: str) -> None:
    assert trace_language(trace) == language
    assert trace_language(f"{trace}\n{trace}\nCT MRI ECG\n12 mg") == language


def test_the_majority_decides() -> None:
    english = "The patient has a fever and this is not the cause of it."
    assert trace_language(f"患者发热。\n{english}\n{english}") == "en"
    assert (
        trace_language(
            f"患者发热三天，首先考虑感染，然后进行血液检查以确认诊断结果。\n{english}"[:60]
        )
        == "zh"
    )


def test_han_text_with_quoted_english_stays_chinese() -> None:
    assert trace_language("患者的CT和MRI结果显示肺部感染，需要抗生素治疗。") == "zh"


def test_nothing_to_go_by() -> None:
    assert trace_language("") is None
    assert trace_language("12 mg / 3 ml") is None
