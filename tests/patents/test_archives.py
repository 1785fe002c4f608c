import io
import zipfile
from pathlib import Path

import pytest

from isogloss.patents.archives import Walk, leaves_archive


def packed(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def walk(path: Path, limit: int = 1 << 20) -> tuple[dict[str, bytes], Walk]:
    found = Walk(frozenset([".xml"]), limit)
    contents = {}
    for entry in found.entries(path, path.name):
        with entry.open() as file:
            contents[entry.name] = file.read()
    return contents, found


def test_folders_and_one_level_of_archives_in_name_order(tmp_path: Path) -> None:
    deepest = packed({"d.xml": b"d"})
    inner = packed({"c.xml": b"c", "deepest.zip": deepest})
    path = tmp_path / "a.zip"
    path.write_bytes(
        packed({"z.xml": b"z", "b/inner.zip": inner, "b/b.XML": b"b", "b/readme.md": b""})
    )
    contents, found = walk(path)
    assert list(contents.items()) == [
        ("a.zip!/b/b.XML", b"b"),
        ("a.zip!/b/inner.zip!/c.xml", b"c"),
        ("a.zip!/z.xml", b"z"),
    ]
    assert list(found.not_read) == ["a.zip!/b/inner.zip!/deepest.zip", "a.zip!/b/readme.md"]
    assert all(found.not_read.values())
    assert found.refused == []


def test_a_member_whose_name_is_no_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(packed({"é.xml": b"z"}).replace("é".encode(), b"\xff\xfe"))
    contents, found = walk(path)
    assert contents == {}
    assert [refusal.file for refusal in found.refused] == ["a.zip"]


def test_a_name_that_leaves_the_archive_is_refused_and_the_rest_loads(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(
        packed({"../up.xml": b"", "/etc/abs.xml": b"", "C:\\x.xml": b"", "ok.xml": b"x"})
    )
    contents, found = walk(path)
    assert contents == {"a.zip!/ok.xml": b"x"}
    assert len(found.refused) == 3
    assert all("climbs" in refusal.reason for refusal in found.refused)


@pytest.mark.parametrize(
    "name", ["..", "a/../../b.xml", "a\\..\\b.xml", "/a", "\\a", "c:a", "//host/a"]
)
def test_names_that_leave(name: str) -> None:
    assert leaves_archive(name)


@pytest.mark.parametrize("name", ["a.xml", "a/b.xml", "a..b/c.xml", "...xml"])
def test_names_that_stay(name: str) -> None:
    assert not leaves_archive(name)


def test_what_unpacks_to_too_much_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(packed({"a.xml": b"x" * 5000}))
    contents, found = walk(path, limit=4999)
    assert contents == {}
    assert "5,000 bytes, over the limit of 4,999" in found.refused[0].reason
    assert walk(path, limit=5000)[1].refused == []
    # What lies in an inner archive counts as well.
    inner = packed({"a.xml": b"x" * 5000})
    path.write_bytes(packed({"inner.zip": inner, "b.xml": b"b"}))
    contents, found = walk(path, limit=5000)
    assert list(contents) == ["a.zip!/b.xml"]
    assert [refusal.file for refusal in found.refused] == ["a.zip!/inner.zip"]


def test_a_damaged_archive_or_member_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(b"PK no archive")
    assert [refusal.file for refusal in walk(path)[1].refused] == ["a.zip"]
    content = bytearray(packed({"a.xml": b"hello" * 40, "b.xml": b"fine"}))
    content[40] ^= 0xFF
    path.write_bytes(bytes(content))
    contents, found = walk(path)
    assert contents == {"a.zip!/b.xml": b"fine"}
    assert [refusal.file for refusal in found.refused] == ["a.zip!/a.xml"]
