from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.patents.language_check import LanguageCheck, check_language


@pytest.mark.parametrize("case", ["P10"], indirect=True)
def test_declared_wins_and_a_contradiction_is_flagged(case: dict[str, dict[str, Any]]) -> None:
    checks = {name: check_language(**check["input"]) for name, check in case.items()}
    assert checks["01"] == LanguageCheck("ja")
    assert checks["02"] == LanguageCheck("de")
    assert checks["03"] == LanguageCheck("de", mismatch=True, reason="looks like en")
    assert checks["04"] == LanguageCheck("zh")
    assert checks["05"] == LanguageCheck(None, reason="no text")
    assert checks["06"] == LanguageCheck(None, reason="too short")


@pytest.mark.parametrize("case", ["P10"], indirect=True)
def test_one_answer_in_a_hundred_calls(case: dict[str, dict[str, Any]]) -> None:
    for check in case.values():
        assert len({check_language(**check["input"]) for _ in range(100)}) == 1


@given(st.text(), st.sampled_from(["en", "de", "zh", "ja", "sw", "th"]))
def test_nothing_is_relabelled(text: str, declared: str) -> None:
    assert check_language(text, declared).language == declared


@pytest.mark.parametrize(
    ("text", "declared", "mismatch"),
    [
        ("本発明はゼオライト触媒およびその製造方法に関する。", "zh", True),
        ("某催化剂的制备方法", "en", True),
        ("某催化剂的制备方法", "ja", False),
        ("The catalyst comprises a zeolite and the binder of the invention.", "zh", True),
        ("Die Erfindung betrifft ein Verfahren mit einem Katalysator.", "de", False),
        ("L'invention concerne un procédé pour les dérivés avec des sels.", "en", True),
        # Swahili shares short words with Portuguese, and is not among the languages known here.
        ("Dawa na chanjo na maji na chakula no", "sw", False),
    ],
)
def test_scripts_and_function_words(text: str, declared: str, mismatch: bool) -> None:
    assert check_language(text, declared).mismatch is mismatch
