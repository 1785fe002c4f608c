"""The project that a verb works in, found only once the verb runs: `--help` stays fast."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from isogloss.project import Project


def project() -> "Project":
    """Find the project that holds the current folder."""
    from isogloss.project import find_project

    return find_project()
