"""Artefacts byte for byte: whatever their names, whatever the locale."""

import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from isogloss.errors import TrackingError

if TYPE_CHECKING:
    from isogloss.tracking.store import Store


def folder_files(folder: Path) -> dict[str, Path | bytes]:
    """Every file of a folder, by its path inside."""
    return {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def log_files(store: "Store", run_id: str, files: Mapping[str, Path | bytes]) -> None:
    """Store files under their paths inside the run, all in one go.

    Args:
        store: The tracking store.
        run_id: The run.
        files: From path inside the run to a file, or to the bytes it shall hold.

    Raises:
        TrackingError: A path would leave the run's folder.
    """
    if not files:
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, content in sorted(files.items()):
            target = folder / _inside(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.read_bytes())
        store.client.log_artifacts(run_id, name)


def log_tables(store: "Store", run_id: str, tables: Mapping[str, Mapping[str, list[Any]]]) -> None:
    """Store tables that MLflow's own viewer shows; only ever on a fresh run, for it appends."""
    for name, columns in sorted(tables.items()):
        store.client.log_table(run_id, dict(columns), name)


def card_body(card: str) -> str:
    """A card without its YAML front matter, which MLflow's viewer takes for a broken list."""
    if not card.startswith("---\n"):
        return card
    _, mark, body = card.removeprefix("---\n").partition("\n---\n")
    return body.lstrip("\n") if mark else card


def _inside(path: str) -> PurePosixPath:
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts or not pure.parts:
        raise TrackingError(f"artefact {path!r}: its path must stay inside the run")
    return pure
