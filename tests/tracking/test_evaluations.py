"""An evaluation becomes a run: what identifies it, what it holds, what it is called."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from isogloss.project import Project
from isogloss.settings import EvaluationSettings
from isogloss.tracking.evaluations import (
    EvaluationFacts,
    describe,
    evaluation_files,
    evaluation_fingerprint,
    evaluation_record,
    log_evaluation,
)
from isogloss.tracking.identity import text_hash
from isogloss.tracking.store import open_store


@pytest.fixture
def facts(tmp_path: Path) -> EvaluationFacts:
    folder = tmp_path / "results" / "retrieval" / "tico19-cloze" / "minilm"
    (folder / "figures").mkdir(parents=True)
    (folder / "metrics.json").write_bytes(b"{}\n")
    (folder / "figures" / "routes.png").write_bytes(b"png")
    return EvaluationFacts(
        benchmark="tico19-cloze",
        model="minilm",
        dataset_version="d" * 32,
        release="a" * 16,
        metrics_version="1",
        settings=EvaluationSettings(),
        metrics={
            "n_queries": 4,
            "n_dual_gold": 4,
            "recall_at_10/same": 0.5,
            "recall_at_10/cross": None,
            "ci/recall_at_10/same": [0.25, 0.75],
            "gate": "failed",
            "notes": {"recall_at_10/cross": "no query has cross-language gold"},
        },
        routes={"query_language": ["no"], "document_language": ["no"], "n": [4]},
        folder=folder,
        prompts={"query": "query: ä", "document": "passage: 再" * 1000},
        declaration={"dtype": "float16", "prompts.query": "query: "},
        counts={"documents": 9, "queries": 4},
    )


@pytest.mark.parametrize(
    "change",
    [
        {"dataset_version": "e" * 32},
        {"release": "b" * 16},
        {"metrics_version": "2"},
        {"settings": EvaluationSettings(seed=1)},
        {"settings": EvaluationSettings(gate=0.2)},
    ],
)
def test_what_figures_depend_on_makes_another_run(
    facts: EvaluationFacts, change: dict[str, Any]
) -> None:
    assert evaluation_fingerprint(replace(facts, **change)) != evaluation_fingerprint(facts)


def test_what_they_do_not_depend_on_does_not(facts: EvaluationFacts, tmp_path: Path) -> None:
    same = replace(facts, folder=tmp_path, counts={}, declaration={})
    assert evaluation_fingerprint(same) == evaluation_fingerprint(facts)


def test_a_record_says_where_it_came_from(facts: EvaluationFacts) -> None:
    record = evaluation_record(facts, {"dirty": "false"}, None)
    assert record.experiment == "retrieval/tico19-cloze"
    assert record.name == "minilm on tico19-cloze (dddddddd)"
    assert record.tags["dtype"] == "float16"
    assert record.tags["gate"] == "failed"
    assert record.tags["dirty"] == "false"
    assert record.params["prompt.document"] == text_hash("passage: 再" * 1000)
    assert record.params["evaluation.seed"] == 20260101
    assert set(record.files) == {
        *("metrics.json", "figures/routes.png", "prompts/query.txt", "prompts/document.txt")
    }
    assert len(record.datasets[0].digest) == 32


def test_other_prompts_have_another_hash(facts: EvaluationFacts) -> None:
    swapped = replace(facts, prompts={"query": "", "document": "query: ä"})
    hashes = {evaluation_record(given, {}, None).tags["prompt.hash"] for given in (facts, swapped)}
    assert len(hashes) == 2


def test_the_note_gives_headline_and_reasons(facts: EvaluationFacts) -> None:
    note = describe(replace(facts, dvc={"dvc.md5": "1" * 32 + ".dir", "dvc.rev": "data-v1"}))
    assert "0.500 [0.250, 0.750]" in note
    assert "no query has cross-language gold" in note
    assert "data-v1" in note
    assert len(describe(replace(facts, metrics={"notes": {"x": "y" * 9000}}))) <= 8000


@pytest.mark.parametrize(
    ("card", "body"),
    [
        ('---\nlanguage:\n- "en"\n---\n\n# tico19\n\n---\n', "# tico19\n\n---\n"),
        ("# tico19\n\n---\nend\n---\n", "# tico19\n\n---\nend\n---\n"),
        ("---\nnever closed\n", "---\nnever closed\n"),
    ],
)
def test_a_card_is_kept_without_its_front_matter(
    facts: EvaluationFacts, tmp_path: Path, card: str, body: str
) -> None:
    path = tmp_path / "card.md"
    path.write_text(card, encoding="utf-8")
    assert evaluation_files(replace(facts, cited={"card.md": path}))["card.md"] == body.encode()


def test_an_evaluation_is_logged_once_and_linked_to_its_release(
    project: Project, facts: EvaluationFacts
) -> None:
    first = log_evaluation(project, facts)
    assert log_evaluation(project, facts) == replace(first, outcome="unchanged")
    other = log_evaluation(project, replace(facts, settings=EvaluationSettings(seed=2)))
    assert other.outcome == "new"
    client = open_store(project).client
    models = {
        client.get_run(run).inputs.model_inputs[0].model_id for run in (first.run_id, other.run_id)
    }
    assert len(models) == 1
    path = client.download_artifacts(first.run_id, "prompts/document.txt")
    assert Path(path).read_bytes() == ("passage: 再" * 1000).encode()
