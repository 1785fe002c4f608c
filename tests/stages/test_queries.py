import json
from pathlib import Path

import pyarrow as pa
import pytest

from isogloss.benchmark import read_benchmark
from isogloss.errors import DataError, UsageError
from isogloss.files import write_parquet
from isogloss.project import Project
from isogloss.schema import CORPUS
from isogloss.settings import Settings
from isogloss.stages import queries

SETTINGS = Settings.model_validate(
    {
        "run": {},
        "sources": {
            "small": {
                "format": "epo",
                "languages": ["de", "en"],
                "selection": {"chemistry": False},
            }
        },
        "benchmarks": {
            "small-title": {"source": "small", "maker": "title"},
            "small-cloze": {"source": "small", "maker": "cloze", "seed": 4},
            "small-cloze-again": {"source": "small", "maker": "cloze", "seed": 4},
        },
    }
)
TEXTS = {
    "de": "Der Katalysator ist an Kieselgel gebunden. Die Ausbeute beträgt genau neunzig Prozent.",
    "en": "The catalyst is bound to porous silica. The yield is exactly ninety percent.",
}


def row(family: str, language: str, title: str) -> dict[str, object]:
    texts = {"title": title, "abstract": TEXTS[language], "claim": ""}
    return {
        "id": f"{family}:{language}",
        "family": family,
        "cluster": "c" if family in "AB" else family,
        "language": language,
        "segments": [],
        "codes": [],
        "office": "EP",
        "date": None,
        "origin": "published",
        **texts,
        **{f"{key}_original": text for key, text in texts.items()},
    }


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path, SETTINGS)
    rows = [row(family, code, f"{family} {code}") for family in "ABC" for code in ("en", "de")]
    write_parquet(made.corpus("small"), pa.Table.from_pylist(rows, schema=CORPUS))
    return made


def test_title_queries_end_to_end(project: Project) -> None:
    queries.run(project, "small-title")
    benchmark = read_benchmark(project.benchmark("small-title"))
    assert [query.id for query in benchmark.queries] == [
        f"{family}:{code}:title" for family in "ABC" for code in ("de", "en")
    ]
    assert len(benchmark.judged_queries) == 12
    stats = json.loads((project.benchmark("small-title") / "stats.json").read_text("utf-8"))
    assert stats["made"]["documents"] == {"read": 6, "kept": 6, "without_text": 0}
    # A, B and C hold the same text, A and B in one cluster.
    assert len(stats["twins"]["exact"]) == 2
    assert sorted(stats["twins"]["clusters"]) == [
        f"{family}:{code}:title" for family in "AB" for code in ("de", "en")
    ]


def test_the_card_names_distractors_and_credit(project: Project) -> None:
    credit = project.raw("small") / "ATTRIBUTION.md"
    credit.parent.mkdir(parents=True)
    credit.write_text("Text by an office.\n", "utf-8")
    queries.run(project, "small-title")
    card = (project.benchmark("small-title") / "card.md").read_text("utf-8")
    assert "as distractors" in card
    assert "Text by an office." in card


def test_same_seed_same_bytes(project: Project) -> None:
    for name in ("small-cloze", "small-cloze-again"):
        queries.run(project, name)
    one, other = (project.benchmark(name) for name in ("small-cloze", "small-cloze-again"))
    for part in ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv"):
        assert (one / part).read_bytes() == (other / part).read_bytes()
    before = {path: path.read_bytes() for path in one.rglob("*") if path.is_file()}
    queries.run(project, "small-cloze")
    assert {path: path.read_bytes() for path in one.rglob("*") if path.is_file()} == before


def test_an_unknown_benchmark_is_named(project: Project) -> None:
    with pytest.raises(UsageError, match=r"no benchmark 'other'.*small-cloze.*small-title"):
        queries.run(project, "other")


def test_a_corpus_without_titles_gives_no_benchmark(project: Project) -> None:
    rows = [row("A", "en", ""), row("A", "de", "")]
    write_parquet(project.corpus("small"), pa.Table.from_pylist(rows, schema=CORPUS))
    told = (
        r"small\.parquet.*title no query \(documents: read 2, kept 2; de: families 1, no title 1;"
    )
    with pytest.raises(DataError, match=told):
        queries.run(project, "small-title")
    assert not project.benchmark("small-title").exists()


def test_a_missing_corpus_says_which_stage(project: Project) -> None:
    project.corpus("small").unlink()
    with pytest.raises(DataError, match="run the stage that makes it"):
        queries.run(project, "small-title")
