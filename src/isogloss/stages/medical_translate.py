"""Stage medical-translate@LANG: English items become machine translations, checked by rule."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from isogloss.files import write_json, write_jsonl
from isogloss.progress import note
from isogloss.project import Project
from isogloss.stages.asking import LIVE, Asking, ask_models
from isogloss.stages.medical_inputs import checked_language, source_items

if TYPE_CHECKING:
    from isogloss.medical.items import Item
    from isogloss.medical.translation import Translation

BROKEN = "breaks a rule"


def run(project: Project, language: str, asking: Asking = LIVE) -> None:
    """Translate every item, ask once more for what breaks a rule, and write what holds.

    ``medical/translations/LANG.jsonl`` has the translations that keep their option labels, the
    fixed English words and are not empty; the report beside it counts and names all others, and
    lists figures and units to look at.

    Raises:
        UsageError: params.yaml does not name the language.
        DataError: The items cannot be read.
        ChatError: A call failed for good or the run was stopped; what was answered is recorded.
    """
    from isogloss.medical.items import ItemRow

    checked_language(project, language)
    items = source_items(project)
    found = _ask(project, items, language, None, asking)
    faults = _faults(items, found)
    again = [item for item in items if item.id in faults]
    if again:
        note(f"translate {language}: {len(again)} break a rule and are asked once more")
        second = {one.id: one for one in _ask(project, again, language, faults, asking)}
        found = [second.get(one.id, one) for one in found]
        faults = _faults(items, found)
    rows: list[ItemRow] = [one.row for one in found if one.row is not None and one.id not in faults]
    left_out = [
        {"id": one.id, "reason": one.reason or f"{BROKEN}: {'; '.join(faults[one.id])}"}
        for one in found
        if one.row is None or one.id in faults
    ]
    reasons = Counter(BROKEN if one.row is not None else str(one.reason) for one in found
                      if one.row is None or one.id in faults)  # fmt: skip
    questions = _questions(items, rows)
    path = project.translations(language)
    report = {
        "language": language,
        "translator": project.settings.chat.translator.name,
        "asked": len(items),
        "translated": len(rows),
        "left_out": dict(sorted(reasons.items())),
        "failures": left_out,
        "look_again": questions,
    }
    write_jsonl(path, rows)
    write_json(path.with_suffix(".json"), report)
    for failure in left_out:
        note(f"left out: {failure['id']}: {failure['reason']}")
    print(
        f"{path}: {len(rows)} of {len(items)} items translated, {len(left_out)} left out; "
        f"{len(questions)} questions about figures and units"
    )


def _ask(
    project: Project,
    items: "Sequence[Item]",
    language: str,
    faults: dict[str, list[str]] | None,
    asking: Asking,
) -> "list[Translation]":
    from isogloss.medical.translation import read_translations, translation_requests

    model = project.settings.chat.translator
    requests = translation_requests(items, language, model, faults)
    replies = ask_models(
        project,
        language,
        "translate",
        requests,
        model,
        asking,
        project.recording("medical", f"translate.{language}"),
    )
    return read_translations(items, replies, language)


def _faults(items: "Sequence[Item]", found: "Sequence[Translation]") -> dict[str, list[str]]:
    """Rules that translations break, by item id."""
    from isogloss.medical.items import parse_options
    from isogloss.review.consistency import inconsistencies
    from isogloss.review.translation_items import TranslatedItem

    faults = {}
    for item, one in zip(items, found, strict=True):
        if one.row is None:
            continue
        text, target = one.row.input, one.row.target
        pair = TranslatedItem(
            item.id, item.task, item.dataset, item.input, item.target, text, target
        )
        if broken := inconsistencies(pair, text, target, parse_options):
            faults[item.id] = broken
    return faults


def _questions(items: "Sequence[Item]", rows: "Sequence[object]") -> list[dict[str, str]]:
    """Figures and units that differ, and texts that are still the English one."""
    from isogloss.medical.items import ItemRow
    from isogloss.review.numbers_and_units import quantity_questions

    sources = {item.id: item for item in items}
    questions = []
    for row in rows:
        assert isinstance(row, ItemRow)  # noqa: S101
        source = sources[row.id]
        messages = quantity_questions(source.input, row.input)
        if not source.options:
            messages += [
                f"reference answer: {one}" for one in quantity_questions(source.target, row.target)
            ]
        if row.input == source.input:
            messages.append("the text is the English one unchanged")
        questions += [{"id": row.id, "message": message} for message in messages]
    return questions
