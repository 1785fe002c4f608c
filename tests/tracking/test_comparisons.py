"""A comparison becomes a run over all its datasets."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from isogloss.settings import EvaluationSettings
from isogloss.tracking.comparisons import (
    ComparisonFacts,
    comparison_fingerprint,
    comparison_metrics,
    comparison_record,
)

PAIR = {"a": "bm25", "b": "minilm", "delta": -0.25, "ci": None, "p": 0.5, "p_holm": None}
SIGNIFICANCE = {
    "n": 4,
    "recall_at_10": {"bm25": 0.25, "minilm": 0.5},
    "friedman": {"statistic": None, "p": None, "reason": None},
    "pairs": [PAIR],
    "letters": {"bm25": "a", "minilm": "a"},
}
FIGURES = {"gate": "failed", "k80/star": None, "floor": 0.5, "notes": {"k80/star": "censored"}}
CONTENT = {
    "benchmarks": {"epo-title": {"significance": SIGNIFICANCE}},
    "pools": {"patents": {"models": {"bm25": FIGURES}, "significance": None}},
}


@pytest.fixture
def facts(tmp_path: Path) -> ComparisonFacts:
    (tmp_path / "comparison.json").write_bytes(b"{}\n")
    return ComparisonFacts(
        dataset_versions={"epo-title": "d" * 32},
        releases={"epo-title": {"bm25": "a" * 16, "minilm": "b" * 16}},
        pools={"patents": ["epo-title"]},
        metrics_version="1",
        settings=EvaluationSettings(),
        comparison=CONTENT,
        folder=tmp_path,
    )


def test_figures_and_marks_are_named_by_benchmark_and_pool() -> None:
    metrics = comparison_metrics(CONTENT)
    assert metrics["epo-title/n"] == 4
    assert metrics["epo-title/recall_at_10/minilm"] == 0.5
    assert metrics["epo-title/pairs/bm25 vs minilm/delta"] == -0.25
    assert metrics["epo-title/pairs/bm25 vs minilm/p_holm_undefined"] == 1
    assert metrics["epo-title/friedman/p_undefined"] == 1
    assert not [name for name in metrics if "reason" in name]
    assert metrics["pool/patents/bm25/floor"] == 0.5
    assert metrics["pool/patents/bm25/k80/star_censored"] == 1


@pytest.mark.parametrize(
    "change",
    [
        {"dataset_versions": {"epo-title": "e" * 32}},
        {"releases": {"epo-title": {"bm25": "a" * 16}}},
        {"pools": {}},
        {"metrics_version": "2"},
        {"settings": EvaluationSettings(seed=1)},
    ],
)
def test_what_it_depends_on_makes_another_run(
    facts: ComparisonFacts, change: dict[str, Any]
) -> None:
    assert comparison_fingerprint(replace(facts, **change)) != comparison_fingerprint(facts)


def test_a_record_names_models_and_datasets(facts: ComparisonFacts, tmp_path: Path) -> None:
    record = comparison_record(tmp_path, facts)
    assert record.name == f"2 models on 1 benchmark ({record.fingerprint[:8]})"
    other = replace(facts, dataset_versions={"epo-title": "e" * 32})
    assert comparison_record(tmp_path, other).name != record.name
    assert record.params["models"] == "bm25, minilm"
    assert [(item.name, item.digest) for item in record.datasets] == [("epo-title", "d" * 32)]
    assert set(record.files) == {"comparison.json"}
    assert "minilm: a" in record.description
