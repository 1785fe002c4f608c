import pytest

from isogloss.qac.quantities import missing_quantities, units


@pytest.mark.parametrize(
    ("answer", "document"),
    [
        ("80 °C", "heated to 80°C for 2 h"),
        ("80 °C", "auf 80 ℃ erhitzt"),
        ("10,5 %", "a share of 10.5 percent"),
        ("1,000 mg", "1.000 mg"),
        ("1000 mg", "1 000 mg"),
        ("2 hours", "2小时"),
        ("8０ °C", "80 °C"),
        ("20-30 °C", "between 20 °C and 30 °C"),
        ("20", "20 100 ml flasks"),
        ("1.234,5 g", "1,234.5 grams"),
        ("palladium", "palladium"),
        ("5 µm", "5 μm"),
        ("0.50 mol", "0,5 mol"),
    ],
)
def test_the_same_quantity_in_another_writing_is_there(answer: str, document: str) -> None:
    assert missing_quantities(answer, document) == []


@pytest.mark.parametrize(
    ("answer", "document", "missing"),
    [
        ("81 °C", "80 °C", ["81"]),
        ("80 K", "80 °C", ["K"]),
        ("5 mg", "5 g", ["mg"]),
        ("5 mM", "5 mm", ["mM"]),
        ("10.5", "105", ["10.5"]),
        ("1.5 and 2", "15 and 2", ["1.5"]),
        ("7 %", "", ["7", "%"]),
    ],
)
def test_another_number_or_unit_is_missing(answer: str, document: str, missing: list[str]) -> None:
    assert missing_quantities(answer, document) == missing


def test_a_letter_that_begins_a_word_is_no_unit() -> None:
    assert units("5 groups, 3 layers and 10 maximum") == set()
    assert units("10%ige Lösung, 5克催化剂") == {"%", "g"}


def test_a_unit_is_the_same_in_its_inflected_forms() -> None:
    assert units("mit einem Durchmesser von 400 Nanometern") == units("400 Nanometer") == {"nm"}
    assert units("1,3 milimoles por gramo") == units("1,3 millimole par gramme") == {"mmol"}
