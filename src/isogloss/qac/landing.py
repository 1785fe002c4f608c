"""A folder appears whole or not at all."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from isogloss.errors import WriteError
from isogloss.write_faults import write_faults


@contextmanager
def landing(folder: Path, *, keep_others: bool = True) -> Iterator[Path]:
    """Give an empty folder beside `folder` and put it in its place once the block has succeeded.

    Files of the old folder that the new one lacks are copied over first, so what other stages wrote
    there stays; with `keep_others` false the new folder replaces the old one whole. After an
    exception the old folder is as it was. Between the two renames that swap the folders there is
    none; a process killed just then leaves the old one in a hidden folder beside it.
    """
    with write_faults(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        holder = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    staging, old = holder / folder.name, holder / "old"
    try:
        staging.mkdir()
        try:
            yield staging
        except WriteError as error:
            # The folder that was being filled is gone by the time this is read.
            raise WriteError(str(error).replace(str(staging), str(folder))) from error
        if folder.exists():
            if keep_others:
                _keep_others(folder, staging)
            _swap(staging, folder, old)
        else:
            staging.rename(folder)
    finally:
        shutil.rmtree(holder, ignore_errors=True)


def _keep_others(old: Path, new: Path) -> None:
    for file in sorted(path for path in old.rglob("*") if path.is_file()):
        target = new / file.relative_to(old)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, target)


def _swap(staging: Path, folder: Path, old: Path) -> None:
    folder.rename(old)
    try:
        staging.rename(folder)
    except OSError:
        old.rename(folder)
        raise
