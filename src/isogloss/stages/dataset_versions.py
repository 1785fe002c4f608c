"""Two dataset versions of a benchmark: what changed, and what that did under one release."""

import re
from dataclasses import dataclass
from pathlib import Path

from isogloss.benchmark import Benchmark, read_benchmark
from isogloss.errors import UsageError
from isogloss.files import write_json, write_text
from isogloss.progress import note
from isogloss.project import Project
from isogloss.settings import checked_key
from isogloss.versions.catalogue import WORKSPACE
from isogloss.versions.changes import DatasetChanges, dataset_changes
from isogloss.versions.fetch import Source, load
from isogloss.versions.revisions import git

CHANGES_FILE = "changes.json"
FAMILIES_FILE = "families.csv"
METRICS_FILE = "metrics.csv"
SHORTEST = 4


@dataclass(frozen=True)
class NamedVersion:
    """A dataset version, what it was called and what it holds."""

    name: str
    benchmark: Benchmark

    @property
    def label(self) -> str:
        """As tables name it."""
        version = self.benchmark.version
        return version[:12] if version.startswith(self.name) else f"{self.name} ({version[:12]})"


def run(project: Project, benchmark: str, before: str, after: str, model: str | None) -> None:
    """Compare two dataset versions, write the tables and print what matters.

    Args:
        project: The project.
        benchmark: The benchmark's key.
        before: A git revision, ``workspace``, or the beginning of a dataset version.
        after: Likewise.
        model: A model's key or the beginning of a release's hash; only the content is compared
            where not given.

    Raises:
        UsageError: A name means no version, or no release.
        PullError: A version's content cannot be had.
        StoreError: The release has no vectors here.
        VersionMismatchError: The release has none for one of the versions.
    """
    from isogloss.report.releases.dataset_change_text import changes_text, effects_csv, families_csv

    checked_key(benchmark)
    first = named_version(project, benchmark, before)
    second = named_version(project, benchmark, after)
    changes = dataset_changes(first.benchmark, second.benchmark)
    title = f"{benchmark}: {first.label} to {second.label}"
    content = {
        "benchmark": benchmark,
        "before": first.benchmark.version,
        "after": second.benchmark.version,
        **changes.as_json(),
    }
    versions = f"{first.benchmark.version[:16]}-{second.benchmark.version[:16]}"
    folder = project.root / "results" / "dataset-versions" / benchmark / versions
    effects = None
    if model is not None:
        release, effects = _effects(project, model, first.benchmark, second.benchmark, changes)
        folder /= release
        content |= {"release": release, **effects}
        write_text(folder / METRICS_FILE, effects_csv(effects))
    write_json(folder / CHANGES_FILE, content)
    write_text(
        folder / FAMILIES_FILE,
        families_csv(
            [one.family, one.kind, *map(" ".join, (one.added, one.removed, one.edited))]
            for one in changes.families
        ),
    )
    print(changes_text(title, content, effects), end="")
    note(f"{folder}: {CHANGES_FILE}, {FAMILIES_FILE}" + (f", {METRICS_FILE}" if effects else ""))


def named_version(project: Project, benchmark: str, name: str) -> NamedVersion:
    """Find and read the dataset version that a name means.

    Raises:
        UsageError: It means none, or several.
        PullError: Its content cannot be had.
    """
    if name == WORKSPACE:
        return NamedVersion(name, read_benchmark(project.held_benchmark(benchmark), benchmark))
    usable = bool(name) and not name.startswith("-")
    if usable and git(project.root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"):
        return NamedVersion(name, load(Source(benchmark, str(project.root), name)))
    if len(name) >= SHORTEST and re.fullmatch("[0-9a-f]+", name):
        found = _by_digest(project, benchmark, name)
        if found is not None:
            return found
    raise UsageError(
        f"{name}: no git revision, no dataset version of {benchmark} that is held here, and not "
        f"'{WORKSPACE}'; look at `isogloss versions {benchmark}`"
    )


def _by_digest(project: Project, benchmark: str, digest: str) -> NamedVersion | None:
    from isogloss.stages.versions import collect

    entries = [
        entry
        for entry in collect(project)
        if entry.benchmark == benchmark and (entry.version or "").startswith(digest)
    ]
    if len(entries) > 1:
        several = ", ".join(str(entry.version) for entry in entries)
        raise UsageError(f"{digest}: begins several dataset versions ({several}); say more")
    for entry in entries:
        if entry.workspace:
            return NamedVersion(digest, read_benchmark(project.benchmark(benchmark), benchmark))
        if entry.held_by:
            commit = entry.held_by[0].commit
            return NamedVersion(digest, load(Source(benchmark, str(project.root), commit)))
    return None


def _effects(
    project: Project, model: str, before: Benchmark, after: Benchmark, changes: DatasetChanges
) -> tuple[str, dict[str, object]]:
    """The release's hash, and what the versions did to its figures."""
    from isogloss.retrieval.store import VectorStore
    from isogloss.retrieval.stored_release import stored_releases
    from isogloss.retrieval.version_effects import version_effects
    from isogloss.stages.release_names import named_release, named_vectors

    if "://" not in project.store_uri and not Path(project.store_uri).is_dir():
        raise UsageError(f"{project.store_uri}: no vector store here; run isogloss embed first")
    store = VectorStore(project.store_uri)
    named = named_release(project, model, model, stored_releases(store, before.name))
    effects = version_effects(
        (before, named_vectors(project, model, before, named).ranking),
        (after, named_vectors(project, model, after, named).ranking),
        changes.same_queries,
        project.settings.evaluation,
    )
    return named.release, effects
