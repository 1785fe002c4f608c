"""A small project with a retriever of every derived kind, embedded and evaluated once."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tracked_projects import BENCHMARK, empty_database, make_project

from isogloss.benchmark import read_benchmark
from isogloss.project import Project, find_project
from isogloss.retrieval.ranking import Ranking
from isogloss.retrieval.run_file import read_run
from isogloss.stages import embed, evaluate
from llm.loopback import Answer, Call, Loopback, answer

WORDS = {"de": "Säure", "en": "acid", "zh": "酸类"}
MODELS = {
    "fused": "kind: fusion\nmodels: [char-ngrams, bm25]\nmethod: rrf\n",
    "weighted": (
        "kind: fusion\nmodels: [char-ngrams, bm25]\nmethod: min-max\nweights: [0.3, 0.7]\n"
    ),
    "centred": "kind: centred\nmodel: char-ngrams\nquery_mean: queries\n",
    "approximate": "kind: approximate\nmodel: char-ngrams\nlists: 6\nprobes: [1, 2]\n",
    "reranked": "kind: rerank\nfirst: fused\ntop: 5\nscorer: {kind: encoder, model: char-ngrams}\n",
    "translated": ("kind: query-translation\nmodel: bm25\ninto: documents\ntranslator: gpt-5.5\n"),
    "pivot": ("kind: query-translation\nmodel: char-ngrams\ninto: [en]\ntranslator: gpt-5.5\n"),
}
DERIVED = {
    "fused": "char-ngrams, bm25",
    "reranked": "fused, char-ngrams",
    "translated": "bm25",
    "approximate": "char-ngrams",
}


def lay_out(root: Path) -> Project:
    make_project(root)
    lines = "".join(
        f"    {BENCHMARK}--{model}: {{benchmark: {BENCHMARK}, model: {model}, parts: [{parts}]}}\n"
        for model, parts in DERIVED.items()
    )
    params = (root / "params.yaml").read_text("utf-8")
    params = params.replace("pools:", f"  derived:\n{lines}pools:")
    (root / "params.yaml").write_text(params, "utf-8")
    for key, content in MODELS.items():
        (root / "models" / f"{key}.yaml").write_text(f"{content}licence: mit\n", "utf-8")
    return find_project(root)


def dictionary(project: Project) -> dict[tuple[str, str], str]:
    """The word of each language for a word of another: families share a place in the lists."""
    words: dict[str, dict[str, str]] = {}
    for document in read_benchmark(project.benchmark(BENCHMARK)).documents:
        meta = document.metadata
        words.setdefault(meta.family, {})[meta.language] = document.content.split()[0]
    return {
        (by_language[source], target): by_language[target]
        for by_language in words.values()
        for source in by_language
        for target in by_language
    }


NAMES = {"German": "de", "English": "en", "Simplified Chinese": "zh"}


def translator(project: Project):
    known = dictionary(project)

    def behave(call: Call) -> Answer:
        system, user = (turn["content"] for turn in call.json["messages"])
        target = next(
            code for name, code in NAMES.items() if f"Translate it into {name} " in system
        )
        text = user.split("\n")[1]
        return answer(json.dumps({"translation": known[text, target]}, ensure_ascii=False))

    return behave


def asking(project: Project, url: str) -> Project:
    model = project.settings.chat.translator.model_copy(
        update={"base_url": url, "api_key_env": None}
    )
    chat = project.settings.chat.model_copy(update={"translator": model})
    return Project(project.root, project.settings.model_copy(update={"chat": chat}))


@pytest.fixture(scope="module", name="made")
def derived_project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """Everything embedded and evaluated once; tests must leave it as it is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        patch.delenv("OPENAI_API_KEY", raising=False)
        project = lay_out(tmp_path_factory.mktemp("derive"))
        for key in ("bm25", "char-ngrams"):
            embed.run(project, BENCHMARK, key)
        with Loopback(translator(project)) as server:
            for key in MODELS:
                embed.run(asking(project, server.url), BENCHMARK, key)
        for key in ("bm25", "char-ngrams", *MODELS):
            evaluate.run(project, BENCHMARK, key)
        yield project


@pytest.fixture(name="copy")
def derived_copy(made: Project, tmp_path: Path) -> Project:
    """The same project elsewhere, with an empty tracking store."""
    for folder in ("benchmark", "embeddings", "lancedb", "models", "recordings", "results"):
        shutil.copytree(made.root / folder, tmp_path / folder)
    shutil.copy(made.root / "params.yaml", tmp_path)
    (tmp_path / "mlflow.db").write_bytes(empty_database())
    return Project(tmp_path, made.settings)


def ranked(project: Project, model: str) -> Ranking:
    benchmark = read_benchmark(project.benchmark(BENCHMARK), BENCHMARK)
    return read_run(project.results(BENCHMARK, model) / "run.trec.gz", benchmark)


def metrics(project: Project, model: str) -> dict[str, Any]:
    path = project.results(BENCHMARK, model) / "metrics.json"
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
