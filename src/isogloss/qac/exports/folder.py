"""Write an export as one folder: shared data files, and a file for each format asked for."""

from collections.abc import Collection, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, get_args

from isogloss.errors import UsageError
from isogloss.files import write_bytes, write_json, write_parquet, write_text
from isogloss.qac.exports.croissant import Publication, croissant
from isogloss.qac.exports.finished import Finished
from isogloss.qac.exports.hub_card import hub_card
from isogloss.qac.exports.licences import ATTRIBUTION_FILE, Licence
from isogloss.qac.exports.mteb_metadata import mteb_metadata
from isogloss.qac.exports.tables import COLUMNS, data_file, tables
from isogloss.qac.landing import landing

Format = Literal["huggingface", "mteb", "croissant"]
FORMATS: tuple[Format, ...] = get_args(Format)
CARD = "README.md"
CROISSANT = "croissant.json"
MTEB_TASK = "mteb_task.py"
MTEB_METADATA = "mteb_task.json"
LICENCE_TEXTS = ("LICENSE*", "LICENCE*", "NOTICE*", "COPYING*")
_CACHE = "__pycache__"


def write_export(
    folder: Path,
    finished: Finished,
    formats: Collection[Format],
    licence: Licence,
    publication: Publication,
    licence_texts: Mapping[str, bytes],
) -> dict[str, Any] | None:
    """Put a whole export in place at once; an earlier export in `folder` is replaced whole.

    Args:
        folder: Absent, empty, or what an earlier export wrote (see `check_target`).
        finished: The benchmark.
        formats: Which of `FORMATS` to write; the data files are shared by all.
        licence: Its licence.
        publication: What the caller declares of its publication.
        licence_texts: Files with licence texts that the attribution may name, by their name.

    Returns:
        The Croissant document, where that format was asked for.

    Raises:
        DataError: The benchmark cannot be told to a format; nothing is written.
    """
    described = None
    with landing(folder, keep_others=False) as staging:
        for name, table in tables(finished.benchmark).items():
            write_parquet(staging / data_file(name), table)
        # mteb loads the folder through `datasets`, which finds the tables by the card.
        if "huggingface" in formats or "mteb" in formats:
            write_text(staging / CARD, hub_card(finished, licence))
        if "mteb" in formats:
            metadata = mteb_metadata(finished, licence)
            write_json(staging / MTEB_METADATA, metadata)
            source = files("isogloss.qac.exports").joinpath(MTEB_TASK)
            write_bytes(staging / MTEB_TASK, source.read_bytes())
        if "croissant" in formats:
            content = {name: (staging / data_file(name)).read_bytes() for name in COLUMNS}
            described = croissant(finished, licence, publication, content)
            write_json(staging / CROISSANT, described)
        if finished.attribution:
            write_text(staging / ATTRIBUTION_FILE, finished.attribution + "\n")
        for name, text in licence_texts.items():
            write_bytes(staging / name, text)
    return described


def check_target(folder: Path, *, force: bool) -> None:
    """Refuse to write over anything but, when told so, an earlier export.

    Raises:
        UsageError: `folder` is a file, holds anything without `force`, or holds what no export
            writes.
    """
    if not folder.exists():
        return
    if not folder.is_dir():
        raise UsageError(f"--out {folder}: is no folder")
    found = sorted(path for path in folder.rglob("*") if path.is_file() or path.is_symlink())
    if found and not force:
        raise UsageError(f"--out {folder}: holds files; choose another, or pass --force to replace")
    for path in found:
        if not _is_ours(path.relative_to(folder)):
            raise UsageError(
                f"--out {folder}: holds {path.relative_to(folder)}, which no export writes; choose "
                "an empty folder"
            )


def _is_ours(path: Path) -> bool:
    if str(path) in {data_file(name) for name in COLUMNS} or _CACHE in path.parts:
        return True
    known = {CARD, CROISSANT, MTEB_TASK, MTEB_METADATA, ATTRIBUTION_FILE}
    at_top = len(path.parts) == 1
    return at_top and (path.name in known or any(path.match(text) for text in LICENCE_TEXTS))
