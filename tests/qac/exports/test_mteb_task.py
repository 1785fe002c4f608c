import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import mteb
import numpy as np
import pytest
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import InputModule

from isogloss.qac.exports.finished import Finished
from isogloss.retrieval.char_ngrams import CharacterNgramModel
from isogloss.retrieval.declaration import CharacterNgrams, read_declaration
from isogloss.retrieval.encoders import load_encoder
from isogloss.retrieval.evaluation import Evaluation, evaluate_ranking
from isogloss.retrieval.search import search
from isogloss.settings import EvaluationSettings


class Grams(InputModule):
    """Our floor as a module of the library that mteb expects."""

    def __init__(self, declaration: CharacterNgrams) -> None:
        super().__init__()
        self._model = CharacterNgramModel(declaration)

    def preprocess(self, inputs: Any, prompt: str | None = None, **_: Any) -> dict[str, Any]:
        return {"sentence_embedding": torch.from_numpy(self._model.encode(list(inputs), 32))}

    def forward(self, features: dict[str, Any], **_: Any) -> dict[str, Any]:
        return features

    def save(self, *_: Any, **__: Any) -> None:
        pass


def load_task(folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("exported_task", folder / "mteb_task.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def declaration(root: Path) -> CharacterNgrams:
    found = read_declaration(root / "models" / "char-ngrams.yaml")
    assert isinstance(found, CharacterNgrams)
    return found


@pytest.fixture
def theirs(exported: Path, declaration, offline) -> dict[str, Any]:
    model = SentenceTransformer(modules=[Grams(declaration)], device="cpu")
    task = load_task(exported).IsoglossTask()
    result = mteb.evaluate(
        model, task, cache=None, show_progress_bar=False, co2_tracker=False
    ).task_results[0]
    assert result.task_name == "IsoglossTinyTitle"
    assert list(result.scores) == ["test"]
    (scores,) = result.scores["test"]
    return scores


@pytest.fixture
def ours(finished: Finished, declaration) -> Evaluation:
    benchmark, encoder = finished.benchmark, load_encoder(declaration)
    ranking = search(
        encoder.encode([one.text for one in benchmark.queries], "query"),
        encoder.encode([one.content for one in benchmark.documents], "document"),
    )
    return evaluate_ranking(benchmark, ranking, EvaluationSettings(), intervals=False)


def test_mteb_repeats_recall(theirs: dict[str, Any], ours: Evaluation) -> None:
    for cutoff in (10, 25, 50):
        for side in ("same", "cross"):
            mine = ours.metrics[f"recall_at_{cutoff}/{side}"]
            assert theirs[f"recall_at_{cutoff}_{side}"] == pytest.approx(mine, abs=1e-12)
    assert theirs["main_score"] == theirs["recall_at_10_cross"]
    # One pool: a model that finds everything or nothing would prove nothing.
    assert 0.1 < theirs["recall_at_10_cross"] < theirs["recall_at_10_same"]
    assert theirs["languages"] == ["deu-Latn", "eng-Latn", "nor-Latn", "zho-Hans"]
    # mteb's own figure is the mean over queries of recall over all gold, to five decimals.
    recalls = ours.queries["recall_at_10"].drop_null().to_numpy()
    assert len(recalls) == 28
    assert theirs["recall_at_10"] == pytest.approx(np.mean(recalls), abs=1e-5)


def test_ids_qrels_and_texts_are_ours(exported: Path, finished: Finished, offline) -> None:
    task = load_task(exported).IsoglossTask()
    task.load_data()
    data = task.dataset["default"]["test"]
    benchmark = finished.benchmark
    assert data["corpus"]["id"][:] == [one.id for one in benchmark.documents]
    assert data["corpus"]["text"][:] == [one.content for one in benchmark.documents]
    gold = {
        (benchmark.queries[query].id, benchmark.documents[document].id): int(value)
        for query, document, value in zip(
            benchmark.judged_queries,
            benchmark.judged_documents,
            benchmark.judged_values,
            strict=True,
        )
        if not benchmark.queries[query].id.startswith("Q7")
    }
    found = {
        (query, document): value
        for query, pairs in data["relevant_docs"].items()
        for document, value in pairs.items()
    }
    assert found == gold
    assert data["queries"]["id"][:] == sorted({query for query, _ in gold})


def test_ties_are_broken_by_id_ascending(exported: Path) -> None:
    order = load_task(exported)._order({"b": 0.5, "a": 0.5 + 1e-12, "c": 0.9, "d": 0.1})
    assert order == ["c", "a", "b", "d"]


def test_the_task_stands_without_this_project(exported: Path) -> None:
    """Its folder is all it needs, wherever it lies."""
    moved = exported.rename(exported.parent / "moved elsewhere")
    code = (
        "import sys; sys.modules['isogloss'] = None; import mteb_task; "
        "print(mteb_task.IsoglossTask().metadata.dataset['path'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=moved, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(moved)
    assert json.loads((moved / "mteb_task.json").read_text("utf-8"))["type"] == "Retrieval"
