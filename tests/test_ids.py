import sys
import unicodedata

import pytest

from isogloss.ids import is_id


def test_no_white_space_and_no_control_character_is_in_an_id() -> None:
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        odd = char.isspace() or unicodedata.category(char) == "Cc"
        assert is_id(f"a{char}b") is not odd, hex(code)


@pytest.mark.parametrize(("text", "good"), [("", False), ("a\n", False), ("EP-1:de/é", True)])
def test_ids(text: str, good: bool) -> None:
    assert is_id(text) is good
