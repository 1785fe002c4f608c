"""Verbs of the medical evaluation that make items and ask models: one for each DVC stage."""

from pathlib import Path
from typing import Annotated

import typer

from isogloss.cli.context import project
from isogloss.cli.data import AcceptOption, BatchOption, OfflineOption

ModelArgument = Annotated[
    str, typer.Argument(help="A key of the panel, of its floors, or of chat.answerers.")
]
ArmArgument = Annotated[str, typer.Argument(metavar="ARM", help="mt or reviewed.")]


def items(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE=FILE...", help="A publisher's file under its source's name."
        ),
    ],
    out: Annotated[Path, typer.Option(help="The items file to write; its report lies beside it.")],
    per_dataset: Annotated[
        int | None, typer.Option(min=1, help="Draw so many items a dataset, by seed.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed draws other items.")] = 13,
) -> None:
    """Turn published datasets into items, with a count for every reason of leaving one out."""
    from isogloss.stages import medical_items as stage

    stage.run(files, out, per_dataset=per_dataset, seed=seed)


def translate(
    language: Annotated[str, typer.Argument(metavar="LANG", help="One of medical.languages.")],
    offline: OfflineOption = False,
    batch: BatchOption = False,
    accept_failures: AcceptOption = False,
) -> None:
    """Translate the English items into LANG and check labels, words, figures and units."""
    from isogloss.stages import medical_translate as stage
    from isogloss.stages.asking import Asking

    stage.run(project(), language, Asking(offline, batch, accept_failures))


def answer(
    model: ModelArgument,
    arm: ArmArgument,
    offline: OfflineOption = False,
    batch: BatchOption = False,
    accept_failures: AcceptOption = False,
) -> None:
    """Have MODEL answer every item of ARM that it takes, in the item's language."""
    from isogloss.stages import medical_answer as stage
    from isogloss.stages.asking import Asking

    stage.run(project(), model, arm, Asking(offline, batch, accept_failures))


def refusals(
    model: Annotated[
        str | None, typer.Argument(help="A key of the panel or of chat.answerers.")
    ] = None,
    arm: Annotated[str | None, typer.Argument(metavar="ARM", help="mt or reviewed.")] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Ask the classifier about labelled samples in nine languages."
        ),
    ] = False,
    offline: OfflineOption = False,
    batch: BatchOption = False,
    accept_failures: AcceptOption = False,
) -> None:
    """Tell which replies of MODEL in ARM decline; or, with --check, how good the telling is."""
    from isogloss.errors import UsageError
    from isogloss.stages.asking import Asking

    asking = Asking(offline, batch, accept_failures)
    if check:
        if model is not None:
            raise UsageError("--check takes no MODEL and no ARM")
        from isogloss.stages import medical_refusal_check

        medical_refusal_check.run(project(), asking)
        return
    if model is None or arm is None:
        raise UsageError("give MODEL and ARM, or --check")
    from isogloss.stages import medical_refusals as stage

    stage.run(project(), model, arm, asking)


def judge(
    model: ModelArgument,
    arm: ArmArgument,
    offline: OfflineOption = False,
    batch: BatchOption = False,
    accept_failures: AcceptOption = False,
) -> None:
    """Have the judge score MODEL's open-ended answers in ARM by the rubric."""
    from isogloss.stages import medical_judge as stage
    from isogloss.stages.asking import Asking

    stage.run(project(), model, arm, Asking(offline, batch, accept_failures))


def register(app: typer.Typer) -> None:
    """Add these verbs to the app, which is that of ``isogloss medical``."""
    for verb in (items, translate, answer, refusals, judge):
        app.command()(verb)
