"""A folder appears whole or not at all."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def landing(folder: Path) -> Iterator[Path]:
    """Give an empty folder beside `folder` and put it in its place once the block has succeeded.

    Files of the old folder that the new one lacks move over to it, so what other stages wrote there
    stays. After an exception the old folder is as it was. Between the two renames that swap the
    folders there is none; a crash just then leaves the old one beside it under the ending `.old`.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = folder.parent / f".{folder.name}.{os.getpid()}.new"
    old = folder.parent / f".{folder.name}.{os.getpid()}.old"
    staging.mkdir()
    try:
        yield staging
        if folder.exists():
            folder.rename(old)
            staging.rename(folder)
            _keep_others(old, folder)
            shutil.rmtree(old)
        else:
            staging.rename(folder)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _keep_others(old: Path, new: Path) -> None:
    for file in sorted(path for path in old.rglob("*") if path.is_file() or path.is_symlink()):
        target = new / file.relative_to(old)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            file.rename(target)
