import os
from pathlib import Path

import pytest

from isogloss.patents.raw_files import find_files, printable

NAMES = [
    "a.jsonl",
    "b.JSON.gz",
    "c.ndjson.zst",
    "d.parquet",
    "e.xml",
    "f.zip",
    "g.tmx",
    "h.csv",
    "sub/a.xml",
    "i.txt",
]


@pytest.mark.parametrize(
    ("kind", "read"),
    [
        ("google-patents", ["a.jsonl", "b.JSON.gz", "c.ndjson.zst", "d.parquet"]),
        ("epo", ["e.xml", "f.zip", "i.txt", "sub/a.xml"]),
        ("parallel", ["a.jsonl", "f.zip", "g.tmx"]),
    ],
)
def test_each_format_reads_its_kinds_in_name_order_and_names_the_rest(
    tmp_path: Path, kind: str, read: list[str]
) -> None:
    for name in NAMES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = find_files(tmp_path, kind)
    assert [name for _, name in found.read] == read
    assert sorted([*found.not_read, *read]) == sorted(NAMES)
    assert all(path == tmp_path / name for path, name in found.read)


def test_papers_stand_beside_the_data_whatever_their_ending(tmp_path: Path) -> None:
    papers = ["ATTRIBUTION.md", "LICENSE-CC.txt", "NOTICE", "readme.txt", "sub/README.xml"]
    for name in (*papers, "sub/my-readme.txt", "license/a.xml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = find_files(tmp_path, "epo")
    assert found.beside == papers
    assert [name for _, name in found.read] == ["license/a.xml", "sub/my-readme.txt"]
    assert found.not_read == {}


def test_links_to_folders_and_pipes_are_named_and_never_entered(tmp_path: Path) -> None:
    folder, outside = tmp_path / "mine", tmp_path / "outside"
    for place in (folder / "sub", outside):
        place.mkdir(parents=True)
        (place / "a.jsonl").touch()
    (folder / "out").symlink_to(outside)
    (folder / "sub" / "loop").symlink_to(folder)
    (folder / "self").symlink_to("self")
    os.mkfifo(folder / "pipe.jsonl")
    # As DVC keeps files where its cache is linked.
    (folder / "cached.jsonl").symlink_to(outside / "a.jsonl")
    found = find_files(folder, "google-patents")
    assert [name for _, name in found.read] == ["cached.jsonl", "sub/a.jsonl"]
    assert list(found.not_read) == ["out", "pipe.jsonl", "self", "sub/loop"]
    assert "link to a folder" in found.not_read["out"]
    assert "link to a folder" in found.not_read["sub/loop"]
    assert "pipe" in found.not_read["pipe.jsonl"]


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b"bad\xffname.xml", "bad\\xffname.xml"),
        (b"two\nlines\x1b[1m.xml", "two\\nlines\\x1b[1m.xml"),
        ("né 中.xml".encode(), "né 中.xml"),
    ],
)
def test_names_can_be_written_as_utf_8_on_one_line(raw: bytes, shown: str) -> None:
    assert printable(os.fsdecode(raw)) == shown
