"""The sheets of the two-stage review. Reviewer 2's holds nothing that reviewer 1 scored or said."""

from collections.abc import Callable, Mapping, Sequence

from isogloss.errors import UsageError
from isogloss.review.criteria import explanations, load, score_columns, task
from isogloss.review.design import Column, Draft, Remark, Sheet, Workbook
from isogloss.review.people import is_person, person
from isogloss.review.translation_items import Review, TranslatedItem

KIND = "translation-review"
CHOICE_SHEET, OPEN_SHEET = "Choice questions", "Open questions"
_SOURCE = (
    Column("id", "Item", width=20),
    Column("dataset", "Dataset", width=12),
    Column("source_input", "English source", width=50),
)
_COMMENT = Column("comment", "Comment", Remark(), 30, "What was wrong, in a few words.")


def sheet_code(language: str, stage: int, reviewer: str) -> str:
    """How the sheets of one reviewer are recognised."""
    return f"{KIND}/{language}/{stage}/{person(reviewer)}"


def parse_code(code: str) -> tuple[str, int, str] | None:
    """Language, stage and reviewer of a code; None where it is another kind of sheet."""
    kind, _, rest = code.partition("/")
    parts = rest.split("/")
    if kind != KIND or len(parts) != 3 or parts[1] not in ("1", "2") or not is_person(parts[2]):
        return None
    return parts[0], int(parts[1]), parts[2]


def part_of(items: Sequence[TranslatedItem], part: int, parts: int) -> list[TranslatedItem]:
    """One of several shares of the items, by id, for reviewers who divide the work.

    Raises:
        UsageError: There is no such share.
    """
    if not 1 <= part <= parts:
        raise UsageError(f"part {part}/{parts}: parts count from 1")
    ordered = sorted(items, key=lambda item: item.id)
    return ordered[(part - 1) * len(ordered) // parts : part * len(ordered) // parts]


def first_workbook(
    items: Sequence[TranslatedItem], language: str, reviewer: str, notes: Sequence[str] = ()
) -> Workbook:
    """Reviewer 1: score the machine translation, correct it in place or keep it."""
    drafts = (
        Column("input", "Reviewed text", Draft(), 50, "Correct it here, or leave it as it is."),
        Column("target", "Reviewed reference", Draft(), 40, "Correct it here, or leave it."),
    )
    sheets = _sheets(items, (), drafts, _machine)
    return _workbook(sheets, sheet_code(language, 1, reviewer), language, notes, ())


def second_workbook(
    items: Sequence[TranslatedItem],
    first: Mapping[str, Review],
    language: str,
    reviewer: str,
    notes: Sequence[str] = (),
) -> Workbook:
    """Reviewer 2: score the machine translation, check the proposal, settle the final text.

    Args:
        items: What this reviewer gets.
        first: Reviewer 1's reviews by item id; their texts are shown, their scores and comments
            stay out (keeping comments out is our reading: they give scores away).
        language: ISO 639-1.
        reviewer: Id of reviewer 2.
        notes: Further notes on terminology.
    """
    proposed = (
        Column("proposed_input", "Proposed text", width=50),
        Column("proposed_target", "Proposed reference", width=40),
    )
    drafts = (
        Column("input", "Final text", Draft(), 50, "Correct it here, or leave the proposal."),
        Column("target", "Final reference", Draft(), 40, "Correct it here, or leave it."),
    )

    def texts(item: TranslatedItem) -> dict[str, str]:
        review = first[item.id]
        shown = {"proposed_input": review.input, "proposed_target": review.target}
        return {**shown, "input": review.input, "target": review.target}

    sheets = _sheets(items, proposed, drafts, texts)
    code = sheet_code(language, 2, reviewer)
    return _workbook(sheets, code, language, notes, task("translation")["second"])


def _machine(item: TranslatedItem) -> dict[str, str]:
    return {"input": item.machine_input, "target": item.machine_target}


def _sheets(
    items: Sequence[TranslatedItem],
    proposed: Sequence[Column],
    drafts: Sequence[Column],
    texts: Callable[[TranslatedItem], dict[str, str]],
) -> tuple[Sheet, ...]:
    """Questions with options have one text to review, open ones a reference answer as well."""
    sheets = []
    for title, is_open in ((CHOICE_SHEET, False), (OPEN_SHEET, True)):
        width = 40 if is_open else 9
        columns = (
            *_SOURCE,
            Column("source_target", "English reference" if is_open else "Answer", width=width),
            Column("machine_input", "Machine translation", width=50),
            *((Column("machine_target", "Machine-translated reference", width=40),) * is_open),
            *score_columns("translation"),
            *(proposed if is_open else proposed[:1]),
            *(drafts if is_open else drafts[:1]),
            _COMMENT,
        )
        rows = tuple(
            {
                "id": item.id,
                "dataset": item.dataset,
                "source_input": item.source_input,
                "source_target": item.source_target,
                "machine_input": item.machine_input,
                "machine_target": item.machine_target,
                **texts(item),
            }
            for item in sorted(items, key=lambda item: item.id)
            if item.is_open == is_open
        )
        if rows:
            sheets.append(Sheet(title, columns, rows))
    return tuple(sheets)


def _workbook(
    sheets: tuple[Sheet, ...],
    code: str,
    language: str,
    notes: Sequence[str],
    further: Sequence[str],
) -> Workbook:
    terms = [*load("terminology").get(language, ()), *notes]
    return Workbook(
        code,
        sheets,
        [*task("translation")["introduction"], *further],
        explanations("translation"),
        {"Terminology": terms} if terms else {},
    )
