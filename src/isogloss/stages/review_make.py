"""Make one reviewer's sheet of machine translations."""

from collections.abc import Sequence
from pathlib import Path

from isogloss.errors import UsageError


def run(
    language: str,
    items: Path,
    translations: Path,
    reviewer: str,
    out: Path,
    *,
    stage: int = 1,
    returned: Sequence[Path] = (),
    notes: Path | None = None,
    part: str = "1/1",
) -> None:
    """Write the sheet of one reviewer.

    Args:
        language: ISO 639-1.
        items: Items file; its English ones are the source.
        translations: Machine translations in the same format.
        reviewer: Id of the person.
        out: Folder for ``LANGUAGE-STAGE-REVIEWER.xlsx``.
        stage: 1 scores and corrects; 2 scores on their own and settles the text.
        returned: Files or folders of returned sheets; stage 2 needs those of stage 1.
        notes: Text file with further terminology notes, one a line.
        part: ``K/N``: the K-th of N shares of the items.

    Raises:
        UsageError: The part or the stage makes no sense, or nothing is left to review.
    """
    from isogloss.files import write_bytes
    from isogloss.progress import note
    from isogloss.review.people import same_person
    from isogloss.review.translation_sheets import first_workbook, part_of, second_workbook
    from isogloss.review.workbook import workbook_bytes
    from isogloss.stages.review_items import load_items
    from isogloss.stages.review_merge import merged_returns

    share = part_of(load_items(items, translations, language), *_numbers(part))
    lines = notes.read_text("utf-8-sig").splitlines() if notes else []
    further = [line.strip() for line in lines if line.strip()]
    if stage == 1:
        book = first_workbook(share, language, reviewer, further)
    elif stage == 2:
        first = merged_returns(language, items, translations, returned).first
        own = [one for one in share if one.id in first]
        theirs = [one for one in own if not same_person(first[one.id].reviewer, reviewer)]
        if len(own) < len(share):
            note(f"{len(share) - len(own)} items wait for a first review and stay out")
        if len(theirs) < len(own):
            note(f"{len(own) - len(theirs)} items had {reviewer} as reviewer 1 and stay out")
        share = theirs
        book = second_workbook(share, first, language, reviewer, further)
    else:
        raise UsageError(f"stage {stage}: there are stages 1 and 2")
    if not share:
        raise UsageError(f"nothing for {reviewer!r} to review in stage {stage} of {language!r}")
    content, dropped = workbook_bytes(book)
    path = out / f"{language}-{stage}-{reviewer}.xlsx"
    write_bytes(path, content)
    lost = f", {dropped} characters that no cell can hold left out" if dropped else ""
    print(f"{path}: {len(share)} items{lost}")


def _numbers(part: str) -> tuple[int, int]:
    first, mark, second = part.partition("/")
    if not (mark and first.isdecimal() and second.isdecimal()):
        raise UsageError(f"part {part!r}: write K/N, for instance 1/2")
    return int(first), int(second)
