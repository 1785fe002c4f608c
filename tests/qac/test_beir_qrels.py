from pathlib import Path

import pytest

from isogloss.errors import BenchmarkError
from isogloss.qac.beir_qrels import read_qrels

HEADER = "query-id\tcorpus-id\tscore"


def read(tmp_path: Path, content: bytes):
    path = tmp_path / "test.tsv"
    path.write_bytes(content)
    return read_qrels(path, {"q", "r"}, {"d", "e"})


def test_line_ends_marks_and_blanks(tmp_path: Path) -> None:
    content = f"\ufeff{HEADER}\r\nr\td\t2\r\n\r\nq e 1.0\nq\td\t0".encode()
    assert read(tmp_path, content) == ([("q", "d", 0), ("q", "e", 1), ("r", "d", 2)], 0)


@pytest.mark.parametrize("case", ["M02"], indirect=True)
def test_gold_given_twice_is_one_gold(case, tmp_path: Path) -> None:
    gold = case["gold_dup"]["input"]["relevant"]
    assert len(gold) == 2
    body = "".join(f"q\t{name.replace('A', 'd')}\t1\n" for name in gold)
    assert read(tmp_path, f"{HEADER}\n{body}".encode()) == ([("q", "d", 1)], 1)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("q\td\t1\nx\td\t1", "line 3: no query x"),
        ("q\tx\t1", "line 2: no document x"),
        ("q\td", "line 2: 2 fields"),
        ("q\td\t0.5", "line 2: the value '0.5' is no whole number"),
        ("q\td\tnan", "line 2: the value 'nan'"),
        ("q\td\t1\nq\td\t2", "line 3: this pair has two values, 1 and 2"),
        ("\n", "holds no qrel"),
    ],
)
def test_a_bad_line_is_named(body: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=message):
        read(tmp_path, f"{HEADER}\n{body}\n".encode())


@pytest.mark.parametrize("content", [b"", b"q\td\t1\n", b"q 0 d 1\n"])
def test_the_header_is_needed(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="line 1: must be the header"):
        read(tmp_path, content)


def test_other_encodings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="not UTF-8"):
        read(tmp_path, f"{HEADER}\nq\td\xe9\t1\n".encode("latin-1"))
