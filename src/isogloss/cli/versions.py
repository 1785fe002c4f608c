"""Verbs about pinned versions: of datasets and of models."""

from pathlib import Path
from typing import Annotated

import typer

from isogloss.cli.context import project

Benchmark = Annotated[str, typer.Argument(help="A benchmark's key.")]


def versions(
    benchmark: Annotated[str | None, typer.Argument(help="Only this benchmark.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
) -> None:
    """List dataset versions: which tag or commit holds each, which runs and vectors use it."""
    from isogloss.stages import versions as stage

    stage.run(project(), benchmark, as_json=as_json)


def pull(
    benchmark: Benchmark,
    rev: Annotated[str, typer.Option(help="A git tag, branch or commit.")],
    repo: Annotated[
        str | None, typer.Option(help="Path or URL of a git repository; this project's if absent.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The folder it becomes; BENCHMARK-REV if absent.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a folder of that name.")] = False,
) -> None:
    """Fetch BENCHMARK as a git revision pins it; prints its dataset version."""
    from isogloss.stages import pull as stage
    from isogloss.versions.fetch import Source

    stage.run(Source(benchmark, repo or str(project().root), rev), out, force=force)


def releases(
    model: Annotated[str, typer.Argument(help="A model: a file models/KEY.yaml.")],
    before: Annotated[
        str,
        typer.Argument(
            metavar="A", help="A model's key, a release hash's beginning, or a git revision."
        ),
    ],
    after: Annotated[str, typer.Argument(metavar="B", help="The release in question, likewise.")],
    benchmark: Annotated[str, typer.Option(help="A benchmark: a folder under benchmark/.")],
    gate: Annotated[
        bool, typer.Option("--gate", help="Exit 1 on a significant loss, naming it.")
    ] = False,
    alpha: Annotated[
        float | None, typer.Option(help="Level of significance; params.yaml's if absent.")
    ] = None,
    margin: Annotated[
        float | None, typer.Option(help="Loss of recall let through; params.yaml's if absent.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the tracked run of this very comparison.")
    ] = False,
) -> None:
    """Compare two releases of MODEL on one dataset version: neighbours, recall, routes, drift."""
    from isogloss.settings import ReleaseSettings, parse
    from isogloss.stages import releases as stage

    here = project()
    given = {"alpha": alpha, "margin": margin}
    changed = {key: value for key, value in given.items() if value is not None}
    settings = parse(
        ReleaseSettings, here.settings.releases.model_dump() | changed, "options of releases"
    )
    stage.run(here, model, before, after, benchmark, gate=gate, settings=settings, force=force)


def dataset_versions(
    benchmark: Benchmark,
    before: Annotated[
        str,
        typer.Argument(
            metavar="V1", help="A git revision, a dataset version's beginning, or 'workspace'."
        ),
    ],
    after: Annotated[str, typer.Argument(metavar="V2", help="Likewise.")],
    model: Annotated[
        str | None,
        typer.Option(help="A model's key or a release hash's beginning: what it did to figures."),
    ] = None,
) -> None:
    """Compare two dataset versions of BENCHMARK: what changed, and what that did to figures."""
    from isogloss.stages import dataset_versions as stage

    stage.run(project(), benchmark, before, after, model)


def prune(
    yes: Annotated[
        bool, typer.Option("--yes", help="Drop what is listed; without it nothing is touched.")
    ] = False,
) -> None:
    """Drop vectors of dataset versions that no tag, commit or workspace names any more."""
    from isogloss.stages import prune as stage

    stage.run(project(), yes=yes)


def register(app: typer.Typer) -> None:
    """Add these verbs to the app."""
    for verb in (versions, pull, releases, dataset_versions, prune):
        app.command()(verb)
