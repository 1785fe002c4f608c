"""Text into a cell and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.review.cell_text import from_cell, printable, same_text, to_cell


@given(st.text(alphabet=st.characters(codec="utf-8") | st.sampled_from("_x0041\n")))
def test_a_printable_text_comes_back(text: str) -> None:
    clean, dropped = printable(text)
    assert dropped == len(text.replace("\r\n", "\n")) - len(clean)
    assert from_cell(to_cell(clean, "here")) == clean


def test_how_programs_spell_a_carriage_return() -> None:
    assert from_cell("one_x000D_\ntwo") == "one\ntwo"
    assert from_cell("_x005F_x000D_") == "_x000D_"
    assert to_cell("_x000D_", "here") == "_x005F_x000D_"


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("cafe\u0301", "caf\u00e9", True),
        ("a\r\nb", "a\nb ", True),
        ("a b", "a  b", False),
        ("Säure", "Saure", False),
        (" a", "a\n", True),
    ],
)
def test_what_programs_change_is_no_change(first: str, second: str, same: bool) -> None:
    assert same_text(first, second) is same
