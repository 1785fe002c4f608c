"""All dataset versions in one list: what holds each, its counts, which runs and vectors use it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from isogloss.versions.described import Described
from isogloss.versions.revisions import Revision

WORKSPACE = "workspace"


@dataclass(frozen=True)
class Pinned:
    """A benchmark's content as one or more revisions hold it.

    Attributes:
        benchmark: The benchmark's key.
        content: The hash git or DVC knows it by; None for the workspace.
        revisions: Those that hold it, oldest first; none for the workspace.
        described: What it is; None where its content cannot be had.
        reason: Why not.
    """

    benchmark: str
    content: str | None
    revisions: tuple[Revision, ...]
    described: Described | None
    reason: str = ""


@dataclass(frozen=True)
class Use:
    """One tracked run, or one release's vectors, of a dataset version.

    Attributes:
        benchmark: The benchmark's key.
        version: The dataset version.
        name: As tables name it.
        id: The run's id or the release's hash.
        date: ISO date; empty where there is none.
        content: The hash by which DVC knew the benchmark's content; empty where it is not known.
    """

    benchmark: str
    version: str
    name: str
    id: str
    date: str = ""
    content: str = ""


@dataclass
class Entry:
    """One dataset version of one benchmark.

    Attributes:
        benchmark: The benchmark's key.
        version: 32 hex digits; None where the content cannot be had to tell.
        described: What it holds; None where nothing here holds it.
        held_by: Revisions, oldest first.
        workspace: Whether the current folder benchmark/NAME is this version.
        runs: Tracked runs.
        vectors: Releases whose vectors the store holds for it.
        notes: What is wrong.
    """

    benchmark: str
    version: str | None
    described: Described | None = None
    held_by: list[Revision] = field(default_factory=list)
    workspace: bool = False
    runs: list[Use] = field(default_factory=list)
    vectors: list[Use] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def date(self) -> str | None:
        """When it was first pinned, else first used by a run; None where neither is known."""
        pinned = [revision.date for revision in self.held_by]
        return min(pinned or [run.date for run in self.runs if run.date], default=None)

    def as_json(self) -> dict[str, Any]:
        """Plain values for ``isogloss versions --json``."""
        described = self.described
        return {
            "benchmark": self.benchmark,
            "version": self.version,
            "date": self.date,
            "documents": described.documents if described else None,
            "queries": described.queries if described else None,
            "languages": {
                code: {"documents": documents, "queries": queries}
                for code, (documents, queries) in (described.languages if described else {}).items()
            },
            "held_by": [vars(revision) for revision in self.held_by],
            "workspace": self.workspace,
            "runs": [{"id": run.id, "name": run.name, "date": run.date} for run in self.runs],
            "vectors": [{"release": use.id, "model": use.name} for use in self.vectors],
            "notes": self.notes,
        }


def catalogue(pinned: Iterable[Pinned], runs: Iterable[Use], vectors: Iterable[Use]) -> list[Entry]:
    """Bring everything together by benchmark and dataset version.

    Returns:
        Entries by benchmark, then by the revision that first held them, others last.
    """
    entries: dict[tuple[str, str], Entry] = {}
    runs = list(runs)
    told = {(run.benchmark, run.content): run.version for run in runs if run.content}

    def entry(benchmark: str, version: str) -> Entry:
        return entries.setdefault((benchmark, version), Entry(benchmark, version))

    for found in pinned:
        version = told.get((found.benchmark, found.content or ""))
        if found.described is None and version is not None:
            # A run that was tracked while the content was here remembers its version.
            held = entry(found.benchmark, version)
            held.notes.append(found.reason)
        elif found.described is None:
            # Content that cannot be had is a version of its own until it can be told.
            held = Entry(found.benchmark, None, notes=[found.reason])
            entries[found.benchmark, f"unknown {found.content}"] = held
        else:
            held = entry(found.benchmark, found.described.version)
            held.described = found.described
        held.held_by = sorted(
            {*held.held_by, *found.revisions},
            key=lambda one: (one.date, one.name == "HEAD", one.name),
        )
        held.workspace |= found.content is None
    for run in runs:
        entry(run.benchmark, run.version).runs.append(run)
    for use in vectors:
        entry(use.benchmark, use.version).vectors.append(use)
    for one in entries.values():
        if not one.held_by and not one.workspace:
            one.notes.append("held by no tag, not by the last commit and not by the workspace")
        one.runs.sort(key=lambda run: (run.date, run.name, run.id))
        one.vectors.sort(key=lambda use: (use.name, use.id))
    # Within a benchmark the order is that of first sight, which is that of the revisions.
    return sorted(entries.values(), key=lambda one: one.benchmark)


def named_versions(entries: Iterable[Entry]) -> dict[str, set[str]]:
    """By benchmark, the versions that revisions or the workspace still hold."""
    named: dict[str, set[str]] = {}
    for one in entries:
        if one.version is not None and (one.held_by or one.workspace):
            named.setdefault(one.benchmark, set()).add(one.version)
    return named
