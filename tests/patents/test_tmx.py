import io

import pytest

from isogloss.errors import DataError
from isogloss.patents.record import Refusal
from isogloss.patents.tmx import read_aligned_lines, read_tmx


def test_units_with_inline_markup_and_either_language_attribute() -> None:
    marked = '<tuv xml:lang="en"><seg>a <bpt i="1"/>b<ept i="1"/></seg></tuv>'
    old = '<tuv lang="fr"><seg>c</seg></tuv><tuv xml:lang="de"/>'
    nameless = '<tu><tuv xml:lang="en"><seg>x</seg></tuv></tu>'
    content = f'<tmx><body><tu tuid="D:1">{marked}{old}</tu>\n{nameless}</body></tmx>'
    refused: list[Refusal] = []
    (segment,) = read_tmx(content.encode(), "a.tmx", refused)
    assert (segment.id, segment.texts) == (
        "D:1",
        [("en", "a b"), ("fr", "c"), ("de", "")],
    )
    assert refused == [Refusal("a.tmx", "a tu has no tuid", line=2)]


@pytest.mark.parametrize("content", [b"<tmx>", b"<xliff/>", b""])
def test_what_is_no_tmx_is_refused(content: bytes) -> None:
    with pytest.raises(DataError):
        list(read_tmx(content, "a.tmx", []))


def test_lines_of_aligned_text() -> None:
    lines = [
        '\ufeff{"id": "D:1", "texts": {"en": "a", "zh": "中"}}',
        "",
        '{"id": "D:2"}',
        "no",
        '{"id":"D:3","texts":{}}',
    ]
    refused: list[Refusal] = []
    file = io.BytesIO("\n".join(lines).encode())
    segments = list(read_aligned_lines(file, "a.jsonl", refused))
    assert [(segment.id, segment.texts) for segment in segments] == [
        ("D:1", [("en", "a"), ("zh", "中")]),
        ("D:3", []),
    ]
    assert [refusal.line for refusal in refused] == [3, 4]
