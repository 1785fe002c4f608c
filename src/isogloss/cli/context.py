"""The project that a verb works in, found only once the verb runs: `--help` stays fast."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from isogloss.project import Project
    from isogloss.settings import EvaluationSettings

EngineOption = Annotated[
    str | None,
    typer.Option(help="local, ray or ray://HOST:PORT; what params.yaml says, if not given."),
]


def project() -> "Project":
    """Find the project that holds the current folder."""
    from isogloss.project import find_project

    return find_project()


def evaluation_settings() -> "EvaluationSettings | None":
    """The evaluation settings of the project around the current folder; None outside of one."""
    from isogloss.errors import SettingsError, UsageError

    try:
        return project().settings.evaluation
    except SettingsError:
        raise
    except UsageError:
        return None
