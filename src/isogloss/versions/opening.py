"""Opening a project at a revision through DVC: a local project, or any git repository by clone."""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isogloss.errors import IsoglossError, MissingExtraError, PullError, UsageError
from isogloss.files import one_line
from isogloss.versions.revisions import prefix

CLONE_SECONDS = 600
# DVC's own stand-in where no remote is set: the cache of the repository itself.
STAND_IN = "auto-generated-upstream"


@dataclass(frozen=True)
class Opened:
    """A project at a revision.

    Attributes:
        fs: DVC's file system over git and DVC outputs.
        folder: The project's root in it: empty, or ``folder/``.
        label: For errors: revision and repository.
        remote: The DVC remote's URL; None where the revision names none.
        borrowed: The remote was configured after the revision and is that of the last commit.
    """

    fs: Any
    folder: str
    label: str
    remote: str | None
    borrowed: bool


@dataclass(frozen=True)
class _Place:
    """What DVC is asked to open; `own` and `spare` are the remotes of revision and last commit."""

    url: str
    rev: str | None
    folder: str
    own: dict[str, Any] | None
    spare: dict[str, Any] | None


@contextmanager
def open_at(repo: str, rev: str | None) -> Iterator[Opened]:
    """Open a project at a revision, for reading its files wherever DVC keeps them.

    A revision made before its remote was configured is read from the remote of the last commit.

    Args:
        repo: A local project, or the path or URL of a git repository.
        rev: A tag, branch or commit; None for the last commit.

    Raises:
        UsageError: The revision or repository reads as an option or a command.
        PullError: The repository or revision is missing, or storage fails; said in one line.
        MissingExtraError: The remote's kind needs a package that is not installed.
    """
    for name, value in (("--rev", rev), ("--repo", repo)):
        if value is not None and (not value or value.startswith("-") or "::" in value):
            raise UsageError(f"{name} {value!r}: is no {name.strip('-')}")
    label = f"{rev or 'the last commit'} of {_public(repo)}"
    quiet_dvc()
    with told(label), tempfile.TemporaryDirectory(prefix="isogloss-") as scratch:
        from dvc.repo import Repo

        if (Path(repo) / ".git").exists() or prefix(Path(repo)):
            place = _local(repo, rev or "HEAD")
        else:
            place = _cloned(repo, rev, Path(scratch), label)
        borrowed = place.own is None and place.spare is not None
        config = place.spare if borrowed else None
        with Repo.open(
            url=place.url, rev=place.rev, subrepos=True, uninitialized=True, config=config
        ) as opened:
            used = config or place.own
            remote = None if used is None else str(used["remote"][used["core"]["remote"]]["url"])
            if remote is not None and remote.startswith(f"{place.url}/"):
                # A remote inside the repository: a clone's own path would tell nobody anything.
                remote = f"{remote.removeprefix(f'{place.url}/')} in {_public(repo)}"
            yield Opened(opened.dvcfs, place.folder, label, remote, borrowed)


@contextmanager
def told(label: str) -> Iterator[None]:
    """Turn whatever git, DVC or a storage driver raises into one line.

    Raises:
        PullError: Naming what was opened.
        MissingExtraError: The driver is not installed.
    """
    try:
        yield
    except (IsoglossError, KeyboardInterrupt, GeneratorExit):
        raise
    except Exception as error:
        # Each kind of storage raises classes of its own, which DVC does not translate.
        raise _translated(error, label) from error


def _translated(error: Exception, label: str) -> IsoglossError:
    from dvc.scm import RevError
    from dvc_objects.fs.errors import RemoteMissingDepsError

    if isinstance(error, RevError):
        return PullError(f"{label}: no such revision; fetch or push the tag, or check its name")
    missing = isinstance(error, ImportError | RemoteMissingDepsError)
    if missing and ("dvc-s3" in str(error) or getattr(error, "protocol", "") == "s3"):
        return MissingExtraError("s3", f"{label}: its DVC remote on S3")
    return PullError(f"{label}: {_public(one_line(error))}")


def quiet_dvc() -> None:
    """Keep DVC from calling home and from narrating; failures come as exceptions anyway."""
    import logging

    os.environ.setdefault("DVC_NO_ANALYTICS", "1")
    for name in ("dvc", "dvc_data", "dvc_objects"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _local(repo: str, rev: str) -> _Place:
    """A project on this machine: its cache and its uncommitted credentials serve, too."""
    folder = prefix(Path(repo))
    if folder:
        # A project below the root of its repository has a DVC configuration of its own there.
        top = Path(repo).resolve().parents[folder.count("/") - 1]
        return _Place(str(top), rev, folder, None, None)
    return _Place(repo, rev, "", _remote(repo, rev), _remote(repo, None))


def _cloned(repo: str, rev: str | None, scratch: Path, label: str) -> _Place:
    """A clone with the revision checked out, so that a remote inside the repository is found."""
    clone = _clone(repo, scratch)
    spare = _remote(str(clone), None)
    if rev is not None:
        _checkout(clone, rev, label)
    return _Place(str(clone), None, "", _remote(str(clone), None), spare)


def _remote(url: str, rev: str | None) -> dict[str, Any] | None:
    """The default remote of a repository, as configuration for another revision."""
    from dvc.repo import Repo

    with Repo.open(url=url, rev=rev, subrepos=True, uninitialized=True) as opened:
        name = opened.config["core"].get("remote")
        if not name or name == STAND_IN or name not in opened.config["remote"]:
            return None
        return {"core": {"remote": name}, "remote": {name: dict(opened.config["remote"][name])}}


def _clone(repo: str, scratch: Path) -> Path:
    target = scratch / "clone"
    done = _git("clone", "--quiet", "--", repo, str(target))
    if done.returncode:
        raise PullError(f"{_public(repo)}: no git repository can be read there ({_reason(done)})")
    return target


def _checkout(clone: Path, rev: str, label: str) -> None:
    found = _git("-C", str(clone), "rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}")
    if found.returncode:
        found = _git(
            "-C", str(clone), "rev-parse", "--verify", "--quiet", f"origin/{rev}^{{commit}}"
        )
    if found.returncode:
        raise PullError(f"{label}: no such revision; push the tag, or check its name")
    commit = found.stdout.decode().strip()
    done = _git("-C", str(clone), "checkout", "--quiet", "--detach", commit)
    if done.returncode:
        raise PullError(f"{label}: {_reason(done)}")


def _git(*arguments: str) -> "subprocess.CompletedProcess[bytes]":
    # Asking for a password would hang a pipeline: git shall fail instead.
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    try:
        return subprocess.run(  # noqa: S603
            ["git", *arguments],  # noqa: S607
            capture_output=True,
            check=False,
            timeout=CLONE_SECONDS,
            env=environment,
        )
    except FileNotFoundError as error:
        raise PullError("git is not installed, and pinned versions are git revisions") from error


def _reason(done: "subprocess.CompletedProcess[bytes]") -> str:
    return _public(" ".join(done.stderr.decode("utf-8", "replace").split())) or "git failed"


def _public(text: str) -> str:
    """Text without the user name and password that URLs in it may carry."""
    return re.sub(r"://[^/@\s]+@", "://", text)
