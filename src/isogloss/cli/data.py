"""Verbs that make data: corpora and benchmarks."""

from pathlib import Path
from typing import Annotated

import typer

from isogloss.cli.context import EngineOption, project

benchmark_app = typer.Typer(
    help="Bring benchmarks in from elsewhere, and out to other tools.", no_args_is_help=True
)

OfflineOption = Annotated[
    bool, typer.Option("--offline", help="Replay: a reply that is not recorded is an error.")
]
BatchOption = Annotated[
    bool,
    typer.Option("--batch", help="Ask by the Batch API; a run that ended early is gone on with."),
]
AcceptOption = Annotated[
    bool,
    typer.Option(
        "--accept-failures", help="Record calls that failed for good as failed and go on."
    ),
]


def corpus(
    source: Annotated[str, typer.Argument(help="A key under sources in params.yaml.")],
    engine: EngineOption = None,
) -> None:
    """Turn raw documents of SOURCE into its corpus, with a count for every rule."""
    from isogloss.stages import corpus as stage

    stage.run(project(), source, engine)


def queries(
    benchmark: Annotated[
        str, typer.Argument(help="A key under benchmarks or llm_benchmarks in params.yaml.")
    ],
    plan_only: Annotated[
        bool, typer.Option("--plan-only", help="Write the plan and stop before anything is asked.")
    ] = False,
    only: Annotated[
        str | None,
        typer.Option(metavar="STEP", help="One step alone: plan, generate, verify or dataset."),
    ] = None,
    offline: OfflineOption = False,
    batch: BatchOption = False,
    accept_failures: AcceptOption = False,
    engine: EngineOption = None,
) -> None:
    """Make BENCHMARK from its corpus: queries, documents and qrels in BEIR layout."""
    from isogloss.errors import UsageError
    from isogloss.stages import queries as stage
    from isogloss.stages.asking import Asking

    if plan_only and only not in (None, "plan"):
        raise UsageError("--plan-only and --only clash; give one of them")
    asking = Asking(offline, batch, accept_failures)
    step = "plan" if plan_only else only
    stage.run(project(), benchmark, step=step, asking=asking, engine=engine)


def seed_translations(
    source: Annotated[str, typer.Argument(help="A key under seed_translations in params.yaml.")],
    offline: OfflineOption = False,
    batch: BatchOption = False,
    accept_failures: AcceptOption = False,
) -> None:
    """Have a sample of SOURCE's documents translated; its corpus with them is SOURCE.seeded."""
    from isogloss.stages import seed_translations as stage
    from isogloss.stages.asking import Asking

    stage.run(project(), source, Asking(offline, batch, accept_failures))


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

    stage.run(
        project(),
        folder,
        name,
        language=language,
        language_field=language_field,
        family_is_id=family_is_id,
        force=force,
    )


@benchmark_app.command("export")
def export_benchmark(
    name: Annotated[str, typer.Argument(help="A benchmark: a folder under benchmark/.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder to write.")],
    format_name: Annotated[
        str,
        typer.Option("--format", metavar="FORMAT", help="huggingface, mteb, croissant or all."),
    ] = "all",
    licence: Annotated[
        str | None,
        typer.Option("--license", help="SPDX identifier, where the attribution declares none."),
    ] = None,
    url: Annotated[str | None, typer.Option(help="Croissant: page of the dataset.")] = None,
    creator: Annotated[str | None, typer.Option(help="Croissant: who made it.")] = None,
    published: Annotated[
        str | None, typer.Option(metavar="DATE", help="Croissant: day of publication.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an earlier export.")] = False,
) -> None:
    """Write a finished benchmark as Hugging Face dataset, mteb task and Croissant metadata."""
    from isogloss.qac.exports.croissant import Publication
    from isogloss.stages import benchmark_export as stage

    stage.run(
        project(),
        name,
        out,
        format_name=format_name,
        licence=licence,
        publication=Publication(url, creator, published),
        force=force,
    )


def register(app: typer.Typer) -> None:
    """Add these verbs to the app."""
    app.command()(corpus)
    app.command()(queries)
    app.command("seed-translations")(seed_translations)
    app.add_typer(benchmark_app, name="benchmark")
