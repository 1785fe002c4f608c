"""Verbs that measure: embed, evaluate, score, compare, plan."""

from pathlib import Path
from typing import Annotated

import typer

from isogloss.cli.context import EngineOption, evaluation_settings, project

BenchmarkArgument = Annotated[str, typer.Argument(help="A benchmark: a folder under benchmark/.")]
ModelArgument = Annotated[str, typer.Argument(help="A model: a file models/KEY.yaml.")]
DeviceOption = Annotated[
    str | None,
    typer.Option(
        help="auto, cpu, cuda, cuda:N, mps or xpu; auto, or what params.yaml says, if not given."
    ),
]


def embed(
    benchmark: BenchmarkArgument,
    model: ModelArgument,
    device: DeviceOption = None,
    offline: Annotated[
        bool, typer.Option("--offline", help="Translated queries from recordings only.")
    ] = False,
    engine: EngineOption = None,
) -> None:
    """Encode new and changed texts of BENCHMARK with MODEL and tag the dataset version.

    A MODEL made of others gets what it needs of them: translated queries, second-stage scores.
    """
    from isogloss.stages import embed as stage

    stage.run(project(), benchmark, model, device, offline=offline, engine=engine)


def evaluate(
    benchmark: BenchmarkArgument,
    model: ModelArgument,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the tracked run of this very evaluation.")
    ] = False,
    device: DeviceOption = None,
    engine: EngineOption = None,
) -> None:
    """Rank, score and log BENCHMARK under MODEL; loads no model unless the store lacks vectors."""
    from isogloss.stages import evaluate as stage

    stage.run(project(), benchmark, model, force=force, device=device, engine=engine)


def score(
    run_file: Annotated[Path, typer.Argument(metavar="RUN", help="A TREC run file, plain or .gz.")],
    benchmark: Annotated[Path, typer.Option(help="A benchmark folder in BEIR layout.")],
    out: Annotated[Path, typer.Option(help="Folder for metrics.json, routes.csv and tables.")],
) -> None:
    """Score any TREC run file against any benchmark folder, with every metric of `evaluate`.

    Order is by score, then by document id: the rank column of the file is ignored. Inside a project
    its evaluation settings hold, elsewhere the defaults.
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


def plan(
    targets: Annotated[
        list[str] | None,
        typer.Argument(help="Benchmarks and pools (pool:KEY); all of params.yaml where none."),
    ] = None,
    coverage: Annotated[
        list[float] | None,
        typer.Option(help="Wanted share of queries, 0.8 where not given (repeat the option)."),
    ] = None,
    price: Annotated[
        float | None, typer.Option(help="What a re-ranker costs per document, in any currency.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(help="How long a re-ranker takes per document.")
    ] = None,
    models: Annotated[
        list[str] | None, typer.Option(help="Only these models (repeat the option).")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="A CSV file for the table.")] = None,
) -> None:
    """Say how deep each model must be read for a wanted coverage across languages, and the cost.

    A model that fails the gate, or does not reach the coverage in its top 1000, is refused by name.
    """
    from isogloss.stages import plan as stage

    stage.run(
        project(),
        targets,
        coverages=coverage,
        price=price,
        seconds=seconds,
        models=models,
        out=out,
    )


def report(
    out: Annotated[Path | None, typer.Option(help="A folder; report/ where not given.")] = None,
) -> None:
    """Write everything measured as one HTML page, with each table as CSV and LaTeX beside it."""
    from isogloss.stages import report as stage

    stage.run(project(), out)


def register(app: typer.Typer) -> None:
    """Add these verbs to the app."""
    for verb in (embed, evaluate, score, compare, leaderboard, plan, report):
        app.command()(verb)
