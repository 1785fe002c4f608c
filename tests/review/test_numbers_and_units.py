"""Figures and units across languages."""

import pytest

from isogloss.review.numbers_and_units import quantities, quantity_questions

KEPT = [
    ("400 mg twice, 1,500 mL", "zweimal 400 mg, 1.500 ml"),
    ("37.5 °C", "37,5 ℃"),
    ("40% of 12", "asilimia 40 ya 12"),
    ("20%", "百分之20"),
    ("5 mg in 10 mL", "5 毫克，10 毫升"),
    ("12 years", "๑๒ ปี"),
    ("90 mmHg", "90毫米汞柱"),
    ("10 mg/kg", "10 mg/kg"),
    ("12,500 g", "12\u202f500 Gramm"),
    ("1,500,000 cells", "1.500.000 Zellen"),
    ("2 L", "lita 2"),
    ("Take 3. Then 4.", "4, dann 3."),
]
ASKED = [
    ("400 mg", "400 g", ["400 mg in the source: g stands there"]),
    ("400 mg", "400", ["400 mg in the source: no known unit stands there"]),
    ("take 3 tablets", "服用三片", ["the number 3 of the source is not there in digits"]),
    ("take 3", "nimm 5", ["the number 3 of the source is not there in digits",
                          "the number 5 is not in the source"]),
    ("3 and 3", "3", ["the number 3 of the source is not there in digits"]),
    ("1.5 mg", "15 mg", ["the number 1.5 of the source is not there in digits",
                         "the number 15 is not in the source"]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "text"), KEPT)
def test_kept_in_another_notation(source: str, text: str) -> None:
    assert quantity_questions(source, text) == []


@pytest.mark.parametrize(("source", "text", "asked"), ASKED)
def test_lost_or_changed(source: str, text: str, asked: list[str]) -> None:
    assert quantity_questions(source, text) == asked


def test_what_a_figure_may_mean() -> None:
    assert quantities("1.500")[0].values == {"1500", "1.5"}
    assert quantities("1.2.3")[0].values == {"1.2.3"}
    assert quantities("12\u202f500 g")[0].values == {"12500"}
    assert quantities("no figure") == []
