"""Verbs of the two-stage review of machine translations: review make, merge, status."""

from pathlib import Path
from typing import Annotated

import typer

review_app = typer.Typer(
    help="Have two experts review every machine translation.", no_args_is_help=True
)

LanguageArgument = Annotated[str, typer.Argument(help="ISO 639-1 code of the translations.")]
ItemsOption = Annotated[
    Path | None,
    typer.Option(help="Items file, whose English items are the source; medical.items by default."),
]
TranslationsOption = Annotated[
    Path | None,
    typer.Option(help="Machine translations, same format; the project's by default."),
]
ReturnedOption = Annotated[
    list[Path] | None,
    typer.Option(help="Returned sheets: files or folders; medical.reviews by default."),
]


def _places(
    language: str, items: Path | None, translations: Path | None, returned: list[Path] | None
) -> tuple[Path, Path, list[Path]]:
    """Where things lie: as given, otherwise as the project around the current folder has it."""
    if items is None or translations is None or not returned:
        from isogloss.cli.context import project
        from isogloss.stages.medical_inputs import medical_settings

        around = project()
        settings = medical_settings(around)
        items = items or around.root / settings.items
        translations = translations or around.translations(language)
        returned = returned or [around.root / settings.reviews]
    return items, translations, returned


@review_app.command("make")
def make_sheet(
    language: LanguageArgument,
    reviewer: Annotated[str, typer.Option(help="Id of the person who gets the sheet.")],
    out: Annotated[Path, typer.Option(help="Folder for the sheet.")],
    items: ItemsOption = None,
    translations: TranslationsOption = None,
    stage: Annotated[int, typer.Option(min=1, max=2, help="Reviewer 1 or reviewer 2.")] = 1,
    returned: ReturnedOption = None,
    notes: Annotated[
        Path | None, typer.Option(help="Terminology notes for the sheet, one a line.")
    ] = None,
    part: Annotated[str, typer.Option(help="K/N: the K-th of N shares of the items.")] = "1/1",
) -> None:
    """Write the sheet of one reviewer; the second one's needs the first one's back."""
    from isogloss.stages import review_make as step

    if stage == 1:
        # The first stage reads no sheet, so no folder of them need be there.
        returned = returned or [Path()]
    places = _places(language, items, translations, returned)
    step.run(
        language, places[0], places[1], reviewer, out,
        stage=stage, returned=places[2], notes=notes, part=part,
    )  # fmt: skip


@review_app.command("merge")
def merge_sheets(
    language: LanguageArgument,
    items: ItemsOption = None,
    translations: TranslationsOption = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the results; the project's places by default.")
    ] = None,
    returned: ReturnedOption = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Write nothing if any rule is broken.")
    ] = False,
) -> None:
    """Merge returned sheets into final items, both score sets and statistics.

    Without --out this is the stage of the project: its own files, and nothing but LANGUAGE is
    given.
    """
    from isogloss.errors import UsageError
    from isogloss.stages import review_merge as step

    if out is None:
        if items or translations or returned:
            raise UsageError("give --out too, or only the language")
        from isogloss.cli.context import project

        step.run_project(project(), language, strict=strict)
        return
    places = _places(language, items, translations, returned)
    step.run(language, places[0], places[1], places[2], out, strict=strict)


@review_app.command("status")
def show_status(
    language: LanguageArgument,
    items: ItemsOption = None,
    translations: TranslationsOption = None,
    returned: ReturnedOption = None,
) -> None:
    """Say who still has to do what."""
    from isogloss.stages import review_status as step

    found = _places(language, items, translations, returned)
    step.run([language], found[0], [found[1]], found[2])


def register(app: typer.Typer) -> None:
    """Add these verbs to the app, which is that of ``isogloss medical``."""
    app.add_typer(review_app, name="review")
