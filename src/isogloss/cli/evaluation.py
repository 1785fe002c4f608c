"""Verbs that measure: embed, evaluate, score, compare."""

from pathlib import Path
from typing import Annotated

import typer

from isogloss.cli.context import evaluation_settings, project

BenchmarkArgument = Annotated[str, typer.Argument(help="A benchmark: a folder under benchmark/.")]
ModelArgument = Annotated[str, typer.Argument(help="A model: a file models/KEY.yaml.")]


def embed(
    benchmark: BenchmarkArgument,
    model: ModelArgument,
    device: Annotated[
        str | None, typer.Option(help="cpu, cuda, mps; the best one found where not given.")
    ] = None,
) -> None:
    """Encode new and changed texts of BENCHMARK with MODEL and tag the dataset version."""
    from isogloss.stages import embed as stage

    stage.run(project(), benchmark, model, device)


def evaluate(
    benchmark: BenchmarkArgument,
    model: ModelArgument,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the tracked run of this very evaluation.")
    ] = False,
) -> None:
    """Rank, score and log BENCHMARK under MODEL; loads no model."""
    from isogloss.stages import evaluate as stage

    stage.run(project(), benchmark, model, force=force)


def score(
    run_file: Annotated[Path, typer.Argument(metavar="RUN", help="A TREC run file, plain or .gz.")],
    benchmark: Annotated[Path, typer.Option(help="A benchmark folder in BEIR layout.")],
    out: Annotated[Path, typer.Option(help="Folder for metrics.json, routes.csv and tables.")],
) -> None:
    """Score any TREC run file against any benchmark folder, with every metric of `evaluate`.

    Inside a project its evaluation settings hold, elsewhere the defaults.
    """
    from isogloss.stages import score as stage

    stage.run(run_file, benchmark, out, evaluation_settings())


def compare(
    benchmarks: Annotated[
        list[str] | None, typer.Option(help="Only these benchmarks (repeat the option).")
    ] = None,
    models: Annotated[
        list[str] | None, typer.Option(help="Only these models (repeat the option).")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the tracked run of this very comparison.")
    ] = False,
) -> None:
    """Compare models on the same dataset versions: pools, significance, leaderboard."""
    from isogloss.stages import compare as stage

    stage.run(project(), benchmarks, models, force=force)


def leaderboard() -> None:
    """Print the leaderboard of the last comparison and where to look further."""
    from isogloss.stages import leaderboard as stage

    stage.run(project())


def register(app: typer.Typer) -> None:
    """Add these verbs to the app."""
    for verb in (embed, evaluate, score, compare, leaderboard):
        app.command()(verb)
