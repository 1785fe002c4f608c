"""Two releases of a model on one dataset version: tables, figures, one run, and the gate."""

import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa

from isogloss.benchmark import Benchmark, read_benchmark
from isogloss.errors import GateFailedError, TrackingError
from isogloss.faults import nearest
from isogloss.files import write_bytes, write_json, write_text
from isogloss.progress import note
from isogloss.project import Project
from isogloss.retrieval.releases import OVERLAPS, ReleaseComparison, compare_releases
from isogloss.settings import ReleaseSettings
from isogloss.spreadsheet import people_csv
from isogloss.stages.evaluation_figures import remarks
from isogloss.stages.release_names import NamedRelease, named_release, named_vectors

RELEASES_FILE = "releases.json"
CHANGES_FILE = "changes.csv"
QUERIES_FILE = "queries.csv"
FIGURES = "figures"


def run(
    project: Project,
    model: str,
    before: str,
    after: str,
    benchmark: str,
    *,
    gate: bool = False,
    settings: ReleaseSettings | None = None,
    force: bool = False,
) -> None:
    """Compare two releases, write, draw, log and print what changed.

    Args:
        project: The project.
        model: The model's key.
        before: The release that is measured against; see `named_release` for its name.
        after: The release in question.
        benchmark: The benchmark's key.
        gate: Fail on a significant loss.
        settings: Alpha, margin and persistence; those of params.yaml where not given.
        force: Replace the tracked run of this very comparison.

    Raises:
        UsageError: There is no such benchmark or release.
        StoreError: A release has no vectors here.
        VersionMismatchError: A release has none for this dataset version.
        TrackingError: The results are whole, but could not be logged.
        GateFailedError: A headline or route lost, with `gate`; the results are whole and logged.
    """
    from isogloss.report.releases.release_text import changes_csv, release_text
    from isogloss.retrieval.store import VectorStore
    from isogloss.retrieval.stored_release import stored_releases

    settings = settings or project.settings.releases
    if not project.model(model).is_file():
        note(f"models/{model}.yaml: is not here{nearest(model, project.models)}")
    read = read_benchmark(project.held_benchmark(benchmark), benchmark, texts=False)
    stored = stored_releases(VectorStore(project.store_uri), benchmark)
    first = named_release(project, model, before, stored)
    second = named_release(project, model, after, stored)
    compared = compare_releases(
        read,
        named_vectors(project, model, read, first),
        named_vectors(project, model, read, second),
        project.settings.evaluation,
        settings,
    )
    content = compared.content | {
        "model": model,
        "before": {"name": first.name, "release": first.release},
        "after": {"name": second.name, "release": second.release},
    }
    title = f"{model} on {benchmark}: {first.label} to {second.label}"
    target = _folder(project, benchmark, model, first, second)
    write_json(target / RELEASES_FILE, content)
    write_text(target / CHANGES_FILE, changes_csv(content))
    table = _per_query(read, compared)
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    write_text(target / QUERIES_FILE, people_csv([table.column_names, *rows]))
    shutil.rmtree(target / FIGURES, ignore_errors=True)
    for name, png in _figures(read, compared, (model, first, second)).items():
        write_bytes(target / FIGURES / f"{name}.png", png)
    print(release_text(title, content), end="")
    note(f"{target}: {RELEASES_FILE}, {CHANGES_FILE}, {QUERIES_FILE} and {FIGURES}")
    _log(project, model, (first, second), content, settings, force=force)
    if gate and compared.lost:
        raise GateFailedError(
            f"{title}: significant loss on {', '.join(compared.lost)} "
            f"(alpha {settings.alpha}, margin {settings.margin}, Holm-corrected)"
        )


def _folder(
    project: Project, benchmark: str, model: str, first: NamedRelease, second: NamedRelease
) -> Path:
    parent = project.root / "results" / "releases" / benchmark / model
    return parent / f"{first.release}-{second.release}"


def _per_query(benchmark: Benchmark, compared: ReleaseComparison) -> pa.Table:
    columns = {
        "query": [query.id for query in benchmark.queries],
        "language": [query.metadata.language for query in benchmark.queries],
    }
    defined = {
        name: pa.array(values, mask=np.isnan(values)) for name, values in compared.per_query.items()
    }
    return pa.table({**columns, **defined})


def _figures(
    benchmark: Benchmark, compared: ReleaseComparison, named: tuple[str, NamedRelease, NamedRelease]
) -> dict[str, bytes]:
    from isogloss.report.releases.release_figures import neighbours_figure, route_changes_figure

    model, first, second = named
    title = f"{model} on {benchmark.name}"
    notes = [f"From {first.label} to {second.label}.", *remarks(benchmark)]
    names = [*(f"overlap_at_{k}" for k in OVERLAPS), "rank_biased_overlap"]
    content = compared.content
    reasons = [f"{key}: {text}." for key, text in content["notes"].items()]
    drawn = {
        "neighbours": neighbours_figure(
            {name: compared.per_query[name] for name in names},
            f"{title}: neighbours kept",
            [*notes, *reasons],
        )
    }
    if content["routes"]:
        drawn["routes"] = route_changes_figure(
            content["routes"], compared.lost, f"{title}: recall lost or won by route", notes
        )
    return drawn


def _log(
    project: Project,
    model: str,
    named: tuple[NamedRelease, NamedRelease],
    content: dict[str, object],
    settings: ReleaseSettings,
    *,
    force: bool,
) -> None:
    from isogloss.tracking.releases import ReleaseFacts, log_releases, release_experiment

    first, second = named
    benchmark = str(content["benchmark"])
    folder = _folder(project, benchmark, model, first, second)
    facts = ReleaseFacts(
        model=model,
        before=first.release,
        after=second.release,
        labels=(first.label, second.label),
        evaluation=project.settings.evaluation,
        releases=settings,
        content=content,
        folder=folder,
    )
    try:
        logged = log_releases(project, facts, force=force)
    except TrackingError as error:
        raise TrackingError(f"{folder} is whole, but was not logged: {error}") from error
    note(f"MLflow: run {logged.run_id} in {release_experiment(benchmark)} ({logged.outcome})")
