"""Verbs of the two-stage review of machine translations: review make, merge, status."""

from pathlib import Path
from typing import Annotated

import typer

review_app = typer.Typer(
    help="Have two experts review every machine translation.", no_args_is_help=True
)

LanguageArgument = Annotated[str, typer.Argument(help="ISO 639-1 code of the translations.")]
ItemsOption = Annotated[Path, typer.Option(help="Items file; its English items are the source.")]
TranslationsOption = Annotated[Path, typer.Option(help="Machine translations, same format.")]
REVIEWS = Path("data/medical/reviews")


@review_app.command("make")
def make_sheet(
    language: LanguageArgument,
    items: ItemsOption,
    translations: TranslationsOption,
    reviewer: Annotated[str, typer.Option(help="Id of the person who gets the sheet.")],
    out: Annotated[Path, typer.Option(help="Folder for the sheet.")],
    stage: Annotated[int, typer.Option(min=1, max=2, help="Reviewer 1 or reviewer 2.")] = 1,
    returned: Annotated[
        list[Path] | None, typer.Option(help="Stage 2: returned sheets of stage 1.")
    ] = None,
    notes: Annotated[
        Path | None, typer.Option(help="Terminology notes for the sheet, one a line.")
    ] = None,
    part: Annotated[str, typer.Option(help="K/N: the K-th of N shares of the items.")] = "1/1",
) -> None:
    """Write the sheet of one reviewer."""
    from isogloss.stages import review_make as step

    step.run(
        language, items, translations, reviewer, out,
        stage=stage, returned=returned or [REVIEWS], notes=notes, part=part,
    )  # fmt: skip


@review_app.command("merge")
def merge_sheets(
    language: LanguageArgument,
    items: Annotated[
        Path | None, typer.Option(help="Items file; its English items are the source.")
    ] = None,
    translations: Annotated[
        Path | None, typer.Option(help="Machine translations, same format.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the results.")] = None,
    returned: Annotated[
        list[Path] | None, typer.Option(help="Returned sheets: files or folders.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Write nothing if any rule is broken.")
    ] = False,
) -> None:
    """Merge returned sheets into final items, both score sets and statistics.

    Without options everything lies where the project has it; otherwise items, translations and out
    are all needed.
    """
    from isogloss.errors import UsageError
    from isogloss.stages import review_merge as step

    if not (items or translations or out or returned):
        from isogloss.cli.context import project

        step.run_project(project(), language, strict=strict)
        return
    if items is None or translations is None or out is None:
        raise UsageError("give --items, --translations and --out together, or none of them")
    step.run(language, items, translations, returned or [REVIEWS], out, strict=strict)


@review_app.command("status")
def show_status(
    language: LanguageArgument,
    items: ItemsOption,
    translations: TranslationsOption,
    returned: Annotated[
        list[Path] | None, typer.Option(help="Returned sheets: files or folders.")
    ] = None,
) -> None:
    """Say who still has to do what."""
    from isogloss.stages import review_status as step

    step.run([language], items, [translations], returned or [REVIEWS])


def register(app: typer.Typer) -> None:
    """Add these verbs to the app, which is that of ``isogloss medical``."""
    app.add_typer(review_app, name="review")
