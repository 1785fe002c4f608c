import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.qac.sentences import pieces
from isogloss.qac.versions import Version


def version(body: str, language: str = "en", segments: tuple[tuple[str, str], ...] = ()) -> Version:
    return Version("d", "f", "f", language, "", body, "", segments, "", "")


@pytest.mark.parametrize(
    ("language", "body", "index", "rest"),
    [
        ("en", "One is here. Two is here.\nThree.", 0, "Two is here.\nThree."),
        ("en", "One is here. Two is here.\nThree.", 1, "One is here. Three."),
        ("en", "One is here. Two is here.\nThree.", 2, "One is here. Two is here."),
        ("zh", "第一句。第二句。第三句。", 1, "第一句。第三句。"),
        # The second of two equal sentences leaves, not the first.
        ("en", "Stir it. Wait now. Stir it. Cool.", 2, "Stir it. Wait now. Cool."),
    ],
)
def test_one_sentence_leaves(language: str, body: str, index: int, rest: str) -> None:
    assert pieces(version(body, language)).without(index) == rest


def test_segments_are_pieces_as_they_are() -> None:
    cut = pieces(version("", "en", (("D:1", "One. And two."), ("D:2", " Three "), ("D:3", ""))))
    assert cut.ids == ("D:1", "D:2", "D:3")
    assert cut.texts == ("One. And two.", "Three", "")
    assert [cut.without(index) for index in range(3)] == [
        "Three",
        "One. And two.",
        "One. And two.\nThree",
    ]


@given(st.text(st.sampled_from("ab .!?\n。é"), max_size=40))
def test_nothing_but_the_sentence_leaves(body: str) -> None:
    one = version(body)
    cut = pieces(one)
    for index, text in enumerate(cut.texts):
        left = "".join(cut.without(index).split())
        assert len(left) == len("".join(one.body.split())) - len("".join(text.split()))
