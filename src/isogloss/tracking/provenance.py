"""Where a run came from: git commit, DVC version of the dataset, library versions, machine."""

import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import yaml

from isogloss.progress import note
from isogloss.settings import read_yaml
from isogloss.versions.content import folder_hash

# Libraries whose release may change a figure.
LIBRARIES = ("faiss-cpu", "lancedb", "numpy", "pyarrow", "scipy", "sentence-transformers", "torch")
LOCK_FILE = "dvc.lock"


def library_versions() -> dict[str, str]:
    """Tags naming Python, this package and the libraries that are installed."""
    tags = {"version.python": ".".join(str(part) for part in sys.version_info[:3])}
    for name in ("isogloss", "mlflow", "dvc", *LIBRARIES):
        try:
            tags[f"version.{name}"] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return tags


def git(root: Path, *arguments: str) -> str | None:
    """The output of a git command without its last line end; None where the command fails."""
    try:
        done = subprocess.run(  # noqa: S603
            ["git", "-C", str(root), *arguments],  # noqa: S607
            capture_output=True,
            check=True,
            timeout=30,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace").rstrip("\n")


def git_tags(root: Path) -> dict[str, str]:
    """Tags naming the commit and whether tracked files differ from it.

    dvc.lock is left out of the comparison: the pipeline writes it while it runs (our reading).
    """
    commit = git(root, "rev-parse", "HEAD")
    if commit is None:
        return {"dirty": "unknown"}
    changed = git(
        root, "status", "--porcelain", "--untracked-files=no", "--", ".", f":(exclude){LOCK_FILE}"
    )
    return {
        "git.commit": commit,
        "dirty": "unknown" if changed is None else str(bool(changed)).lower(),
    }


def dvc_tags(root: Path, folder: str) -> dict[str, str]:
    """Tags naming the DVC version of an output folder.

    Args:
        root: The project's root.
        folder: The output, relative to the root, such as ``benchmark/tico19-cloze``.

    Returns:
        ``dvc.md5`` from dvc.lock, and ``dvc.rev``, the git revision (tag or commit) whose dvc.lock
        names the very same hash, where there is one. Nothing outside a DVC pipeline, and nothing
        but a printed line where the folder is not what dvc.lock records: a run must not name data
        that it was not made of.
    """
    lock = root / LOCK_FILE
    if not lock.is_file():
        return {}
    md5 = output_hash(_read_lock(lock), folder)
    if md5 is None:
        return {}
    if folder_hash(root / folder) != md5:
        note(
            f"{folder} is not what {LOCK_FILE} records; commit it with `dvc commit` or `dvc repro`"
        )
        return {}
    tags = {"dvc.md5": md5}
    committed = git(root, "show", f"HEAD:./{LOCK_FILE}")
    # Files in the lock are listed with hashes; a plain look tells whether the commit holds ours.
    if committed is not None and md5 in committed:
        revision = git(root, "describe", "--tags", "--exact-match") or git(
            root, "rev-parse", "HEAD"
        )
        if revision is not None:
            tags["dvc.rev"] = revision
    return tags


def _read_lock(path: Path) -> Any:
    """A parsed dvc.lock, every scalar a string: by libyaml, since it has thousands of lines."""
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        return yaml.load(path.read_bytes(), Loader=loader)  # noqa: S506
    except yaml.YAMLError:
        return read_yaml(path)  # which names the file and what is wrong in it


def output_hash(lock: Any, folder: str) -> str | None:
    """The md5 that a parsed dvc.lock holds for an output; None where it is no output."""
    stages = lock.get("stages", {}) if isinstance(lock, dict) else {}
    for stage in stages.values():
        for out in stage.get("outs", []):
            if out.get("path") == folder and out.get("md5"):
                return str(out["md5"])
    return None
