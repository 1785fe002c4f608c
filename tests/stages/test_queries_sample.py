"""The sample from raw files to benchmarks, with the counts its cards print."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from isogloss.benchmark import Benchmark, read_benchmark
from isogloss.project import Project
from isogloss.settings import load_settings
from isogloss.stages import corpus, queries


@pytest.fixture(scope="module")
def project(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The repository's settings and raw data, with outputs elsewhere."""
    place = tmp_path_factory.mktemp("sample")
    (place / "data").symlink_to(root / "data", target_is_directory=True)
    made = Project(place, load_settings(root / "params.yaml"))
    for source in ("epo", "google-patents", "tico19"):
        corpus.run(made, source)
    for name in made.settings.benchmarks:
        queries.run(made, name)
    return made


@pytest.fixture
def benchmark(project: Project, request: pytest.FixtureRequest) -> Benchmark:
    return read_benchmark(project.benchmark(request.param))


@pytest.fixture
def stats(project: Project, request: pytest.FixtureRequest) -> dict[str, Any]:
    path = project.benchmark(request.param) / "stats.json"
    return json.loads(path.read_text("utf-8"))


@pytest.mark.parametrize("stats", ["tico19-cloze"], indirect=True)
def test_each_passage_gives_one_query_and_languages_balance(stats) -> None:
    assert (stats["corpus_docs"], stats["queries"]) == (5047, 721)
    assert (stats["qrels"], stats["cross_qrels"]) == (5047, 4326)
    assert [one["queries"] for one in stats["languages"].values()] == [103] * 7
    assert stats["leakage"] == {"contained": [], "equal": []}
    assert stats["origins"] == {"human-translated": 5047}


@pytest.mark.parametrize("stats", ["google-patents-cloze"], indirect=True)
def test_families_out_of_step_give_no_cloze_query(stats) -> None:
    made = stats["made"]
    assert (stats["corpus_docs"], made["families"], made["queries"]) == (113, 27, 25)
    assert {reason: n for reason, n in made["skipped"].items() if n} == {
        "one_sentence": 1,
        "sentence_counts_differ": 1,
    }
    assert [one["queries"] for one in stats["languages"].values()] == [5] * 5
    assert stats["origins"] == {"synthetic": 113}


@pytest.mark.parametrize("stats", ["google-patents-title"], indirect=True)
def test_twins_of_a_cluster_are_reported(stats) -> None:
    assert (stats["queries"], stats["qrels"], stats["cross_qrels"]) == (112, 498, 386)
    assert stats["made"]["by_language"]["de"] == {
        "families": 27,
        "queries": 21,
        "no_title": 1,
        "no_version": 5,
    }
    assert stats["twins"]["exact"] == [
        [f"EP9900125B1:{code}", f"WO2021900114A1:{code}"] for code in ("de", "en", "fr")
    ]
    assert len(stats["twins"]["clusters"]) == 15


@pytest.mark.parametrize("stats", ["epo-title"], indirect=True)
def test_real_specifications_keep_their_three_titles(stats) -> None:
    assert (stats["corpus_docs"], stats["queries"]) == (72, 72)
    assert Counter(stats["routes"].values()) == {24: 9}


@pytest.mark.parametrize(
    ("benchmark", "kind"),
    [
        ("tico19-cloze", "cloze"),
        ("google-patents-cloze", "cloze"),
        ("google-patents-title", "title"),
        ("epo-title", "title"),
    ],
    indirect=["benchmark"],
)
def test_queries_say_that_they_are_known_items(benchmark, kind) -> None:
    labels = {(query.metadata.setup, query.metadata.mode) for query in benchmark.queries}
    assert labels == {("known-item", kind)}
    assert all(document.content for document in benchmark.documents)


def test_cards_carry_credit_and_marks(project: Project) -> None:
    card = {
        name: (project.benchmark(name) / "card.md").read_text("utf-8")
        for name in project.settings.benchmarks
    }
    for name in ("google-patents-title", "google-patents-cloze"):
        assert "\nsynthetic: true\n" in card[name].split("---")[1]
        assert "They are no patents" in card[name]
    assert "CC0" in card["tico19-cloze"]
    assert "Too small for depth figures" not in card["tico19-cloze"]
    assert "European Patent Office" in card["epo-title"]
    assert "as distractors" in card["epo-title"]
    assert "Too small for depth figures" in card["epo-title"]
