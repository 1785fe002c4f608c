"""Stage evaluate@B-M: rank with the stored vectors, score, draw and log; loads no model."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from isogloss.benchmark import Benchmark, read_benchmark
from isogloss.errors import TrackingError, UsageError, VersionMismatchError
from isogloss.files import write_bytes
from isogloss.progress import note
from isogloss.project import Project
from isogloss.retrieval.declaration import ModelDeclaration, read_declaration
from isogloss.retrieval.evaluation import Evaluation, evaluate_ranking
from isogloss.retrieval.manifest import Manifest, read_manifest
from isogloss.retrieval.query_table import METRICS_VERSION
from isogloss.retrieval.ranking import Ranking
from isogloss.retrieval.retrieve import is_stored, retrieve
from isogloss.retrieval.run_file import write_run
from isogloss.retrieval.second_reading import search_depth, trimmed
from isogloss.stages import embed
from isogloss.stages.evaluation_figures import evaluation_figures, remarks
from isogloss.stages.identity import Identity, write_identity
from isogloss.stages.results import RUN_FILE, write_evaluation, write_second_reading
from isogloss.stages.second_reading import both_metrics, print_second, second_evaluation
from isogloss.tracking.evaluations import (
    EvaluationFacts,
    evaluation_fingerprint,
    experiment_name,
    log_evaluation,
)
from isogloss.tracking.provenance import dvc_tags

FIGURES = "figures"
# Longer texts of a declaration are no parameters; models/KEY.yaml is stored whole beside them.
LONGEST_VALUE = 250


def run(project: Project, benchmark: str, model: str, force: bool = False) -> None:
    """Evaluate one model on one benchmark.

    Args:
        project: The project.
        benchmark: The benchmark's key.
        model: The model's key.
        force: Replace the tracked run of this very evaluation.

    Raises:
        UsageError: There is no such benchmark or model.
        VersionMismatchError: The vectors belong to another dataset version or release.
        TrackingError: The results are whole, but could not be logged.
    """
    if not project.benchmark(benchmark).is_dir():
        raise UsageError(f"{project.benchmark(benchmark)}: no such benchmark")
    read = read_benchmark(project.benchmark(benchmark), benchmark)
    declaration = read_declaration(project.model(model))
    path = project.manifest(benchmark, model)
    manifest = read_manifest(path)
    check_versions(path, manifest, read, declaration)
    if not is_stored(project.store_uri, manifest):
        # A fresh clone has the manifest from DVC's cache, but a store of its own.
        note(f"{project.store_uri}: lacks the vectors of {path}; computing them")
        embed.restore(project, manifest)
    ranking = retrieve(project.store_uri, manifest, read, search_depth(read))
    finish(project, read, declaration, manifest, ranking, force=force)


def finish(
    project: Project,
    benchmark: Benchmark,
    declaration: ModelDeclaration,
    manifest: Manifest,
    ranking: Ranking,
    *,
    force: bool = False,
) -> None:
    """Score a ranking, write and draw its results, print the headline and log the run.

    Args:
        project: The project.
        benchmark: What was searched.
        declaration: The model that ranked.
        manifest: What its vectors were made of.
        ranking: Rows follow `benchmark.queries`.
        force: Replace the tracked run of this very evaluation.

    Raises:
        TrackingError: The results are whole, but could not be logged.
    """
    from isogloss.report.terminal import evaluation_text

    options = project.settings.evaluation
    ranking = trimmed(ranking, benchmark)
    evaluation = evaluate_ranking(benchmark, ranking, options)
    second = second_evaluation(benchmark, ranking, options)
    model = declaration.key
    folder = project.results(benchmark.name, model)
    write_evaluation(folder, evaluation)
    write_second_reading(folder, second)
    write_run(folder / RUN_FILE, benchmark, ranking, model)
    shutil.rmtree(folder / FIGURES, ignore_errors=True)
    drawn = evaluation_figures(benchmark, model, ranking, evaluation, options)
    for name, png in drawn.items():
        write_bytes(folder / FIGURES / f"{name}.png", png)
    facts = _facts(project, benchmark, declaration, manifest, evaluation, second)
    write_identity(folder, _identity(facts, remarks(benchmark)))
    title = f"{model} on {benchmark.name}"
    print(evaluation_text(title, evaluation.metrics, evaluation.routes.to_pylist()), end="")
    print_second(title, second)
    try:
        logged = log_evaluation(project, facts, force=force)
    except TrackingError as error:
        raise TrackingError(f"{folder} is whole, but was not logged: {error}") from error
    for line in logged.lines(experiment_name(benchmark.name)):
        note(line)
    md5 = facts.dvc.get("dvc.md5")
    if md5 is not None:
        # `git show REV:dvc.lock` names this hash for a revision; a run's tags name it for a run.
        note(f"DVC: benchmark/{benchmark.name} is {md5}; its runs: tags.`dvc.md5` = '{md5}'")


def check_versions(
    path: Path, manifest: Manifest, benchmark: Benchmark, declaration: ModelDeclaration
) -> None:
    """Refuse vectors of another dataset version or release.

    Raises:
        VersionMismatchError: Naming both and what to run.
    """
    for what, made, now in (
        ("dataset version", manifest.dataset_version, benchmark.version),
        ("release", manifest.release, declaration.release),
    ):
        if made != now:
            raise VersionMismatchError(
                f"{path}: vectors of {what} {made}, but it is {now} now; run"
                f" `isogloss embed {benchmark.name} {declaration.key}`"
            )


def _facts(
    project: Project,
    benchmark: Benchmark,
    declaration: ModelDeclaration,
    manifest: Manifest,
    evaluation: Evaluation,
    second: Evaluation | None,
) -> EvaluationFacts:
    cited = {
        "model.yaml": project.model(declaration.key),
        "card.md": project.benchmark(benchmark.name) / "card.md",
        "manifest.json": project.manifest(benchmark.name, declaration.key),
    }
    made = project.settings.made.get(benchmark.name)
    if made is not None:
        cited["figures/ipc.png"] = project.corpus_figures(made.source) / "ipc.png"
    return EvaluationFacts(
        benchmark=benchmark.name,
        model=declaration.key,
        dataset_version=benchmark.version,
        release=declaration.release,
        metrics_version=METRICS_VERSION,
        settings=project.settings.evaluation,
        metrics=both_metrics(evaluation, second),
        routes=evaluation.routes.to_pydict(),
        folder=project.results(benchmark.name, declaration.key),
        prompts={"query": manifest.queries.sent.text, "document": manifest.documents.sent.text},
        declaration=flat_declaration(declaration),
        counts={"documents": len(benchmark.documents), "queries": len(benchmark.queries)},
        dvc=dvc_tags(project.root, f"benchmark/{benchmark.name}"),
        cited={name: path for name, path in cited.items() if path.is_file()},
    )


def flat_declaration(declaration: ModelDeclaration) -> dict[str, Any]:
    """The short values of a declaration, by dotted key."""
    flat: dict[str, Any] = {}

    def walk(value: Mapping[str, Any], prefix: str) -> None:
        for key, item in value.items():
            if isinstance(item, dict):
                walk(item, f"{prefix}{key}.")
            elif item is not None and len(str(item)) <= LONGEST_VALUE:
                flat[f"{prefix}{key}"] = item

    walk(declaration.model_dump(mode="json", exclude={"key"}), "")
    return flat


def _identity(facts: EvaluationFacts, lines: list[str]) -> Identity:
    return Identity(
        benchmark=facts.benchmark,
        model=facts.model,
        dataset_version=facts.dataset_version,
        release=facts.release,
        metrics_version=facts.metrics_version,
        settings=facts.settings.model_dump(mode="json"),
        fingerprint=evaluation_fingerprint(facts),
        remarks=lines,
        prompts=dict(facts.prompts),
    )
