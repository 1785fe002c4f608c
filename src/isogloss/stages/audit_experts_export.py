"""Draw judged answers and lay them out for experts, one sheet a language and expert."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from isogloss.errors import DataError, UsageError
from isogloss.languages import normalise_language

if TYPE_CHECKING:
    from isogloss.review.expert_audit import JudgedAnswer

SAMPLE = "answers.sample.jsonl"


def judged_answers(
    items: Path, answers: Path, verdicts: Path, arm: str
) -> "tuple[list[JudgedAnswer], int]":
    """Join open-ended answers with usable verdicts.

    Args:
        items: The items of that arm.
        answers: Replies, one JSON object a line.
        verdicts: The judge's raw texts.
        arm: ``reviewed`` or ``mt``.

    Returns:
        The judged answers, and how many verdicts were unusable.

    Raises:
        DataError: A file breaks its format, or a verdict has no answer or comes twice.
    """
    from isogloss.medical.items import read_items
    from isogloss.medical.reasoning import split_reasoning
    from isogloss.medical.records import AnswerRow, VerdictRow
    from isogloss.medical.rows import numbered_rows
    from isogloss.medical.verdicts import UnusableError, read_verdict
    from isogloss.review.expert_audit import JudgedAnswer

    asked = {(item.language, item.id): item for item in read_items(items) if not item.options}
    replies = {
        (row.model, _language(row.language), row.id): row.text or ""
        for _, row in numbered_rows(answers, AnswerRow)
        if row.arm == arm and row.outcome == "answered"
    }
    found: dict[tuple[str, str, str], JudgedAnswer | None] = {}
    for line, row in numbered_rows(verdicts, VerdictRow):
        language = _language(row.language)
        key = (row.model, language, row.id)
        if row.arm != arm:
            continue
        where = f"{verdicts}, line {line}, id {row.id!r}"
        if key in found:
            raise DataError(f"{where}: this answer is judged twice; keep one verdict")
        item = asked.get((language, row.id))
        if item is None or key not in replies:
            raise DataError(f"{where}: there is no such open-ended item or answer")
        try:
            scores = read_verdict(row.verdict).scores
        except UnusableError:
            found[key] = None
            continue
        text = split_reasoning(replies[key])[1]
        found[key] = JudgedAnswer(
            language, item.dataset, row.id, row.model, item.input, item.target, text, scores
        )
    usable = [one for one in found.values() if one is not None]
    return usable, len(found) - len(usable)


def _language(tag: str) -> str:
    return normalise_language(tag) or tag


def run(
    items: Path,
    answers: Path,
    verdicts: Path,
    out: Path,
    models: Sequence[str],
    experts: Sequence[str],
    *,
    languages: Sequence[str] = (),
    arm: str = "reviewed",
    per_dataset: int = 5,
    seed: int = 13,
    force: bool = False,
) -> None:
    """Write the sample and the sheets.

    Args:
        items: The items of the arm.
        answers: Replies.
        verdicts: The judge's raw texts.
        out: Folder for the sample and ``LANGUAGE-EXPERT.xlsx``.
        models: Whose answers are audited.
        experts: Ids of the people who judge.
        languages: Only these; all where none is given.
        arm: ``reviewed`` or ``mt``.
        per_dataset: Questions per language and dataset.
        seed: Another seed draws other questions.
        force: Replace a sample that differs.

    Raises:
        DataError: A file breaks its format, or nothing can be drawn.
        UsageError: Another sample is there already.
    """
    import msgspec

    from isogloss.files import write_bytes, write_jsonl
    from isogloss.progress import note
    from isogloss.review.expert_audit import expert_workbook, sample_answers
    from isogloss.review.workbook import workbook_bytes

    usable, unusable = judged_answers(items, answers, verdicts, arm)
    if unusable:
        note(f"{verdicts}: {unusable} verdicts are unusable; their answers are not drawn")
    wanted = set(languages) or {one.language for one in usable}
    sample = sample_answers(
        [one for one in usable if one.language in wanted], models, per_dataset, seed
    )
    if not sample:
        raise DataError(f"{verdicts}: no question has a usable verdict for each of {list(models)}")
    for (language, dataset), count in sorted(
        Counter((one.language, one.dataset) for one in sample).items()
    ):
        if count < per_dataset * len(set(models)):
            note(f"{language} {dataset}: {count // len(set(models))} of {per_dataset} questions")
    path = out / SAMPLE
    if path.is_file() and not force and read_sample(path) != sample:
        raise UsageError(f"{path}: holds another sample, whose sheets may be out; give --force")
    write_jsonl(path, (msgspec.to_builtins(one) for one in sample))
    for language in sorted({one.language for one in sample}):
        for expert in experts:
            content, dropped = workbook_bytes(expert_workbook(sample, language, expert))
            write_bytes(out / f"{language}-{expert}.xlsx", content)
            rows = sum(one.language == language for one in sample)
            lost = f", {dropped} characters that no cell can hold left out" if dropped else ""
            print(f"{out / f'{language}-{expert}.xlsx'}: {rows} answers{lost}")


def read_sample(path: Path) -> "list[JudgedAnswer]":
    """The drawn answers, as written by the export."""
    import msgspec

    from isogloss.files import read_jsonl
    from isogloss.review.expert_audit import JudgedAnswer

    return list(read_jsonl(path, msgspec.json.Decoder(JudgedAnswer).decode))
