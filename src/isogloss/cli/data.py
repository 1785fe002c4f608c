"""Verbs that make data: corpora and benchmarks."""

from pathlib import Path
from typing import Annotated

import typer

from isogloss.cli.context import project

benchmark_app = typer.Typer(help="Bring benchmarks from elsewhere.", no_args_is_help=True)


def corpus(
    source: Annotated[str, typer.Argument(help="A key under sources in params.yaml.")],
) -> None:
    """Turn raw documents of SOURCE into its corpus, with a count for every rule."""
    from isogloss.stages import corpus as stage

    stage.run(project(), source)


def queries(
    benchmark: Annotated[str, typer.Argument(help="A key under benchmarks in params.yaml.")],
) -> None:
    """Make BENCHMARK from its corpus: queries, documents and qrels in BEIR layout."""
    from isogloss.stages import queries as stage

    stage.run(project(), benchmark)


@benchmark_app.command("import")
def import_benchmark(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Holds corpus.jsonl, queries.jsonl, qrels/.")
    ],
    name: Annotated[str, typer.Option(help="The key it gets here: benchmark/NAME.")],
    language: Annotated[
        str | None, typer.Option(help="Language of records whose metadata names none.")
    ] = None,
    language_field: Annotated[
        str, typer.Option(help="The metadata key that names the language.")
    ] = "language",
    family_is_id: Annotated[
        bool, typer.Option("--family-is-id", help="Each document without a family is its own.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a benchmark of that name.")
    ] = False,
) -> None:
    """Bring any BEIR-layout folder in as a benchmark for embed and evaluate."""
    from isogloss.stages import benchmark_import as stage

    stage.run(project(), folder, name, language=language, family_is_id=family_is_id, force=force)


def register(app: typer.Typer) -> None:
    """Add these verbs to the app."""
    app.command()(corpus)
    app.command()(queries)
    app.add_typer(benchmark_app, name="benchmark")
