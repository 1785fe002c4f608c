import pytest

from isogloss.qac.normal import normal_form


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Same  words.", "same words.", True),
        ("a\n b\u00a0c ", "A B C", True),
        ("Sa\u0308ure", "s\u00e4ure", True),
        ("CO₂", "co2", True),
        ("ＡＢＣ", "abc", True),
        ("STRASSE", "Straße", True),
        ("same words", "same words.", False),
        ("10.5", "105", False),
    ],
)
def test_what_counts_as_the_same(one: str, other: str, same: bool) -> None:
    assert (normal_form(one) == normal_form(other)) is same
