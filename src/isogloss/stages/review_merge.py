"""Merge returned review sheets: final items, both score sets, statistics."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isogloss.errors import DataError

if TYPE_CHECKING:
    from isogloss.project import Project
    from isogloss.review.translation_merge import Merged


def merged_returns(
    language: str, items: Path, translations: Path, returned: Sequence[Path]
) -> "Merged":
    """Read and merge all returned sheets of one language; sheets of others are passed over.

    Args:
        language: ISO 639-1.
        items: Items file; its English ones are the source.
        translations: Machine translations in the same format.
        returned: Files or folders.

    Raises:
        DataError: A place is missing, or an items file cannot be read.
    """
    from isogloss.medical.items import parse_options
    from isogloss.review.reading import read_return, returned_files
    from isogloss.review.row_rules import Fault
    from isogloss.review.translation_merge import merge
    from isogloss.review.translation_sheets import parse_code
    from isogloss.stages.review_items import load_items

    for place in returned:
        if not place.exists():
            raise DataError(f"{place}: no such folder of returned sheets")
    paired = load_items(items, translations, language)
    paths = [
        path
        for place in returned
        for path in (returned_files(place) if place.is_dir() else [place])
    ]
    raws, unread = [], []
    for path in paths:
        try:
            raw = read_return(path)
        except DataError as error:
            # One file that cannot be read does not sink the others.
            unread.append(Fault(str(error), None, "the file is left out"))
            continue
        parts = parse_code(raw.code)
        # Sheets of other languages share the folder; what is no review sheet is told by the merge.
        if parts is None or parts[0] == language:
            raws.append(raw)
    merged = merge(language, paired, raws, parse_options)
    merged.faults[:0] = unread
    return merged


def run(
    language: str,
    items: Path,
    translations: Path,
    returned: Sequence[Path],
    out: Path,
    *,
    strict: bool = False,
) -> None:
    """Write reviewed.jsonl, reviews.jsonl and review.json of one language.

    Args:
        language: ISO 639-1.
        items: Items file; its English ones are the source.
        translations: Machine translations; never changed.
        returned: Files or folders of returned sheets.
        out: Folder of the results.
        strict: Write nothing if any rule is broken.

    Raises:
        DataError: No returned sheet holds a usable row; or, with `strict`, any broken rule.
    """
    from isogloss.stages.review_terminal import settle_faults

    merged = merged_returns(language, items, translations, returned)
    settle_faults(merged.faults, merged.refused, strict=strict)
    if not merged.first:
        raise DataError(f"no returned sheet of language {language!r} holds a usable row")
    files = (out / "reviewed.jsonl", out / "reviews.jsonl", out / "review.json")
    _write(merged, language, *files)


def run_project(project: "Project", language: str, *, strict: bool = False) -> None:
    """Stage medical-review@LANG: the same at the places of the project.

    ``medical/reviewed/LANG.jsonl`` and its statistics as .json, and both reviewers' scores and
    texts as ``medical/reviews/LANG.jsonl``. A language of which nothing has come back yet gets
    empty files, so that the others go on.

    Raises:
        UsageError: params.yaml does not name the language.
        DataError: Rows came back and every one was refused; or, with `strict`, any broken rule.
    """
    from isogloss.progress import note
    from isogloss.stages.medical_inputs import checked_language, medical_settings
    from isogloss.stages.review_terminal import settle_faults

    settings = medical_settings(project)
    merged = merged_returns(
        checked_language(project, language),
        project.root / settings.items,
        project.translations(language),
        [project.root / settings.reviews],
    )
    settle_faults(merged.faults, merged.refused, strict=strict)
    if not merged.first:
        told = f"{project.root / settings.reviews}: {_came_back(merged, language)}"
        if merged.refused:
            raise DataError(f"{told}; mend what is named above")
        note(told)
    path = project.reviewed(language)
    _write(merged, language, path, project.reviews(language), path.with_suffix(".json"))


def _came_back(merged: "Merged", language: str) -> str:
    """What has come back where no row of it can be used."""
    from isogloss.progress import counted

    if not merged.sheets:
        return f"no sheet of {language!r} has come back yet"
    untouched = sum(len(one.untouched) + len(one.absent) for one in merged.sheets)
    return (
        f"{counted(len(merged.sheets), 'sheet')} of {language!r} came back, 0 of "
        f"{counted(merged.refused + untouched, 'row')} usable ({merged.refused} refused, "
        f"{untouched} not filled in)"
    )


def _write(merged: "Merged", language: str, items: Path, reviews: Path, figures: Path) -> None:
    from isogloss.files import write_json, write_jsonl
    from isogloss.progress import note
    from isogloss.review.translation_figures import review_figures
    from isogloss.review.translation_rows import review_rows, reviewed_rows
    from isogloss.review.translation_status import status, status_lines

    for question in merged.questions:
        note(f"look again: {question.id}, reviewer {question.stage}: {question.message}")
    found = {"language": language, **review_figures(merged), **_revision_rates(merged, language)}
    state = status(merged)
    write_jsonl(items, reviewed_rows(merged, language))
    write_jsonl(reviews, review_rows(merged, language))
    write_json(figures, {**found, "status": state})
    print("\n".join(status_lines(language, state)))


def _revision_rates(merged: "Merged", language: str) -> dict[str, Any]:
    """Word edits against the machine translation: of the final text, and of reviewer 1's."""
    from isogloss.medical.revision import joined, mean_revision_rate, pooled_revision_rate

    rates: dict[str, Any] = {}
    for name, reviews in (("final", merged.second), ("first", merged.first)):
        pairs = [
            (
                joined(merged.items[one].machine_input, merged.items[one].machine_target),
                joined(review.input, review.target),
            )
            for one, review in sorted(reviews.items())
        ]
        rates[name] = {
            "n": len(pairs),
            "mean": mean_revision_rate(pairs, language),
            "pooled": pooled_revision_rate(pairs, language),
        }
    return {"revision_rate": rates}
