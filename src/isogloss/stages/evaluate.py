"""Stage evaluate@B-M: rank with the stored vectors, score, draw and log; loads no model."""

import shutil
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from isogloss.benchmark import Benchmark, read_benchmark
from isogloss.device_names import device_named
from isogloss.engine import open_engine
from isogloss.errors import TrackingError
from isogloss.files import write_bytes, write_text
from isogloss.progress import note
from isogloss.project import Project
from isogloss.retrieval.approximation import approximation, with_approximation
from isogloss.retrieval.declaration import FullTextModel, ModelDeclaration, read_declaration
from isogloss.retrieval.derived import Approximate, DerivedDeclaration, Rerank
from isogloss.retrieval.derived_manifest import (
    AnyManifest,
    DerivedManifest,
    content_digest,
    sent_texts,
)
from isogloss.retrieval.derived_ranking import Retrievers
from isogloss.retrieval.evaluation import Evaluation, evaluate_ranking
from isogloss.retrieval.language_preference import own_language_preference
from isogloss.retrieval.query_table import METRICS_VERSION
from isogloss.retrieval.query_translation import untranslated
from isogloss.retrieval.ranking import Ranking
from isogloss.retrieval.reranking import Reached, reached
from isogloss.retrieval.retrieve import Where
from isogloss.retrieval.run_file import write_run
from isogloss.retrieval.second_reading import search_depth, trimmed
from isogloss.stages import derive
from isogloss.stages.evaluation_figures import evaluation_figures, remarks
from isogloss.stages.identity import Identity, write_identity
from isogloss.stages.results import (
    APPROXIMATION_FILE,
    RERANKING_FILE,
    RUN_FILE,
    csv_text,
    write_evaluation,
    write_second_reading,
)
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


def run(
    project: Project,
    benchmark: str,
    model: str,
    force: bool = False,
    device: str | None = None,
    engine: str | None = None,
) -> None:
    """Evaluate one model on one benchmark.

    Args:
        project: The project.
        benchmark: The benchmark's key.
        model: The model's key.
        force: Replace the tracked run of this very evaluation.
        device: Where vectors that the store lacks are computed, and stored ones searched; see
            `embed.run`.
        engine: Where they are computed, and stored ones searched; see `embed.run`.

    Raises:
        UsageError: There is no such benchmark or model, or the name of device or engine is none.
        VersionMismatchError: The vectors belong to another dataset version or release.
        TrackingError: The results are whole, but could not be logged.
    """
    named = device_named(device)
    declared = project.model(model)
    folder = project.held_benchmark(benchmark)
    declaration = read_declaration(declared)
    # Vectors stand for the texts; a second stage looks them up.
    texts = isinstance(declaration, DerivedDeclaration)
    if named not in (None, "cpu") and isinstance(declaration, FullTextModel):
        note(f"{model}: words are ranked on the processor; device {named} changes nothing")
    read = read_benchmark(folder, benchmark, texts=texts)
    found = derive.find(project, read)
    _, manifest = found(model)
    # A fresh clone has the manifest from DVC's cache, but a store of its own.
    with open_engine(engine or project.settings.engine) as where:
        derive.ensure(project, read, model, device, where)
        searched = Where(
            project.settings.search.memory_mb,
            where,
            project.settings.search.device if device is None else device,
        )
        depth = search_depth(read)
        retrievers = Retrievers(project.store_uri, read, found, depth, searched)
        ranking = retrievers.rank(model)
        measured = None
        if isinstance(declaration, Rerank):
            first = trimmed(retrievers.rank(declaration.first), read)
            gate = project.settings.evaluation.gate
            measured = reached(read, first, trimmed(ranking, read), declaration.top, gate)
        found_of_exact = None
        if isinstance(declaration, Approximate):
            exact = retrievers.rank(declaration.model)
            found_of_exact = approximation(read, exact, retrievers.levels(declaration))
    finish(project, read, declaration, manifest, ranking, measured, found_of_exact, force=force)


def finish(
    project: Project,
    benchmark: Benchmark,
    declaration: ModelDeclaration,
    manifest: AnyManifest,
    ranking: Ranking,
    measured: Sequence[Reached] | None = None,
    found_of_exact: pa.Table | None = None,
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
        measured: Of a re-ranker, what it reaches of its ceiling.
        found_of_exact: Of an approximate search, what it finds of the exact ranking.
        force: Replace the tracked run of this very evaluation.

    Raises:
        TrackingError: The results are whole, but could not be logged.
    """
    from isogloss.report.evaluation.approximation_text import approximation_text
    from isogloss.report.evaluation.preference_heatmap import preference_heatmap
    from isogloss.report.evaluation.preference_text import preference_text
    from isogloss.report.evaluation.reranking_bars import reranking_bars
    from isogloss.report.evaluation.reranking_text import reranking_text
    from isogloss.report.layout.terminal import evaluation_text

    options = project.settings.evaluation
    ranking = trimmed(ranking, benchmark)
    evaluation = evaluate_ranking(benchmark, ranking, options)
    second = second_evaluation(benchmark, ranking, options)
    if isinstance(declaration, Approximate) and found_of_exact is not None:
        evaluation = with_approximation(evaluation, declaration, found_of_exact)
        if second is not None:
            second = with_approximation(second, declaration, found_of_exact, shares=False)
    model = declaration.key
    folder = project.results(benchmark.name, model)
    write_evaluation(folder, evaluation)
    write_second_reading(folder, second)
    write_run(folder / RUN_FILE, benchmark, ranking, model)
    shutil.rmtree(folder / FIGURES, ignore_errors=True)
    told = remarks(benchmark)
    if isinstance(declaration, DerivedDeclaration):
        # What it is made of, hand-written translations for instance, stands below every figure.
        told += [f"{model}: {declaration.note}"] if declaration.note else []
    if isinstance(manifest, DerivedManifest) and manifest.translations:
        said = untranslated(benchmark, manifest.translations)
        told += [f"{model}: {said}."] if said else []
    drawn = evaluation_figures(benchmark, model, ranking, evaluation, options, told)
    title = f"{model} on {benchmark.name}"
    preferences = evaluation.preferences.to_pylist()
    drawn["language_preference"] = preference_heatmap(
        preferences, f"{title}: languages preferred in the top k", told
    )
    if isinstance(declaration, Rerank) and measured is not None:
        rows = [vars(row) for row in measured]
        write_text(folder / RERANKING_FILE, csv_text(pa.Table.from_pylist(rows)))
        drawn["reranking"] = reranking_bars(rows, f"{title}: top {declaration.top} re-ranked", told)
    if found_of_exact is not None:
        write_text(folder / APPROXIMATION_FILE, csv_text(found_of_exact))
    for name, png in drawn.items():
        write_bytes(folder / FIGURES / f"{name}.png", png)
    facts = _facts(project, benchmark, declaration, manifest, evaluation, second)
    write_identity(folder, _identity(facts, told))
    routes = evaluation.routes.to_pylist()
    print(evaluation_text(title, evaluation.metrics, routes, options.gate), end="")
    print(preference_text(preferences), end="")
    if isinstance(declaration, Rerank) and measured is not None:
        print(reranking_text([vars(row) for row in measured], declaration.top), end="")
    if isinstance(declaration, Approximate) and found_of_exact is not None:
        print(approximation_text(found_of_exact.to_pylist(), declaration.lists), end="")
    print_second(title, second, options.gate)
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


def _facts(
    project: Project,
    benchmark: Benchmark,
    declaration: ModelDeclaration,
    manifest: AnyManifest,
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
        metrics=both_metrics(evaluation, second) | own_preferences(evaluation),
        routes=evaluation.routes.to_pydict(),
        folder=project.results(benchmark.name, declaration.key),
        prompts=sent_texts(manifest),
        declaration=flat_declaration(declaration),
        counts={"documents": len(benchmark.documents), "queries": len(benchmark.queries)},
        dvc=dvc_tags(project.root, f"benchmark/{benchmark.name}"),
        cited={name: path for name, path in cited.items() if path.is_file()},
        content=content_digest(manifest) if isinstance(manifest, DerivedManifest) else "",
    )


def own_preferences(evaluation: Evaluation) -> dict[str, float]:
    """How much more often a query's own language stands in the top k than in the pool, by name."""
    own = own_language_preference(evaluation.preferences)
    return {f"own_language_preference_at_{k}": value for k, value in own.items()}


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
