import json
from pathlib import Path

import pytest

from isogloss.benchmark import dataset_version
from isogloss.errors import BenchmarkError
from isogloss.qac.export import export
from isogloss.qac.provenance import TITLE_METHOD, Provenance
from isogloss.qac.title import make_title_queries

PROVENANCE = Provenance(
    source="small",
    method=TITLE_METHOD,
    counts={"maker": "title"},
    remarks=("Distractors stay.",),
    attribution="Written for a test.\n",
)


@pytest.fixture
def made(make_row, make_families):
    rows = [
        make_row("A", "en", "Acid is here.", title="An acid", cluster="c"),
        make_row("A", "no", "Syre er her.", title="En syre", cluster="c"),
        make_row("B", "en", "acid is  here.", title="The acid", cluster="c"),
    ]
    return make_title_queries(make_families(rows))


def written(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_folder_is_whole_and_repeats(made, tmp_path: Path) -> None:
    one, other = tmp_path / "one" / "small", tmp_path / "other" / "small"
    benchmark = export(one, made.documents, made.queries, made.qrels, PROVENANCE)
    export(other, made.documents[::-1], made.queries[::-1], made.qrels[::-1], PROVENANCE)
    files = written(one)
    assert list(files) == [
        "card.md",
        "corpus.jsonl",
        "qrels/test.tsv",
        "queries.jsonl",
        "stats.json",
    ]
    assert files == written(other)
    assert benchmark.version == dataset_version(one)


def test_statistics_hold_twins_and_leakage(made, tmp_path: Path) -> None:
    export(tmp_path / "small", made.documents, made.queries, made.qrels, PROVENANCE)
    stats = json.loads((tmp_path / "small" / "stats.json").read_text("utf-8"))
    assert stats["benchmark"] == "small"
    assert stats["twins"]["exact"] == []
    assert stats["twins"]["normalised"] == [["A:en", "B:en"]]
    assert stats["twins"]["queries"] == ["A:en:title", "A:no:title", "B:en:title"]
    assert stats["twins"]["clusters"]["A:no:title"] == ["B:en"]
    assert stats["leakage"] == {"equal": [], "contained": []}
    assert stats["made"] == {"maker": "title"}
    assert stats["dataset_version"] == dataset_version(tmp_path / "small")


def test_the_card_says_what_it_must(made, tmp_path: Path) -> None:
    export(tmp_path / "small", made.documents, made.queries, made.qrels, PROVENANCE)
    card = (tmp_path / "small" / "card.md").read_text("utf-8")
    for part in (
        '- "no"',  # quoted: a bare no is false
        "synthetic: true",
        "retrieval of known items",
        "Known-item queries from titles",
        "`synthetic`, 3 documents: made up for a purpose",
        "Too small for depth figures: 3 documents",
        "white space: 1, of which equal to the last byte: 0.",
        "Distractors stay.",
        "Written for a test.",
    ):
        assert part in card, part


def test_a_card_without_attribution_asks_for_it(made, tmp_path: Path) -> None:
    provenance = Provenance(source="small", method="Made.")
    export(tmp_path / "small", made.documents, made.queries, made.qrels, provenance)
    assert "Find out and state it" in (tmp_path / "small" / "card.md").read_text("utf-8")


def test_an_invalid_benchmark_is_not_written(made, tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="no document nowhere"):
        export(
            tmp_path / "small",
            made.documents,
            made.queries,
            [(made.queries[0].id, "nowhere", 1)],
            PROVENANCE,
        )
    assert list(tmp_path.iterdir()) == []
