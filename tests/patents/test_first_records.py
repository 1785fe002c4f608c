import zipfile
from pathlib import Path

import pytest

from isogloss.patents.first_records import HEAD_BYTES, wrong_files
from isogloss.patents.raw_files import find_files
from isogloss.settings import SourceSettings

ROW = '{"publication_number": "EP-1-A1"}\n'
LINE = '{"id": "D:1", "texts": {"en": "a"}}\n'
TMX = '<tmx version="1.4"><body><tu tuid="{}"><tuv/></tu>{}</body></tmx>'
XML = '<ep-patent-document country="EP" doc-number="1" kind="B1"/>'
TSV = "EP\t1\tB1\t20200101\ten\tTITLE\ta title\n"


def wrong(folder: Path, kind: str, files: dict[str, str | bytes]) -> dict[str, str]:
    for name, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        (folder / name).write_bytes(data)
    settings = SourceSettings.model_validate({"format": kind, "languages": ["en"]})
    return dict(wrong_files(find_files(folder, kind).read, settings))


@pytest.mark.parametrize(
    ("kind", "files"),
    [
        ("google-patents", {"a.jsonl": ROW, "b.json": "{broken\n" + ROW}),
        ("parallel", {"a.jsonl": "{broken\n" + LINE, "b.tmx": TMX.format("D:1", "")}),
        ("parallel", {"long.tmx": TMX.format("D:1", "<tu tuid='D:2'/>" * (HEAD_BYTES // 15))}),
        (
            "epo",
            {
                "a.xml": XML,
                "b.tsv": "damaged\n" + TSV,
                "notes.txt": "what I thought",
                "c.xml": "<cut",
            },
        ),
    ],
)
def test_a_file_with_one_usable_record_at_its_head_passes(tmp_path, kind, files) -> None:
    assert wrong(tmp_path, kind, files) == {}


@pytest.mark.parametrize(
    ("kind", "name", "content", "reason"),
    [
        ("google-patents", "a.jsonl", LINE, "hold no publication_number"),
        ("google-patents", "a.jsonl", "<tmx/>\n", "line 1: "),
        ("google-patents", "a.jsonl", "", "it is empty"),
        ("google-patents", "a.parquet", "no parquet", "parquet"),
        ("google-patents", "a.jsonl.gz", ROW, "gzip"),
        ("parallel", "a.jsonl", ROW, "line 1: "),
        ("parallel", "a.jsonl", LINE.replace("D:1", "D1"), "must be DOCUMENT:SEGMENT"),
        ("parallel", "a.jsonl", "\n", "holds no record"),
        ("parallel", "a.tmx", TMX.format("", ""), "must be DOCUMENT:SEGMENT"),
        ("parallel", "a.tmx", "<tmx></tmx>", "holds no record"),
        ("parallel", "a.tmx", XML, "the root is <ep-patent-document>, not <tmx>"),
        ("parallel", "a.tmx", "<tmx><body>", "line 1"),
        ("parallel", "a.zip", "no archive", "no readable ZIP archive"),
        ("epo", "a.xml", TMX.format("D:1", ""), "the root is <tmx>"),
        ("epo", "a.txt", "what I thought", "none of its first lines has the seven columns"),
        ("epo", "a.tsv", "EP\t1\tB1\n" * 3, "line 1: has 3 columns"),
    ],
)
def test_a_wholly_wrong_file_is_named(tmp_path, kind, name, content, reason) -> None:
    found = wrong(tmp_path, kind, {name: content})
    assert list(found) == [name]
    assert reason in found[name]
    assert str(tmp_path) not in found[name]


def test_the_first_member_of_an_archive_is_looked_at(tmp_path) -> None:
    for name, content in (("good.zip", LINE), ("wrong.zip", ROW)):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("notes.md", "x")
            archive.writestr("a.jsonl", content)
    assert list(wrong(tmp_path, "parallel", {})) == ["wrong.zip"]


def test_single_documents_are_named_where_none_is_usable(tmp_path) -> None:
    assert list(wrong(tmp_path, "epo", {"a.xml": "<cut", "b.xml": "<x/>"})) == ["a.xml", "b.xml"]
    assert wrong(tmp_path, "epo", {"c.xml": XML}) == {}
    with zipfile.ZipFile(tmp_path / "d.zip", "w") as archive:
        for name in ("a.xml", "b.xml", "c.xml"):
            archive.write(tmp_path / name, name)
    (tmp_path / "c.xml").unlink()
    assert wrong(tmp_path, "epo", {}) == {}


def test_the_sample_passes(root) -> None:
    for source in ("epo", "google-patents", "tico19"):
        kind = "parallel" if source == "tico19" else source
        settings = SourceSettings.model_validate({"format": kind, "languages": ["en"]})
        files = find_files(root / "data" / "patents" / source, kind).read
        assert files
        assert wrong_files(files, settings) == []
