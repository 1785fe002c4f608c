import gzip
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from isogloss.errors import DataError
from isogloss.patents import shards
from isogloss.patents.shards import CutShortError, line_blocks

LINES = b"".join(b"%d %s\n" % (number, b"x" * (number * 7 % 90)) for number in range(700))
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": lambda content: gzip.compress(content, mtime=0),
    ".zst": zstandard.compress,
}


@pytest.fixture(autouse=True)
def _small_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "BLOCK_BYTES", 1000)
    monkeypatch.setattr(shards, "_PACKED_READ", 70)


@pytest.mark.parametrize("suffix", PACKERS)
def test_every_byte_comes_back_in_blocks_of_whole_lines(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.jsonl{suffix}"
    # Two members after each other, as concatenated exports are.
    path.write_bytes(PACKERS[suffix](LINES[:9000]) + PACKERS[suffix](LINES[9000:]))
    blocks = list(line_blocks(path))
    assert len(blocks) > 1
    assert all(block.endswith(b"\n") for block in blocks)
    assert b"".join(blocks) == LINES


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_cut_shard_gives_its_whole_lines_first(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.jsonl{suffix}"
    whole = PACKERS[suffix](LINES[:9000])
    path.write_bytes(whole + PACKERS[suffix](LINES[9000:])[:-40])
    blocks: list[bytes] = []
    with pytest.raises(CutShortError, match="ends early or is damaged"):
        blocks.extend(line_blocks(path))
    got = b"".join(blocks)
    assert LINES.startswith(got)
    assert got.endswith(b"\n")
    assert len(got) > 8800


def test_zero_padding_after_gzip_is_no_damage(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(LINES) + b"\x00" * 300)
    assert b"".join(line_blocks(path)) == LINES


@given(st.sets(st.integers(0, len(LINES)), max_size=6))
def test_ranges_give_each_line_once(
    tmp_path_factory: pytest.TempPathFactory, cuts: set[int]
) -> None:
    path = tmp_path_factory.mktemp("ranges") / "a.jsonl"
    path.write_bytes(LINES)
    edges = sorted({0, len(LINES)} | cuts)
    parts = [b"".join(line_blocks(path, *edge)) for edge in pairwise(edges)]
    assert b"".join(parts) == LINES
    assert all(part.endswith(b"\n") for part in parts if part)


def test_a_byte_order_mark_is_dropped_and_utf_16_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"\xef\xbb\xbf{}\n")
    assert b"".join(line_blocks(tmp_path / "a.jsonl")) == b"{}\n"
    (tmp_path / "b.jsonl").write_bytes("{}\n".encode("utf-16"))
    with pytest.raises(DataError, match=r"^is UTF-16"):
        list(line_blocks(tmp_path / "b.jsonl"))


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
@pytest.mark.parametrize("content", [LINES, b"", b"\x00" * 99, b"PK\x03\x04"])
def test_what_is_not_packed_as_its_name_says_is_refused(
    tmp_path: Path, suffix: str, content: bytes
) -> None:
    path = tmp_path / f"a.jsonl{suffix}"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"no (gzip|zstd) file") as raised:
        list(line_blocks(path))
    assert not isinstance(raised.value, CutShortError)


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_shard_of_which_nothing_can_be_read_does_not_end_early(
    tmp_path: Path, suffix: str
) -> None:
    folder = tmp_path / f"a.jsonl{suffix}"
    folder.mkdir()
    with pytest.raises(DataError, match=r"^cannot be read") as raised:
        list(line_blocks(folder, 0, 9))
    assert not isinstance(raised.value, CutShortError)
    assert str(tmp_path) not in str(raised.value)
