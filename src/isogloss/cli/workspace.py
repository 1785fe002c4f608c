"""Verbs about the project itself: check, ui."""

from typing import Annotated

import typer

from isogloss.cli.context import project


def check() -> None:
    """Validate params.yaml, model declarations and the first records of raw files; runs nothing."""
    from isogloss.stages import check as stage

    stage.run(project())


def ui(port: Annotated[int, typer.Option(help="Port on 127.0.0.1.")] = 5000) -> None:
    """Open the MLflow UI on this project's tracking store."""
    from isogloss.stages import ui as stage

    stage.run(project(), port)


def register(app: typer.Typer) -> None:
    """Add these verbs to the app."""
    app.command()(check)
    app.command()(ui)
