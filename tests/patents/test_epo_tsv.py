import io
from pathlib import Path
from typing import Any

import pytest

from isogloss.errors import DataError
from isogloss.patents.epo_record import EpoRecord
from isogloss.patents.epo_tsv import has_rows, looks_like_row, read_rows
from isogloss.patents.record import Refusal


def read(content: bytes) -> tuple[list[EpoRecord], list[Refusal]]:
    refused: list[Refusal] = []
    return list(read_rows(io.BytesIO(content), "a.txt", refused)), refused


def line(
    name: str, text: str, *, number: str = "1", kind: str = "B1", language: str = "en"
) -> bytes:
    return f"EP\t{number}\t{kind}\t2006-01-02\t{language}\t{name}\t{text}\r\n".encode()


def test_the_real_file(root: Path) -> None:
    content = (root / "data" / "patents" / "epo" / "sampleEP0600000.txt").read_bytes()
    records, refused = read(content)
    assert refused == []
    assert looks_like_row(content.split(b"\n", 1)[0])
    assert [record.number for record in records] == ["EP0600083A1", "EP0600102A1", "EP0600103A1"]
    first = records[0]
    assert first.date == "1994-06-08"
    assert [language for language, _ in first.titles] == ["de", "en", "fr"]
    assert first.titles[1][1] == "DEVICE FOR CONVEYING AND ARRANGING PAPER SHEET"
    (abstract,) = first.abstracts
    assert abstract[1].startswith("A device for conveying")
    assert abstract[1].endswith("longer-than-it-is-wide with a minimum rotation.")
    (claim,) = first.claims
    assert claim[1].startswith("A paper sheet conveying")
    assert "<" not in claim[1]


def test_only_the_first_claim_is_taken() -> None:
    claims = ("1. A<sub>2</sub> dye.", "2. B")
    text = "".join(f"<claim><claim-text>{claim}</claim-text></claim>" for claim in claims)
    (record,), _ = read(line("CLAIM", text))
    assert record.claims == [("en", "1. A2 dye.")]


@pytest.mark.parametrize("case", ["P07"], indirect=True)
def test_bom_long_cells_lone_cr_nul_and_lf_only_lines(case: dict[str, dict[str, Any]]) -> None:
    length = case["rows"]["expected"]["q2_length"]
    lines = [
        b"\xef\xbb\xbf" + line("TITLE", "a\rb"),
        line("DESCR", "x" * 140_000),
        line("CLAIM", "c" * length).replace(b"\r\n", b"\n"),
        b"\n",
        line("ABSTR", "a\x00<b>c</b>"),
    ]
    content = b"".join(lines)
    (record,), refused = read(content)
    assert refused == []
    assert record.country == "EP"
    assert record.titles == [("en", "a\rb")]
    assert len(record.claims[0][1]) == length == 140_000
    assert record.abstracts == [("en", "ac")]


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        (b"EP\t1\tB1\t2006-01-02\ten\tCLAIM\n", "6 columns"),
        (b"EP;1;B1;2006-01-02;en;CLAIM;text\n", "1 columns"),
        (b"EP\t1\tB1\t2006-01-02\ten\tCLAIM\t\xff\n", "UTF-8"),
        (b"EP\t\tB1\t2006-01-02\ten\tCLAIM\tx\n", "number"),
        (b"EP\t1\tB1\t2006-01-02\ten\tCLAIM\tS&auml;ure\n", "auml"),
        (b"EP\t1\tB1\t2006-01-02\ten\tCLAIM\t<claim>open\n", "line 1"),
    ],
)
def test_a_bad_line_is_refused_by_number_and_the_rest_loads(bad: bytes, named: str) -> None:
    records, refused = read(line("TITLE", "Dye") + bad + line("CLAIM", "1. A dye."))
    assert [record.claims for record in records] == [[("en", "1. A dye.")]]
    (refusal,) = refused
    assert (refusal.file, refusal.line) == ("a.txt", 2)
    assert named in refusal.reason


def test_other_text_files_are_not_taken_for_it() -> None:
    for first in (b"This is a README\n", b"a;b;c;d;e;f;g\n", b"", b"1\t2\t3\t4\t5\t6\t7\n"):
        assert not has_rows(io.BytesIO(first))


@pytest.mark.parametrize(
    ("first", "is_refused"),
    [
        (b"EP\t2000001\tB1\n", True),
        (b"EP;2000001;B1;2006-01-02;en;TITLE;x\n", True),
        (b"\xff\xfeEP\t1\n"[2:], True),
        (b"\x00\xff" * 40 + b"\n", True),
        (b"country\tnumber\tkind\tdate\tlanguage\ttype\ttext\n", False),
        (line("title", "Dye"), False),
        (b"\n", False),
    ],
)
def test_a_damaged_first_line_does_not_hide_the_file(first: bytes, is_refused: bool) -> None:
    content = first + line("claim", "1. A dye.")
    assert has_rows(io.BytesIO(content))
    records, refused = read(content)
    assert records[-1].claims == [("en", "1. A dye.")]
    assert [refusal.line for refusal in refused] == [1] * is_refused


@pytest.mark.parametrize("count", [1, 7, 400])
def test_a_file_of_damaged_lines_alone_is_read_and_each_is_refused(count: int) -> None:
    content = b"EP\t2000001\tB1\n" * count
    assert has_rows(io.BytesIO(content))
    records, refused = read(content)
    assert (records, [refusal.line for refusal in refused]) == ([], list(range(1, count + 1)))


def test_utf_16_is_refused_by_that_name() -> None:
    content = line("TITLE", "Dye").decode().encode("utf-16")
    with pytest.raises(DataError, match="is UTF-16"):
        has_rows(io.BytesIO(content))


def test_a_publication_whose_only_line_is_refused_does_not_load() -> None:
    content = line("CLAIM", "<claim>open", number="1") + line("CLAIM", "1. A dye.", number="2")
    records, refused = read(content)
    assert [record.number for record in records] == ["EP2B1"]
    assert [refusal.line for refusal in refused] == [1]
