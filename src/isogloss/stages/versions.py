"""List every dataset version: of tags, the last commit, the workspace, runs and vectors."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from isogloss.benchmark import CORPUS_FILE, dataset_version, read_benchmark
from isogloss.errors import DataError, IsoglossError, UsageError
from isogloss.faults import known_names
from isogloss.files import UNDECODABLE, json_bytes
from isogloss.foreign_text import shown
from isogloss.progress import note
from isogloss.project import Project
from isogloss.versions.catalogue import Entry, Pinned, Use, catalogue
from isogloss.versions.described import (
    STATS_FILE,
    Described,
    describe_benchmark,
    describe_stats,
)
from isogloss.versions.pins import FOLDER, pins
from isogloss.versions.revisions import Revision, revisions


def run(project: Project, benchmark: str | None = None, *, as_json: bool = False) -> None:
    """Print the catalogue.

    Args:
        project: The project.
        benchmark: Only this one.
        as_json: Print JSON, for programs.

    Raises:
        UsageError: There is no such benchmark, and there are others.
        DataError: A lock file of a revision cannot be read.
        TrackingError: There is a tracking store, but it cannot be used.
    """
    from isogloss.report.releases.version_table import version_text

    found = collect(project)
    known = {entry.benchmark for entry in found} | set(project.benchmarks)
    known |= set(project.settings.run.benchmarks)
    if benchmark is not None and known and benchmark not in known:
        raise UsageError(f"{shown(benchmark)}: no such benchmark{known_names(benchmark, known)}")
    entries = [
        entry.as_json() for entry in found if benchmark is None or entry.benchmark == benchmark
    ]
    if as_json:
        print(json_bytes(entries).decode("utf-8"))
    elif entries:
        print(version_text(entries), end="")
    else:
        what = f"of {shown(benchmark)} " if benchmark else ""
        note(f"{project.root}: no dataset version {what}yet; run isogloss queries, commit and tag")


def collect(project: Project) -> list[Entry]:
    """The catalogue of a project; what cannot be looked at is said on standard error.

    Raises:
        DataError: A lock file of a revision cannot be read.
        TrackingError: There is a tracking store, but it cannot be used.
    """
    from isogloss.tracking.dataset_runs import dataset_runs

    tracked = dataset_runs(project)
    if tracked is None:
        note(f"{project.root}: no tracking database yet, so no runs are listed")
    runs = [
        Use(one.benchmark, one.version, one.name, one.run_id, one.date, one.content)
        for one in tracked or ()
    ]
    return catalogue([*_pinned(project), *_workspace(project)], runs, stored_versions(project))


def stored_versions(project: Project) -> list[Use]:
    """Which releases' vectors the store holds, by benchmark and dataset version."""
    from isogloss.retrieval.stored_tables import parse_table_name

    if "://" not in project.store_uri and not Path(project.store_uri).is_dir():
        return []
    from isogloss.retrieval.store import VectorStore

    store = VectorStore(project.store_uri)
    names = release_names(project)
    uses = []
    for name in store.names():
        parsed = parse_table_name(name)
        if parsed is None or parsed.side != "document":
            continue
        label = names.get(parsed.release, parsed.release)
        uses += [Use(parsed.benchmark, tag, label, parsed.release) for tag in store.tags(name)]
    return uses


def release_names(project: Project) -> dict[str, str]:
    """The models whose declarations are as they were for a release, by the release's hash."""
    from isogloss.retrieval.declaration import read_declaration

    names = {}
    for path in sorted((project.root / "models").glob("*.yaml")):
        try:
            names[read_declaration(path).release] = path.stem
        except IsoglossError:
            # `isogloss check` reports broken declarations; here they only give no name.
            continue
    return names


def _pinned(project: Project) -> Iterator[Pinned]:
    found: dict[tuple[str, str], list[Revision]] = {}
    for revision in revisions(project.root):
        for benchmark, content in pins(project.root, revision.commit).items():
            found.setdefault((benchmark, content), []).append(revision)
    by_commit: dict[str, list[tuple[str, str]]] = {}
    for key, holders in found.items():
        by_commit.setdefault(holders[0].commit, []).append(key)
    for commit, keys in by_commit.items():
        for (benchmark, content), described in _described_at(project.root, commit, keys).items():
            holding = tuple(found[benchmark, content])
            if isinstance(described, Described):
                yield Pinned(benchmark, content, holding, described)
            else:
                told = described.replace(commit, holding[0].name)
                yield Pinned(benchmark, content, holding, None, told)


def _described_at(
    root: Path, commit: str, keys: list[tuple[str, str]]
) -> dict[tuple[str, str], Described | str]:
    """What a commit's benchmarks hold, or the reason why that cannot be told."""
    from isogloss.versions.fetch import Source, load, read_file
    from isogloss.versions.opening import open_at

    found: dict[tuple[str, str], Described | str] = {}
    try:
        with open_at(str(root), commit) as opened:
            for key in keys:
                try:
                    content = read_file(opened, key[0], STATS_FILE)
                    described = None if content is None else describe_stats(_json(content))
                    found[key] = described or describe_benchmark(
                        load(Source(key[0], str(root), commit))
                    )
                except IsoglossError as error:
                    found[key] = str(error)
    except IsoglossError as error:
        found |= {key: str(error) for key in keys if key not in found}
    return found


def _workspace(project: Project) -> Iterator[Pinned]:
    for folder in sorted((project.root / FOLDER).glob("*")):
        if not (folder / CORPUS_FILE).is_file():
            continue
        try:
            yield Pinned(folder.name, None, (), _described_here(folder))
        except DataError as error:
            yield Pinned(folder.name, None, (), None, str(error))


def _described_here(folder: Path) -> Described:
    stats = folder / STATS_FILE
    described = describe_stats(_json(stats.read_bytes())) if stats.is_file() else None
    if described is not None and described.version == dataset_version(folder):
        return described
    # Without statistics, or with those of another version, only the files themselves tell.
    return describe_benchmark(read_benchmark(folder))


def _json(content: bytes) -> Any:
    try:
        return msgspec.json.decode(content)
    except UNDECODABLE:
        return {}
