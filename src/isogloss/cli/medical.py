"""Verbs of the medical evaluation."""

from pathlib import Path
from typing import Annotated

import typer

medical = typer.Typer(
    help="Language models on medical questions in nine languages.", no_args_is_help=True
)


@medical.command()
def score(
    items: Annotated[Path, typer.Option(help="Items: a JSONL file, or a folder of them.")],
    answers: Annotated[Path, typer.Option(help="Replies, one JSON object a line.")],
    out: Annotated[Path, typer.Option(help="Folder for scores.json and the tables.")],
    items_mt: Annotated[
        Path | None, typer.Option(help="Machine-translated items, asked in the arm `mt`.")
    ] = None,
    refusals: Annotated[Path | None, typer.Option(help="Refusal records.")] = None,
    verdicts: Annotated[Path | None, typer.Option(help="The judge's raw texts.")] = None,
    experts: Annotated[Path | None, typer.Option(help="Expert scores beside the judge's.")] = None,
    resamples: Annotated[int, typer.Option(min=100, help="Bootstrap draws.")] = 10_000,
    permutations: Annotated[int, typer.Option(min=100, help="Sign flips per test.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same digits.")] = 0,
) -> None:
    """Score anyone's answers: accuracy, open-ended scores, shifts, refusals, agreement."""
    from isogloss.stages import medical_score as stage

    stage.run(
        items,
        answers,
        out,
        items_mt=items_mt,
        refusals=refusals,
        verdicts=verdicts,
        experts=experts,
        resamples=resamples,
        permutations=permutations,
        seed=seed,
    )


def register(app: typer.Typer) -> None:
    """Add `medical` and its verbs to the app."""
    app.add_typer(medical, name="medical")
