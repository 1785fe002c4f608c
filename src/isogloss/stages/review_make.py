"""Make one reviewer's sheet of machine translations."""

from collections.abc import Sequence
from itertools import count
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
        out: Folder for ``LANGUAGE-STAGE-REVIEWER.xlsx``; a further sheet of one person gets -2.
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
        merged = merged_returns(language, items, translations, returned)
        first = merged.first
        done = [one for one in share if one.id in merged.second]
        share = [one for one in share if one.id not in merged.second]
        if done:
            note(f"{len(done)} items are finished and stay out")
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
    path = _free_name(out, f"{language}-{stage}-{reviewer}", content)
    write_bytes(path, content)
    lost = f", {dropped} characters that no cell can hold left out" if dropped else ""
    print(f"{path}: {len(share)} items{lost}")


def _free_name(out: Path, name: str, content: bytes) -> Path:
    """A name no other sheet has: a second sheet of one person must not replace the first."""
    names = (out / f"{name}{f'-{number}' if number > 1 else ''}.xlsx" for number in count(1))
    return next(path for path in names if not path.exists() or path.read_bytes() == content)


def _numbers(part: str) -> tuple[int, int]:
    first, mark, second = part.partition("/")
    if not (mark and first.isdecimal() and second.isdecimal()):
        raise UsageError(f"part {part!r}: write K/N, for instance 1/2")
    return int(first), int(second)
