import json
from pathlib import Path
from typing import Any

import pytest

from isogloss.errors import DataError, UsageError
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
    raw.mkdir(parents=True, exist_ok=True)
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
    made = project(tmp_path)
    run(made, "mine")
    corpus = read_parquet(made.corpus("mine"), CORPUS)
    ids = corpus.column("id").to_pylist()
    assert ids == ["EP10A1:de", "EP10A1:en", "EP1A1:de", "EP1A1:en"] == sorted(ids)
    assert corpus.column("cluster").to_pylist() == ["EP10A1", "EP10A1", "EP1A1", "EP1A1"]
    report = json.loads(made.corpus("mine").with_suffix(".json").read_text())
    assert report["files"] == {
        "read": ["a.jsonl", "b.jsonl"],
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
    assert "b.jsonl, line 10: refused" in told.err
    assert "and 2 more" in told.err


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
