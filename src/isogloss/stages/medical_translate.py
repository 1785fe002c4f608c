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
    from isogloss.medical.items import Item, ItemRow
    from isogloss.medical.translation import Translation

BROKEN = "breaks a rule"


def run(project: Project, language: str, asking: Asking = LIVE) -> None:
    """Translate every item, ask once more for what breaks a rule, and write what there is.

    ``medical/translations/LANG.jsonl`` holds the translations as the machine left them; the report
    beside it counts and names those that are not there, those that still break a rule (they are not
    asked in the arm ``mt`` and wait for their reviewers), and figures and units to look at.

    Raises:
        UsageError: params.yaml does not name the language.
        DataError: The items cannot be read.
        ChatError: A call failed for good or the run was stopped; what was answered is recorded.
    """
    checked_language(project, language)
    items = source_items(project)
    found = _ask(project, items, language, None, asking)
    faults = _faults(items, found)
    again = [item for item in items if item.id in faults]
    if again:
        note(f"translate {language}: {len(again)} break a rule and are asked once more")
        second = {one.id: one for one in _ask(project, again, language, faults, asking) if one.row}
        found = [second.get(one.id, one) for one in found]
        faults = _faults(items, found)
    rows = [one.row for one in found if one.row is not None]
    missing = [{"id": one.id, "reason": str(one.reason)} for one in found if one.row is None]
    broken = [{"id": id_, "rules": rules} for id_, rules in faults.items()]
    questions = _questions(items, rows)
    path = project.translations(language)
    report = {
        "language": language,
        "translator": project.settings.chat.translator.name,
        "asked": len(items),
        "translated": len(rows),
        "left_out": dict(sorted(Counter(one["reason"] for one in missing).items())),
        "failures": missing,
        "broken": broken,
        "look_again": questions,
    }
    write_jsonl(path, rows)
    write_json(path.with_suffix(".json"), report)
    for failure in missing:
        note(f"left out: {failure['id']}: {failure['reason']}")
    for id_, rules in faults.items():
        note(f"{BROKEN}: {id_}: {'; '.join(rules)}")
    print(
        f"{path}: {len(rows)} of {len(items)} items translated, {len(missing)} left out, "
        f"{len(broken)} to be put right; {len(questions)} questions about figures and units"
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


def _questions(items: "Sequence[Item]", rows: "Sequence[ItemRow]") -> list[dict[str, str]]:
    """Figures and units that differ, and texts that are still the English one."""
    from isogloss.review.numbers_and_units import quantity_questions

    sources = {item.id: item for item in items}
    questions = []
    for row in rows:
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
