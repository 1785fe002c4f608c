import zipfile
from pathlib import Path
from typing import Any

import pytest

from isogloss.patents.epo import ingest_epo
from isogloss.patents.ingest import Ingested
from isogloss.settings import SourceSettings

from .epo_files import specification


def ingest(folder: Path, files: dict[str, bytes], **selection: Any) -> Ingested:
    for name, content in files.items():
        (folder / name).write_bytes(content)
    settings = SourceSettings(format="epo", languages=["de", "en", "fr"], selection=selection)
    return ingest_epo([(folder / name, name) for name in sorted(files)], settings)


def test_the_real_documents(root: Path) -> None:
    folder = root / "data" / "patents" / "epo"
    files = [
        (path, path.relative_to(folder).as_posix())
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".xml", ".txt")
    ]
    settings = SourceSettings(format="epo", languages=["en", "de", "fr"])
    found = ingest_epo(files, settings)
    assert len(files) == 45
    # Five of the files as published are not well-formed: bare ampersands and a bare bracket.
    assert found.records == {"read": 47, "loaded": 42, "refused": 5, "publications": 24}
    assert {refusal.file for refusal in found.refused} == {
        "application/v1-2-A1.xml",
        "application/v1-4-A1-1.xml",
        "application/v1-4-A1.xml",
        "application/v1-5-1-A1-2.xml",
        "grant/EP19188132B1.xml",
    }
    assert found.rules[-1]["after"] == {"publications": 10, "documents": 30}
    assert [one.number for one in found.publications] == [
        "EP0138357B1",
        "EP0430402B2",
        "EP0610335B1",
        "EP0697382B1",
        "EP0773297B2",
        "EP0874807B2",
        "EP1291416B1",
        "EP1442058B1",
        "EP1451194B2",
        "EP2361995B2",
    ]
    for publication in found.publications:
        assert [version.language for version in publication.versions] == ["de", "en", "fr"]
        assert all(version.title and version.claim for version in publication.versions)


def test_an_abstract_joins_in_its_own_language_from_the_application(tmp_path: Path) -> None:
    files = {
        "b.xml": specification("1", "B1"),
        "a2.xml": specification("1", "A2", abstract=("en", "From A2."), claims=()),
        "a1.xml": specification("1", "A1", abstract=("en", "From A<sub>1</sub>."), claims=()),
        "other.xml": specification("2", "A1", abstract=("de", "Fremd."), claims=()),
    }
    found = ingest(tmp_path, files)
    (publication,) = found.publications
    assert {one.language: one.abstract for one in publication.versions} == {
        "de": "",
        "en": "From A1.",
    }
    assert found.counts == {"kind_A1_makes_no_document": 2, "kind_A2_makes_no_document": 1}


def test_a_placeholder_is_no_abstract(tmp_path: Path) -> None:
    files = {
        "a.xml": specification("1", "A1", abstract=("en", "Abstract not available"), claims=()),
        "b.xml": specification("1", "B1"),
    }
    (publication,) = ingest(tmp_path, files).publications
    assert [version.abstract for version in publication.versions] == ["", ""]


@pytest.mark.parametrize(
    ("kind", "documents"), [("B1", 2), ("B2", 2), ("B3", 2), ("B9", 2), ("B8", 0), ("A1", 0)]
)
def test_kinds_that_make_documents(tmp_path: Path, kind: str, documents: int) -> None:
    found = ingest(tmp_path, {"a.xml": specification("1", kind)})
    assert sum(len(one.versions) for one in found.publications) == documents


def test_versions_without_language_or_first_claim_are_counted(tmp_path: Path) -> None:
    claims = [
        (None, "1. Lost."),
        ("en", ""),
        ("de", "1. Da."),
        ("de", "1. Nochmals."),
        ("it", "1. Altro."),
    ]
    found = ingest(tmp_path, {"a.xml": specification(claims=claims)}, minimum_languages=1)
    (publication,) = found.publications
    assert [(one.language, one.claim) for one in publication.versions] == [("de", "1. Da.")]
    assert found.counts == {
        "claims_language_unknown": 1,
        "first_claim_empty": 1,
        "further_claims_of_a_language": 1,
    }
    assert found.other_languages == {"it": 1}


def test_the_same_number_twice_keeps_the_first_by_file_name(tmp_path: Path) -> None:
    files = {
        "b.xml": specification(titles=[("en", "Second")]),
        "a.xml": specification(titles=[("en", "First")]),
    }
    found = ingest(tmp_path, files)
    (publication,) = found.publications
    assert publication.versions[1].title == "First"
    assert found.conflicts == [
        {"id": "EP0000001B1", "kind": "number", "kept": "a.xml", "left_out": "b.xml"}
    ]


def test_two_specifications_of_one_patent_share_a_cluster(tmp_path: Path) -> None:
    files = {
        "a.xml": specification("1", "B1"),
        "b.xml": specification("1", "B2"),
        "c.xml": specification("2", "B1"),
    }
    assert [(one.number, one.cluster) for one in ingest(tmp_path, files).publications] == [
        ("EP1B1", "EP1B1"),
        ("EP1B2", "EP1B1"),
        ("EP2B1", "EP2B1"),
    ]


def test_archives_and_text_files_are_read_and_the_rest_is_named(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("in/x.xml", specification("1", "B1"))
        archive.writestr("in/broken.xml", b"<a>R&D</a>")
    rows = b"".join(
        f"EP\t9\tB1\t2006-01-02\t{language}\tCLAIM\t1. x\n".encode() for language in ("en", "de")
    )
    files = {"b.txt": rows, "c.txt": b"just a note\n", "a.zip": (tmp_path / "a.zip").read_bytes()}
    found = ingest(tmp_path, files, chemistry=False)
    assert [one.number for one in found.publications] == ["EP1B1", "EP9B1"]
    assert list(found.not_read) == ["c.txt"]
    assert "text-analytics" in found.not_read["c.txt"]
    assert [refusal.file for refusal in found.refused] == ["a.zip!/in/broken.xml"]


def test_one_damaged_first_line_is_refused_and_every_unit_counts_once(tmp_path: Path) -> None:
    good = b"EP\t9\tB1\t2006-01-02\ten\tCLAIM\t1. x\nEP\t9\tB1\t2006-01-02\tde\tCLAIM\t1. y\n"
    broken = b"EP\t8\tB1\t2006-01-02\ten\tCLAIM\t<claim>\n"
    files = {"a.txt": b"EP\t2000001\tB1\n" + good + broken, "b.txt": good.decode().encode("utf-16")}
    found = ingest(tmp_path, files, chemistry=False)
    assert [one.number for one in found.publications] == ["EP9B1"]
    named = [(refusal.file, refusal.line) for refusal in found.refused]
    assert named == [("a.txt", 1), ("a.txt", 4), ("b.txt", None)]
    assert found.records == {"read": 4, "loaded": 1, "refused": 3, "publications": 1}
    assert found.not_read == {}


def test_a_file_that_cannot_be_opened_is_refused_and_the_rest_loads(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(specification())
    names = ("a.xml", "gone.xml", "gone.txt", "gone.zip")
    settings = SourceSettings(format="epo", languages=["de", "en"])
    found = ingest_epo([(tmp_path / name, name) for name in names], settings)
    assert len(found.publications) == 1
    assert {refusal.file for refusal in found.refused} == set(names[1:])
    assert not any(str(tmp_path) in refusal.reason for refusal in found.refused)
