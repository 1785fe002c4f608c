"""Which content of each benchmark a git revision pins, by the hash that git or DVC knows it by."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from isogloss.benchmark import CORPUS_FILE
from isogloss.errors import DataError
from isogloss.files import one_line
from isogloss.versions.revisions import git

FOLDER = "benchmark"
LOCK_FILE = "dvc.lock"


def pins(root: Path, revision: str) -> dict[str, str]:
    """The benchmarks of a revision.

    Args:
        root: The project's root.
        revision: A commit, tag or branch.

    Returns:
        From benchmark to a hash of its content: DVC's md5 where dvc.lock or a ``.dvc`` file names
        the folder, git's tree hash where git itself holds it.

    Raises:
        DataError: A lock file or ``.dvc`` file of the revision is no YAML.
    """
    found = dict(_in_git(root, revision))
    for path in (git(root, "ls-tree", "--name-only", revision, f"{FOLDER}/") or "").splitlines():
        if path.endswith(".dvc"):
            content = _yaml(root, revision, path)
            outs = content.get("outs", []) if isinstance(content, dict) else []
            found |= _named([{**out, "path": f"{FOLDER}/{out.get('path', '')}"} for out in outs])
    lock = _yaml(root, revision, LOCK_FILE)
    stages = lock.get("stages", {}) if isinstance(lock, dict) else {}
    for stage in stages.values():
        found |= _named(stage.get("outs", []))
    return found


def _named(outs: list[dict[str, Any]]) -> dict[str, str]:
    named = {}
    for out in outs:
        path = PurePosixPath(str(out.get("path", "")))
        if path.parent == PurePosixPath(FOLDER) and out.get("md5"):
            named[path.name] = str(out["md5"])
    return named


def _in_git(root: Path, revision: str) -> Iterator[tuple[str, str]]:
    listed = git(root, "ls-tree", "-d", revision, f"{FOLDER}/") or ""
    for line in listed.splitlines():
        kept, path = line.split("\t", maxsplit=1)
        if git(root, "cat-file", "-e", f"{revision}:./{path}/{CORPUS_FILE}") is not None:
            yield PurePosixPath(path).name, kept.split()[-1]


def _yaml(root: Path, revision: str, path: str) -> Any:
    text = git(root, "show", f"{revision}:./{path}")
    if text is None:
        return None
    try:
        return YAML(typ="safe", pure=True).load(text)
    except YAMLError as error:
        raise DataError(f"{revision}:{path}: {one_line(error)}") from error
