import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.errors import DataError
from isogloss.foreign_text import LONGEST_ID, LONGEST_LINE, message_line, shown
from isogloss.progress import note

ODD = "a\x00b\x1b[2Jc\u202ed\ud800e\u2028f"


@given(st.text())
def test_whatever_it_is_it_is_printable_and_on_one_line(text: str) -> None:
    for line in (shown(text), message_line(text), str(DataError(text))):
        assert line.isprintable()


def test_what_is_printable_stays_as_it_is() -> None:
    assert shown("EP1A1:de é 专利") == "EP1A1:de é 专利"
    assert shown("") == ""


def test_escapes_say_which_sign_it_was() -> None:
    assert shown(ODD) == r"a\x00b\x1b[2Jc\u202ed\ud800e\u2028f"


def test_a_long_id_keeps_its_ends() -> None:
    assert shown("s" + "x" * 5_000_000 + "e") == (
        f"s{'x' * (LONGEST_ID * 3 // 4 - 1)}[... 4,999,922 characters ...]"
        f"{'x' * (LONGEST_ID // 4 - 1)}e"
    )


def test_a_message_is_one_short_line_with_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    error = DataError(f"a.jsonl, line 3:\n{'x' * 5_000_000}{ODD}; rename it")
    assert len(str(error)) < LONGEST_LINE + 100
    assert str(error).startswith("a.jsonl, line 3: x")
    assert str(error).endswith("; rename it")
    note(f"{ODD}\nb")
    assert capsys.readouterr().err == r"a\x00b\x1b[2Jc\u202ed\ud800e f b" + "\n"
