"""Stage report: everything under results/ as one page, its tables as CSV and LaTeX beside it."""

import csv
import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from isogloss.errors import DataError, UsageError, VersionMismatchError
from isogloss.files import read_json, write_text
from isogloss.progress import note
from isogloss.project import Project
from isogloss.report.comparison.leaderboard import Entry, ranked
from isogloss.report.page.content import page_content
from isogloss.report.page.gathered import Evaluated, Gathered, Target
from isogloss.report.page.render import render
from isogloss.report.page.table import files
from isogloss.retrieval.comparison import Results, Scored
from isogloss.retrieval.evaluation import coverage_curves
from isogloss.retrieval.planning import needs
from isogloss.retrieval.pooling import pooled_scores
from isogloss.retrieval.query_table import METRICS_VERSION, read_query_table
from isogloss.retrieval.second_reading import WITHOUT
from isogloss.stages.compare import COMPARISON_FILE
from isogloss.stages.identity import read_identity
from isogloss.stages.results import (
    METRICS_FILE,
    PREFERENCE_FILE,
    QUERIES_FILE,
    RERANKING_FILE,
    ROUTES_FILE,
    SLICES_FILE,
)
from isogloss.stages.second_reading import read_second_readings, reading_of

PAGE = "index.html"
TABLES = "tables"
# By which an earlier page is known, and within how many bytes it stands.
MARK, MARK_BYTES = b"<title>isogloss: ", 4096
POOL = "pool "


def run(project: Project, out: Path | None = None) -> None:
    """Write the page and its tables; equal results give equal bytes.

    Args:
        project: The project.
        out: A folder; report/ of the project where not given.

    Raises:
        UsageError: The folder holds something else than a report.
        DataError: Nothing was compared yet, or a result is missing or broken.
        VersionMismatchError: Results and comparison are of different versions.
    """
    folder = project.report if out is None else out
    if out is not None:
        _refuse_foreign(out)
    content, tables = page_content(gather(project))
    written = files(tables)
    page = render(content)
    there = (path.name for kind in ("*.csv", "*.tex") for path in (folder / TABLES).glob(kind))
    stale = set(there) - written.keys()
    for name in stale:
        (folder / TABLES / name).unlink()
    for name, text in written.items():
        write_text(folder / TABLES / name, text)
    write_text(folder / PAGE, page)
    print(f"The report: {folder / PAGE} ({len(tables)} tables in {folder / TABLES})")


def _refuse_foreign(folder: Path) -> None:
    """A report replaces an earlier one and nothing else."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--out {folder}: is no folder; give a new or an empty one")
    page = folder / PAGE
    if not folder.is_dir() or next(folder.iterdir(), None) is None:
        return
    if page.is_file():
        with page.open("rb") as content:
            if MARK in content.read(MARK_BYTES):
                return
    raise UsageError(
        f"--out {folder}: holds files that are no report of isogloss; give a new or an empty folder"
    )


def gather(project: Project) -> Gathered:
    """Read everything that the page shows.

    Raises:
        DataError: Nothing was compared yet, or a result is missing or broken.
        VersionMismatchError: Results and comparison are of different versions.
    """
    path = project.comparison / COMPARISON_FILE
    scores = project.medical_scores
    if path.is_file():
        comparison = _json(path)
    elif scores.is_file() and not project.settings.run.benchmarks:
        # A project may be medical alone.
        comparison = {"benchmarks": {}, "pools": {}}
    else:
        raise DataError(f"{path}: no such file; run `isogloss compare` first")
    names = [name for name in project.settings.run.benchmarks if name in comparison["benchmarks"]]
    chosen = {name: project.settings.run.models_on(name) for name in names}
    scored: dict[str, Mapping[str, Scored]] = {
        name: {
            key: Scored(*read_query_table(project.results(name, key) / QUERIES_FILE))
            for key in models
        }
        for name, models in chosen.items()
    }
    second = read_second_readings(project, chosen)
    scored |= {
        name: found for name, found in second.results.items() if name in comparison["benchmarks"]
    }
    _same_versions(path, comparison, scored)
    targets = []
    for name in names:
        targets.append(_benchmark(project, name, scored[name], comparison))
        again = reading_of(name)
        if again in scored:
            whole = targets[-1]
            told = [*whole.remarks, "Machine-translated documents are left out here."]
            read = _benchmark(project, name, scored[again], comparison, again)
            targets.append(replace(read, remarks=told, whole=whole.key, stats={}, card=""))
    targets += [
        _pool(pool, found, scored, targets) for pool, found in comparison["pools"].items()
        if found["models"] and set(found["benchmarks"]) <= scored.keys()
    ]  # fmt: skip
    pools = {t.key.removeprefix(POOL): t.members for t in targets if t.is_pool}
    plan = project.settings.plan
    medical = project.settings.medical
    if not scores.is_file():
        note(f"{scores}: no such file, so the page has no medical results")
    return Gathered(
        targets=targets,
        needs=needs(scored, pools, plan.coverages, project.settings.evaluation),
        declarations=_declarations(project, chosen),
        settings=project.settings.evaluation.model_dump(mode="json"),
        metrics_version=METRICS_VERSION,
        price=plan.price,
        seconds=plan.seconds,
        medical=_json(scores) if scores.is_file() else None,
        medical_note=(medical.note or "") if medical is not None else "",
    )


def _same_versions(path: Path, comparison: Mapping[str, Any], scored: Results) -> None:
    for name, by_model in scored.items():
        compared = comparison["benchmarks"][name]["dataset_version"]
        for model, one in by_model.items():
            if one.origin.dataset_version != compared:
                raise VersionMismatchError(
                    f"{path}: compares dataset version {compared} of {name}, but {model} was "
                    f"evaluated on {one.origin.dataset_version}; run `isogloss compare`"
                )


def _benchmark(
    project: Project,
    name: str,
    by_model: Mapping[str, Scored],
    comparison: Mapping[str, Any],
    reading: str | None = None,
) -> Target:
    """A benchmark, or its second reading under the name `reading`."""
    found: dict[str, Evaluated] = {}
    key = reading or name
    for model, scored in by_model.items():
        folder = project.results(name, model)
        identity = msgspec.to_builtins(read_identity(folder))
        folder = folder if reading is None else folder / WITHOUT
        found[model] = Evaluated(
            model=model,
            metrics=_json(folder / METRICS_FILE),
            routes=[
                {**row, "n": int(row["n"]), "recall_at_10": float(row["recall_at_10"])}
                for row in _rows(folder / ROUTES_FILE)
            ],
            slices=_rows(folder / SLICES_FILE),
            preferences=_rows(folder / PREFERENCE_FILE, optional=True),
            reranking=_rows(folder / RERANKING_FILE, optional=True),
            curves=coverage_curves(scored.scores),
            identity=identity,
        )
    folder = project.benchmark(name)
    stats, card = folder / "stats.json", folder / "card.md"
    first = next(iter(found.values()))
    return Target(
        key=key,
        evaluated=_best_first(key, found),
        significance=comparison["benchmarks"][key]["significance"] or {},
        remarks=[_sentence(line.removeprefix(f"{name}: ")) for line in first.identity["remarks"]],
        documents=int(comparison["benchmarks"][key]["documents"]),
        stats=_json(stats) if stats.is_file() else {},
        card=card.read_text(encoding="utf-8") if card.is_file() else "",
    )


def _pool(
    pool: str, content: Mapping[str, Any], scored: Results, benchmarks: list[Target]
) -> Target:
    members = content["benchmarks"]
    found = {
        model: Evaluated(
            model=model,
            metrics=metrics,
            curves=coverage_curves(
                pooled_scores({name: scored[name][model].scores for name in members})
            ),
        )
        for model, metrics in content["models"].items()
    }
    told = [line for target in benchmarks if target.key in members for line in target.remarks]
    key = f"{POOL}{pool}"
    return Target(
        key=key,
        evaluated=_best_first(key, found),
        significance=content["significance"] or {},
        remarks=list(dict.fromkeys(told)),
        members=members,
    )


def _best_first(key: str, found: Mapping[str, Evaluated]) -> list[Evaluated]:
    group = ranked(Entry(key, model, one.metrics) for model, one in found.items())
    return [found[entry.model] for entry in group[key]]


def _declarations(
    project: Project, chosen: Mapping[str, list[str]]
) -> dict[str, Mapping[str, Any]]:
    """Each model as its manifests declare it; results without manifests have none."""
    found: dict[str, Mapping[str, Any]] = {}
    for name, models in chosen.items():
        for model in models:
            path = project.manifest(name, model)
            if model not in found and path.is_file():
                found[model] = _json(path).get("declaration") or {}
    return found


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _rows(path: Path, optional: bool = False) -> list[dict[str, str]]:
    if not path.is_file():
        if optional:
            return []
        raise DataError(f"{path}: no such file; evaluate again")
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))


def _json(path: Path) -> dict[str, Any]:
    return read_json(path, dict[str, Any], "run the stage that makes it")
