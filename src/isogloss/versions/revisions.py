"""The git revisions of a project that may pin dataset versions: its tags and its last commit."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

SECONDS = 60


@dataclass(frozen=True)
class Revision:
    """One git revision.

    Attributes:
        name: A tag's name, or ``HEAD``.
        commit: The full hash it stands for.
        date: When the tag, or the commit, was made (ISO date).
    """

    name: str
    commit: str
    date: str


def git(root: Path, *arguments: str) -> str | None:
    """The output of a git command; None where git or the command fails."""
    try:
        done = subprocess.run(  # noqa: S603
            ["git", "-C", str(root), *arguments],  # noqa: S607
            capture_output=True,
            check=True,
            timeout=SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace")


def revisions(root: Path) -> list[Revision]:
    """Every tag that names a commit, oldest first, then the last commit; none outside git."""
    fields = "%(refname:strip=2)%09%(objecttype)%09%(objectname)%09%(*objecttype)%09%(*objectname)"
    listed = git(
        root,
        *("for-each-ref", "refs/tags", "--sort=creatordate"),
        f"--format={fields}%09%(creatordate:short)",
    )
    found = []
    for line in (listed or "").splitlines():
        name, kind, own, peeled_kind, peeled, date = line.split("\t")
        # An annotated tag is an object of its own that points to the commit.
        if "commit" in (kind, peeled_kind):
            found.append(Revision(name, peeled or own, date))
    head = git(root, "show", "--no-patch", "--format=%H%x09%cs", "HEAD")
    if head:
        commit, date = head.strip().split("\t")
        found.append(Revision("HEAD", commit, date))
    return found


def prefix(root: Path) -> str:
    """Where a project lies below the root of its git repository: empty, or ``folder/``."""
    return (git(root, "rev-parse", "--show-prefix") or "").strip()
