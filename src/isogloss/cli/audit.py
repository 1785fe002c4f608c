"""Verbs about audits by people: audit export, audit import."""

from pathlib import Path
from typing import Annotated

import typer

from isogloss.cli.context import project

audit_app = typer.Typer(help="Have people check what models wrote or scored.", no_args_is_help=True)

KindOption = Annotated[
    str, typer.Option(help="queries (scores 0-10 on eight criteria) or seed (translations).")
]


@audit_app.command("export")
def export_audit(
    benchmark: Annotated[str, typer.Argument(help="The benchmark that is audited.")],
    annotator: Annotated[
        list[str], typer.Option(help="Id of a person who rates (repeat the option).")
    ],
    table: Annotated[
        Path | None,
        typer.Option(help="Parquet of what may be sampled; what its stage wrote by default."),
    ] = None,
    kind: KindOption = "queries",
    size: Annotated[int, typer.Option(min=1, help="How many to draw.")] = 97,
    seed: Annotated[int, typer.Option(help="Another seed draws another sample.")] = 13,
    out: Annotated[Path | None, typer.Option(help="Folder; audits/BENCHMARK by default.")] = None,
    label_studio: Annotated[
        bool, typer.Option("--label-studio", help="Write Label Studio tasks and config too.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a sample that was drawn otherwise.")
    ] = False,
) -> None:
    """Draw a stratified sample and write one spreadsheet for each annotator."""
    from isogloss.stages import audit_export as stage

    stage.run(
        project(), benchmark, kind, table, annotator,
        size=size, seed=seed, out=out, label_studio=label_studio, force=force,
    )  # fmt: skip


@audit_app.command("import")
def import_audit(
    benchmark: Annotated[str, typer.Argument(help="The benchmark that is audited.")],
    returned: Annotated[
        list[Path] | None,
        typer.Argument(help="Returned files or folders; data/audits/BENCHMARK by default."),
    ] = None,
    kind: KindOption = "queries",
    out: Annotated[Path | None, typer.Option(help="The folder of the export.")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Import nothing if any rule is broken.")
    ] = False,
) -> None:
    """Read returned sheets and say how far people and model agree."""
    from isogloss.stages import audit_import as stage

    stage.run(project(), benchmark, kind, returned or (), out=out, strict=strict)


expert_app = typer.Typer(help="Have experts judge what a model has judged.", no_args_is_help=True)


@expert_app.command("export")
def export_answers(
    items: Annotated[Path, typer.Option(help="Items: a JSONL file, or a folder of them.")],
    answers: Annotated[Path, typer.Option(help="Replies, one JSON object a line.")],
    verdicts: Annotated[Path, typer.Option(help="The judge's raw texts.")],
    out: Annotated[Path, typer.Option(help="Folder for the sample and the sheets.")],
    model: Annotated[list[str], typer.Option(help="A model to audit (repeat the option).")],
    expert: Annotated[list[str], typer.Option(help="Id of an expert (repeat the option).")],
    language: Annotated[
        list[str] | None, typer.Option(help="Only these languages (repeat the option).")
    ] = None,
    arm: Annotated[str, typer.Option(help="reviewed or mt.")] = "reviewed",
    per_dataset: Annotated[int, typer.Option(min=1, help="Questions per dataset.")] = 5,
    seed: Annotated[int, typer.Option(help="Another seed draws other questions.")] = 13,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a sample that was drawn otherwise.")
    ] = False,
) -> None:
    """Draw answers across the judge's scores and write one sheet a language and expert."""
    from isogloss.stages import audit_experts_export as stage

    stage.run(
        items, answers, verdicts, out, model, expert,
        languages=language or (), arm=arm, per_dataset=per_dataset, seed=seed, force=force,
    )  # fmt: skip


@expert_app.command("import")
def import_answers(
    folder: Annotated[Path, typer.Argument(help="The folder of the export.")],
    returned: Annotated[
        list[Path] | None,
        typer.Argument(help="Returned files or folders; data/medical/audits by default."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Import nothing if any rule is broken.")
    ] = False,
) -> None:
    """Read returned sheets into experts.jsonl, for `isogloss medical score --experts`."""
    from isogloss.stages import audit_experts_import as stage

    stage.run(folder, returned or (), strict=strict)


def register(app: typer.Typer) -> None:
    """Add these verbs to the app."""
    app.add_typer(audit_app, name="audit")


def register_medical(app: typer.Typer) -> None:
    """Add these verbs to the app of ``isogloss medical``."""
    app.add_typer(expert_app, name="audit")
