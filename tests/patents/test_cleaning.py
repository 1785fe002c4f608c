import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.patents import cleaning
from isogloss.patents.cleaning import clean, dropped_characters

PIECES = st.sampled_from(
    [
        "<sub>",
        "</sub>",
        "<p>",
        "<b",
        ">",
        "<",
        "&lt;",
        "&gt;",
        "&amp;",
        "lt;",
        "&#60;",
        "(FIG. 1)",
        "FIG. 2",
        "(",
        ")",
        ". ",
        " ",
        "\n",
        "\u200b",
        "\x00",
        "<!--",
        "-->",
        "图1",
        "（图1）",
        "Fig",
        "1",
        "a",
        "-",
        "、",
        "Abb. 3",
        "and ",
        "\ud800",
    ]
)


@given(st.lists(PIECES, max_size=14).map("".join))
def test_cleaning_twice_changes_nothing(text: str) -> None:
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    assert not dropped_characters(cleaned)
    assert cleaned == " ".join(cleaned.split())


@given(st.lists(PIECES, max_size=8).map("".join))
def test_the_short_cut_changes_nothing(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cleaning, "_is_plain", lambda text: False)
        expected = clean(text)
    assert clean(text) == expected


@given(st.text())
def test_cleaned_text_is_utf_8(text: str) -> None:
    clean(text).encode()


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("CO<sub>2</sub> &amp; H<SUB>2</SUB>O", "CO2 & H2O"),
        ("<p>First.</p><p>Second.</p>", "First. Second."),
        ("Line<br/>break", "Line break"),
        ("a &amp;lt;b&amp;gt; c", "a c"),
        ("x &lt; 5 and y > 3", "x < 5 and y > 3"),
        ("a <b and c> d", "a <b and c> d"),
        ("AT&T; R&D &unknown; &para", "AT&T; R&D &unknown; &para"),
        ("S&auml;ure 5&#160;&#956;m &#x3bc;", "Säure 5 μm μ"),
        ('note<!-- EPO <DP n="1"> --> here', "note here"),
        ('<img file="a.tif" wi="3"/>A <a href="x">link</a>', "A link"),
        ("two  \t\n blanks\u00a0\u3000here", "two blanks here"),
        ("zero\u200bwidth\ufeff and NUL\x00 and half\ud800", "zerowidth and NUL and half"),
    ],
)
def test_markup_entities_and_blanks(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("A pump (FIG. 1) turns.", "A pump turns."),
        ("A pump (see Figs. 2a, 3b and 4) turns.", "A pump turns."),
        ("Eine Pumpe (Abb. 2) dreht.", "Eine Pumpe dreht."),
        ("一种泵（图1）转动。", "一种泵转动。"),
        ("ポンプ【図1】が回る。", "ポンプが回る。"),
        ("A pump turns. FIG. 1", "A pump turns."),
        ("As shown in FIG. 1 it turns.", "As shown in FIG. 1 it turns."),
        ("An arm (18) and a compound (I).", "An arm (18) and a compound (I)."),
        ("configuration (config 1)", "configuration (config 1)"),
    ],
)
def test_figure_references(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


@pytest.mark.parametrize("case", ["P01"], indirect=True)
def test_a_tag_written_as_text_leaves_by_the_same_rule_in_every_source(
    case: dict[str, dict[str, str]],
) -> None:
    from isogloss.patents.xml_text import parse_fragment, text_of

    read = text_of(parse_fragment(case["04"]["input"]))
    assert read == case["04"]["expected"]
    assert clean(read) == clean(case["04"]["input"]) == "Use of 2 as literal text"


def test_dropped_characters_are_counted() -> None:
    text = json.loads('"a\\u0000b\\u200b\\u200bc\\ud800"')
    assert dropped_characters(text) == {"nul": 1, "zero_width": 2, "lone_surrogate": 1}
