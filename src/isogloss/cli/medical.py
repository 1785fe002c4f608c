"""Verbs of the medical evaluation."""

from pathlib import Path
from typing import Annotated

import typer

from isogloss.cli.context import project

medical = typer.Typer(
    help="Language models on medical questions in nine languages.", no_args_is_help=True
)


@medical.command()
def score(
    items: Annotated[
        Path | None, typer.Option(help="Items: a JSONL file, or a folder of them.")
    ] = None,
    answers: Annotated[Path | None, typer.Option(help="Replies, one JSON object a line.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for scores.json and the tables.")] = None,
    items_mt: Annotated[
        Path | None, typer.Option(help="Machine-translated items, asked in the arm `mt`.")
    ] = None,
    refusals: Annotated[Path | None, typer.Option(help="Refusal records.")] = None,
    verdicts: Annotated[Path | None, typer.Option(help="The judge's raw texts.")] = None,
    experts: Annotated[Path | None, typer.Option(help="Expert scores beside the judge's.")] = None,
    resamples: Annotated[
        int | None, typer.Option(min=100, help="Bootstrap draws; 10,000 if not given.")
    ] = None,
    permutations: Annotated[
        int | None, typer.Option(min=100, help="Sign flips per test; 10,000 if not given.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="The same seed gives the same digits; 0 if not given.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the tracked runs of these very scores.")
    ] = False,
) -> None:
    """Score anyone's answers: accuracy, open-ended scores, shifts, refusals, agreement.

    Without options: the answers of this project, as params.yaml names them, to results/medical
    and to MLflow.
    """
    from isogloss.stages import medical_score as stage

    given = {
        "--items": items, "--answers": answers, "--out": out, "--items-mt": items_mt,
        "--refusals": refusals, "--verdicts": verdicts, "--experts": experts,
        "--resamples": resamples, "--permutations": permutations, "--seed": seed,
    }  # fmt: skip
    if all(value is None for value in given.values()):
        stage.run_project(project(), force=force)
        return
    if items is None or answers is None or out is None:
        lacking = [name for name in ("--items", "--answers", "--out") if given[name] is None]
        raise typer.BadParameter(
            f"give {' and '.join(lacking)} too; without any option the project's own answers are"
            " scored"
        )
    if force:
        raise typer.BadParameter("--force is about the project's tracked runs; give no files")
    stage.run(
        items,
        answers,
        out,
        items_mt=items_mt,
        refusals=refusals,
        verdicts=verdicts,
        experts=experts,
        resamples=10_000 if resamples is None else resamples,
        permutations=10_000 if permutations is None else permutations,
        seed=seed or 0,
    )


@medical.command()
def shifts(
    force: Annotated[
        bool, typer.Option("--force", help="Replace the tracked run of these very shifts.")
    ] = False,
) -> None:
    """Set this project's machine-translated items against the reviewed ones, after `score`."""
    from isogloss.stages import medical_shifts as stage

    stage.run(project(), force=force)


def register(app: typer.Typer) -> None:
    """Add `medical` and its verbs to the app."""
    app.add_typer(medical, name="medical")
