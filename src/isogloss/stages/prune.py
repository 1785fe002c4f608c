"""Drop vectors of dataset versions that nothing names any more; what is named stays readable."""

from pathlib import Path

from isogloss.errors import IsoglossError
from isogloss.progress import note
from isogloss.project import Project
from isogloss.retrieval.derived_manifest import read_any_manifest
from isogloss.retrieval.stored_tables import parse_table_name
from isogloss.stages.versions import collect
from isogloss.versions.catalogue import Entry, named_versions


def run(project: Project, *, yes: bool = False) -> None:
    """List the versions that would be dropped, or drop them and free what nothing holds.

    A version is named by a git tag, the last commit, the workspace or a manifest. A benchmark with
    a version that cannot be told, or that nothing names at all, is left alone.

    Args:
        project: The project.
        yes: Drop them.

    Raises:
        StoreError: The store cannot be opened or cleaned.
    """
    from isogloss.retrieval.store import VectorStore

    if "://" not in project.store_uri and not Path(project.store_uri).is_dir():
        note(f"{project.store_uri}: no vector store, so nothing to prune")
        return
    store = VectorStore(project.store_uri)
    before = _bytes(project.store_uri)
    named = _named(project, collect(project))
    doomed = remains = 0
    for name in store.names():
        parsed = parse_table_name(name)
        if parsed is None:
            continue
        keep = named.get(parsed.benchmark)
        if keep is None:
            note(
                f"table {name}: nothing names a version of {parsed.benchmark}; left alone: if "
                f"nobody needs it, delete {project.store_uri.rstrip('/')}/{name}.lance"
            )
            continue
        if not keep:
            continue  # A version that cannot be told; said above.
        dropped = sorted(set(store.tags(name)) - keep)
        if yes:
            dropped = store.prune(name, keep)
        elif not dropped and store.has_remains(name):
            remains += 1
            note(f"table {name}: holds rows of a version that was dropped, or never finished")
        doomed += len(dropped)
        for tag in dropped:
            print(f"{'dropped' if yes else 'would drop'} {tag} of table {name}")
    if not doomed:
        print("every stored version is named; nothing to drop")
    if yes and before is not None:
        freed = max(0, before - (_bytes(project.store_uri) or 0))
        if doomed or freed > before / 100:
            note(f"{freed / 1e6:.1f} MB of {before / 1e6:.1f} MB are free again")
    elif not yes and (doomed or remains):
        note("nothing was touched; run isogloss prune --yes to drop and free them")


def _bytes(uri: str) -> int | None:
    """What a store of this machine takes; None of one elsewhere."""
    if "://" in uri:
        return None
    return sum(path.stat().st_size for path in Path(uri).rglob("*") if path.is_file())


def _named(project: Project, entries: list[Entry]) -> dict[str, set[str]]:
    """The versions to keep by benchmark; none for a benchmark that must be left alone."""
    named = named_versions(entries)
    for path in sorted((project.root / "embeddings").glob("*/*.json")):
        try:
            manifest = read_any_manifest(path)
        except IsoglossError as error:
            note(f"{error}; {path.parent.name} is left alone")
            named[path.parent.name] = set()
        else:
            if named.get(manifest.benchmark):
                named[manifest.benchmark].add(manifest.dataset_version)
    for entry in entries:
        if entry.version is None:
            holders = ", ".join(holder.name for holder in entry.held_by) or "the workspace"
            note(f"{entry.benchmark}: its version in {holders} cannot be told; left alone")
            named[entry.benchmark] = set()
    return named
