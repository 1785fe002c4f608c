import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from isogloss.errors import DataError, UsageError, WriteError
from isogloss.files import read_parquet
from isogloss.project import Project
from isogloss.schema import CORPUS
from isogloss.settings import Settings
from isogloss.stages.corpus import run

TEXTS = {
    "en": "the catalyst holds a zeolite and the binder of the kind",
    "de": "der Katalysator enthält einen Zeolith und ein Bindemittel",
}


def project(folder: Path, **source: Any) -> Project:
    values = {"format": "google-patents", "languages": ["en", "de"]} | source
    return Project(folder, Settings.model_validate({"run": {}, "sources": {"mine": values}}))


def write_rows(folder: Path, numbers: list[str], name: str = "a.jsonl") -> None:
    raw = folder / "data" / "patents" / "mine"
    (raw / name).parent.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "publication_number": number,
            "family_id": "-1",
            "cpc": [{"code": "C07D401/04"}],
            "abstract_localized": [
                {"text": text, "language": code} for code, text in TEXTS.items()
            ],
        }
        for number in numbers
    ]
    (raw / name).write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_a_corpus_and_its_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_rows(tmp_path, ["EP-10-A1", "EP-1-A1"])
    raw = tmp_path / "data" / "patents" / "mine"
    (raw / "b.jsonl").write_text('{"broken\n' * 12)
    (raw / "notes.md").write_text("x")
    (raw / "ATTRIBUTION.md").write_text("By us.")
    made = project(tmp_path)
    run(made, "mine")
    corpus = read_parquet(made.corpus("mine"), CORPUS)
    ids = corpus.column("id").to_pylist()
    assert ids == ["EP10A1:de", "EP10A1:en", "EP1A1:de", "EP1A1:en"] == sorted(ids)
    assert corpus.column("cluster").to_pylist() == ["EP10A1", "EP10A1", "EP1A1", "EP1A1"]
    report = json.loads(made.corpus("mine").with_suffix(".json").read_text())
    assert report["files"] == {
        "read": ["a.jsonl", "b.jsonl"],
        "beside": ["ATTRIBUTION.md"],
        "not_read": ["notes.md"],
        "cut_short": [],
    }
    assert report["records"] == {"read": 14, "loaded": 2, "refused": 12, "publications": 2}
    assert report["refused"][0]["file"] == "b.jsonl"
    assert report["refused"][0]["line"] == 1
    assert report["rules"][-1]["after"] == {"publications": 2, "documents": 4}
    assert report["statistics"]["documents"] == 4
    told = capsys.readouterr()
    assert "mine: 14 records read, 12 refused" in told.out
    assert "notes.md: not read" in told.err
    assert "ATTRIBUTION" not in told.err + told.out
    assert "b.jsonl, line 10: refused" in told.err
    assert "and 2 more, named in corpora/mine.json" in told.err


def test_dropped_characters_are_counted_once_each(tmp_path: Path) -> None:
    write_rows(tmp_path, [])
    texts = {"en": "a\u200b b\x00 \ud800", "de": "ein Wort"}
    row = {
        "publication_number": "EP-1-A1",
        "cpc": [{"code": "C07"}],
        "abstract_localized": [{"text": text, "language": code} for code, text in texts.items()],
    }
    (tmp_path / "data" / "patents" / "mine" / "a.jsonl").write_text(json.dumps(row) + "\n")
    made = project(tmp_path)
    run(made, "mine")
    corpus = read_parquet(made.corpus("mine"), CORPUS)
    assert corpus.column("abstract").to_pylist() == ["ein Wort", "a b"]
    report = json.loads(made.corpus("mine").with_suffix(".json").read_text())
    assert report["characters_dropped"] == {"zero_width": 1, "nul": 1, "lone_surrogate": 1}


def test_the_same_raw_files_give_the_same_bytes(tmp_path: Path) -> None:
    contents = []
    for name in ("one", "two"):
        write_rows(tmp_path / name, [f"EP-{number}-A1" for number in range(30)])
        made = project(tmp_path / name)
        run(made, "mine")
        path = made.corpus("mine")
        contents.append((path.read_bytes(), path.with_suffix(".json").read_bytes()))
    assert contents[0] == contents[1]


def test_real_sources(tmp_path: Path, root: Path) -> None:
    (tmp_path / "data" / "patents").mkdir(parents=True)
    (tmp_path / "data" / "patents" / "mine").symlink_to(root / "data" / "patents" / "epo")
    made = project(tmp_path, format="epo", languages=["en", "de", "fr"])
    run(made, "mine")
    corpus = read_parquet(made.corpus("mine"), CORPUS)
    assert corpus.num_rows == 30
    assert all(corpus.column("claim").to_pylist())


@pytest.mark.parametrize(
    ("numbers", "source", "named"),
    [
        ([], {}, "none was loaded"),
        (["EP-1-A1"], {"selection": {"minimum_words": 50}}, "at least 50 words"),
        (["EP-1-A1"], {"languages": ["fr", "zh"]}, "target languages"),
    ],
)
def test_an_empty_corpus_says_which_rule_emptied_it(
    tmp_path: Path, numbers: list[str], source: dict[str, Any], named: str
) -> None:
    write_rows(tmp_path, numbers)
    made = project(tmp_path, **source)
    with pytest.raises(DataError, match=named):
        run(made, "mine")
    assert not made.corpus("mine").exists()
    report = json.loads(made.corpus("mine").with_suffix(".json").read_text())
    assert report["statistics"] is None
    assert report["records"]["loaded"] == len(numbers)


def write_segments(folder: Path, lengths: dict[str, int]) -> None:
    raw = folder / "data" / "patents" / "mine"
    raw.mkdir(parents=True, exist_ok=True)
    lines = [
        json.dumps({"id": f"{document}:{number}", "texts": TEXTS | {"fr": "le texte"}})
        for document, length in lengths.items()
        for number in range(length)
    ]
    (raw / "a.jsonl").write_text("\n".join(lines))


def test_documents_shorter_than_a_passage_are_named_as_the_reason(tmp_path: Path) -> None:
    write_segments(tmp_path, {"D1": 4, "D2": 1, "D3": 3, "D4": 2, "D5": 3})
    made = project(tmp_path, format="parallel")
    run(made, "mine")
    assert made.corpus("mine").exists()
    write_segments(tmp_path, {"D2": 1, "D3": 3, "D4": 2, "D5": 3})
    reason = r"none was loaded \(0 records refused, 4 documents shorter than passage_segments \(4\)"
    with pytest.raises(DataError, match=rf"{reason}\); all counts are in corpora/mine\.json"):
        run(made, "mine")
    # Nothing of the corpus before stays beside the report of this one.
    left = sorted(path.name for path in (tmp_path / "corpora").rglob("*") if path.is_file())
    assert left == ["mine.json"]
    report = json.loads((tmp_path / "corpora" / "mine.json").read_text())
    assert report["counts"]["documents_shorter_than_a_passage"] == 4


def test_every_count_that_took_text_away_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_segments(tmp_path, {"D1": 9, "D2": 1, "D3": 4})
    run(project(tmp_path, format="parallel", exclude=["D3"]), "mine")
    told = capsys.readouterr().out
    for line in (
        "mine: 14 records read, 0 refused\n",
        "left out: 1 document shorter than passage_segments (4)\n",
        "left out: 1 last passage of fewer than passage_segments (4) segments\n",
        "left out: 4 segments of documents named under exclude\n",
        "left out: 2 versions in languages that are no target (fr)\n",
    ):
        assert line in told
    assert "not known" not in told


def test_nothing_to_read_is_one_clear_line(tmp_path: Path) -> None:
    made = project(tmp_path)
    with pytest.raises(UsageError, match=r"no source 'other'.*mine"):
        run(made, "other")
    with pytest.raises(DataError, match="no such folder"):
        run(made, "mine")
    raw = tmp_path / "data" / "patents" / "mine"
    raw.mkdir(parents=True)
    (raw / "a.csv").write_text("x")
    with pytest.raises(DataError, match=r"holds no file of a google-patents source"):
        run(made, "mine")


def test_a_text_file_that_is_not_read_is_named_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = tmp_path / "data" / "patents" / "mine"
    raw.mkdir(parents=True)
    row = "EP\t1\tB1\t2006-01-02\t{}\tclaim\t1. x\n"
    (raw / "a.txt").write_text("EP\t2000001\tB1\n" + row.format("en") + row.format("de"))
    (raw / "b.txt").write_text("just a note\n")
    made = project(tmp_path, format="epo", selection={"chemistry": False})
    run(made, "mine")
    told = capsys.readouterr().err
    assert "a.txt, line 1: refused: has 3 columns" in told
    assert "b.txt: not read: none of its first lines" in told
    report = json.loads(made.corpus("mine").with_suffix(".json").read_text())
    assert report["files"]["not_read"] == ["b.txt"]
    assert report["records"] == {"read": 2, "loaded": 1, "refused": 1, "publications": 1}


def test_file_names_that_are_no_utf_8_are_read_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_rows(tmp_path, ["EP-1-A1"])
    raw = tmp_path / "data" / "patents" / "mine"
    try:
        for name in (b"bad\xff.jsonl", b"bad\xff.md"):
            (raw / os.fsdecode(name)).write_bytes(b"{broken\n{}\n")
    except OSError:
        pytest.skip("this file system takes UTF-8 names alone")
    made = project(tmp_path)
    run(made, "mine")
    report = json.loads(made.corpus("mine").with_suffix(".json").read_text(encoding="utf-8"))
    assert report["files"]["read"] == ["a.jsonl", "bad\\xff.jsonl"]
    assert report["files"]["not_read"] == ["bad\\xff.md"]
    assert report["refused"][0]["file"] == "bad\\xff.jsonl"
    assert "bad\\xff.jsonl, line 1: refused" in capsys.readouterr().err


def test_no_corpus_is_written_without_its_report(tmp_path: Path) -> None:
    write_rows(tmp_path, ["EP-1-A1"])
    made = project(tmp_path)
    made.corpus("mine").with_suffix(".json").mkdir(parents=True)
    with pytest.raises(WriteError, match=r"mine\.json: .*Is a directory"):
        run(made, "mine")
    assert not made.corpus("mine").exists()


def test_reports_of_two_copies_are_the_same_whatever_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reports = []
    for name in ("one", "copy/of/it"):
        write_rows(tmp_path / name, ["EP-1-A1"], "sub/a.jsonl")
        raw = tmp_path / name / "data" / "patents" / "mine" / "sub"
        (raw / "b.json").write_bytes("{}".encode("utf-16"))
        (raw / "c.parquet").write_bytes(b"no parquet")
        (raw / "d.jsonl.gz").write_bytes(b"no gzip")
        (raw / "e.jsonl.gz").write_bytes(gzip.compress(b"{}\n" * 99)[:-4])
        (raw / "f.jsonl").write_bytes(b'{"publication_number"')
        (raw / "g.jsonl").symlink_to("nowhere")
        made = project(tmp_path / name)
        run(made, "mine")
        reports.append(made.corpus("mine").with_suffix(".json").read_text())
        printed = capsys.readouterr()
        assert "2 files cut short, whose later records are missing" in printed.out
        told = printed.err
        assert f"{raw / 'b.json'}: refused: is UTF-16" in told
        assert f"{raw / 'd.jsonl.gz'}: refused: is no gzip file" in told
        assert f"{raw / 'f.jsonl'}: ends inside a line" in told
    assert reports[0] == reports[1]
    found = json.loads(reports[0])
    assert str(tmp_path) not in reports[0]
    assert [cut["file"] for cut in found["files"]["cut_short"]] == ["sub/e.jsonl.gz", "sub/f.jsonl"]
    assert found["records"]["refused"] == len(found["refused"])


@pytest.mark.parametrize("name", ["google-patents", "parallel"])
def test_unknown_languages_are_named_on_the_terminal_and_counted_in_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    raw = tmp_path / "data" / "patents" / "mine"
    raw.mkdir(parents=True)
    texts = TEXTS | {"klingon": "nuqneH"}
    row = {
        "id": "D:1",
        "texts": texts,
        "publication_number": "EP-1-A1",
        "cpc": [{"code": "C07D401/04"}],
        "abstract_localized": [{"text": text, "language": code} for code, text in texts.items()],
    }
    (raw / "a.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    made = project(tmp_path, format=name, passage_segments=1)
    run(made, "mine")
    told = capsys.readouterr().out
    assert "left out: 1 text under a language tag that is not known (klingon)\n" in told
    counts = json.loads(made.corpus("mine").with_suffix(".json").read_text())["counts"]
    assert counts["language_unknown"] == 1
    assert "klingon" not in str(counts)


def test_of_a_key_that_stands_twice_the_last_value_counts(tmp_path: Path) -> None:
    write_rows(tmp_path, ["EP-1-A1"])
    path = tmp_path / "data" / "patents" / "mine" / "a.jsonl"
    path.write_text(
        path.read_text().replace('{"publ', '{"publication_number": "EP-9-A1", "publ', 1)
    )
    made = project(tmp_path)
    run(made, "mine")
    corpus = read_parquet(made.corpus("mine"), CORPUS)
    assert corpus.column("family").unique().to_pylist() == ["EP1A1"]


def test_links_to_folders_and_pipes_end_nothing_and_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_rows(tmp_path, ["EP-1-A1"])
    raw = tmp_path / "data" / "patents" / "mine"
    (raw / "loop").symlink_to(raw)
    os.mkfifo(raw / "pipe.jsonl")
    made = project(tmp_path)
    run(made, "mine")
    told = capsys.readouterr().err
    assert f"{raw / 'loop'}: not read, a link to a folder" in told
    assert f"{raw / 'pipe.jsonl'}: not read, a pipe" in told
    report = json.loads(made.corpus("mine").with_suffix(".json").read_text())
    assert report["files"]["not_read"] == ["loop", "pipe.jsonl"]
