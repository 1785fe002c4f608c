"""What the medical stages read: settings, the items of an arm, and a model's replies."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from isogloss.errors import DataError, UsageError
from isogloss.medical_settings import Arm, MedicalSettings
from isogloss.progress import counted, note
from isogloss.project import Project

if TYPE_CHECKING:
    from isogloss.medical.answerers import Answerer
    from isogloss.medical.items import Item
    from isogloss.medical.records import AnswerRow

ENGLISH = "en"


def medical_settings(project: Project) -> MedicalSettings:
    """The section `medical`, with its defaults where params.yaml has none."""
    return project.settings.medical or MedicalSettings()


def checked_arm(arm: str) -> Arm:
    """The name of an arm.

    Raises:
        UsageError: It is none.
    """
    arms: dict[str, Arm] = {"mt": "mt", "reviewed": "reviewed"}
    if arm not in arms:
        raise UsageError(f"no arm {arm!r} (has: {', '.join(arms)})")
    return arms[arm]


def checked_language(project: Project, language: str) -> str:
    """A language that the items are translated into.

    Raises:
        UsageError: params.yaml does not name it.
    """
    languages = medical_settings(project).languages
    if language not in languages:
        known = ", ".join(languages) or "none"
        raise UsageError(
            f"params.yaml: medical.languages does not name {language!r} (has: {known})"
        )
    return language


def source_items(project: Project) -> "list[Item]":
    """The English items; those in other languages are passed over and counted.

    Raises:
        DataError: The file breaks the format, or holds no English items.
    """
    from isogloss.medical.items import read_items

    path = project.root / medical_settings(project).items
    items = read_items(path)
    english = [item for item in items if item.language == ENGLISH]
    if not english:
        raise DataError(f"{path}: holds no English items; they are what is translated")
    if len(english) < len(items):
        note(f"{path}: {len(items) - len(english)} items in other languages are passed over")
    return english


def arm_items(project: Project, arm: Arm) -> "list[Item]":
    """The items of an arm: English as it is, and each language's translated or reviewed ones.

    A machine translation that breaks the format, or has other labels than English, cannot be asked:
    it is named and passed over in the arm ``mt``, and waits for its reviewers. A reviewed item
    that does is an error.

    Raises:
        DataError: A language's file is missing, holds an id twice or one that the English items
            lack, an item in another language, or, reviewed, one that does not fit the English one.
    """
    english = source_items(project)
    sources = {item.id: item for item in english}
    items = list(english)
    for language in medical_settings(project).languages:
        path = project.translations(language) if arm == "mt" else project.reviewed(language)
        if not path.is_file():
            verb = "translate" if arm == "mt" else "review merge"
            raise DataError(f"{path}: no such file; run isogloss medical {verb} {language}")
        held = _versions(path, language, sources, strict=arm == "reviewed")
        if not held:
            note(f"{path}: holds no items yet; {language} is not asked in the arm {arm}")
        elif len(held) < len(english):
            lacking = counted(len(english) - len(held), "item")
            note(f"{path}: {lacking} without a version in {language}")
        items += held
    return items


def _versions(
    path: Path, language: str, sources: "Mapping[str, Item]", *, strict: bool
) -> "list[Item]":
    """The items of one language that go with the English ones."""
    from isogloss.medical.items import ItemRow, checked_item, difference
    from isogloss.medical.rows import numbered_rows

    found: dict[str, Item] = {}
    for line, row in numbered_rows(path, ItemRow):
        where = f"{path}, line {line}, id {row.id!r}"
        if row.language != language:
            raise DataError(f"{where}: is in {row.language}, not in {language}")
        if row.id not in sources:
            raise DataError(f"{where}: the English items hold no such id")
        if row.id in found:
            raise DataError(f"{where}: is there twice; drop one")
        try:
            item = checked_item(row)
            fault = difference(sources[row.id], item)
        except ValueError as error:
            fault = str(error)
        else:
            found[row.id] = item
        if fault is not None and strict:
            raise DataError(f"{where}: {fault}; it must go with its English version")
        if fault is not None:
            found.pop(row.id, None)
            note(f"{where}: {fault}; not asked before it is reviewed")
    return list(found.values())


def asked_items(answerer: "Answerer", items: "list[Item]", arm: Arm) -> "list[Item]":
    """The items of an arm that a model takes."""
    return [item for item in items if answerer.takes(item.task, arm)]


def answered_pairs(project: Project, model: str, arm: Arm) -> "list[tuple[Item, AnswerRow]]":
    """A model's replies in an arm, each with its item, in the order of the file.

    Raises:
        DataError: The answers are missing, belong to another model or arm, come twice, or are to
            items that the arm does not hold.
    """
    from isogloss.medical.records import AnswerRow
    from isogloss.medical.rows import numbered_rows

    path = project.answers(model, arm)
    if not path.is_file():
        raise DataError(f"{path}: no such file; run isogloss medical answer {model} {arm}")
    items = {(item.language, item.id): item for item in arm_items(project, arm)}
    pairs = []
    seen: set[tuple[str, str]] = set()
    for line, row in numbered_rows(path, AnswerRow):
        where, key = f"{path}, line {line}, id {row.id!r}", (row.language, row.id)
        if (row.model, row.arm) != (model, arm):
            raise DataError(f"{where}: is of {row.model} {row.arm}, not of {model} {arm}")
        if key in seen:
            raise DataError(f"{where}: is there twice in {row.language}; keep one")
        if key not in items:
            raise DataError(
                f"{where}: the items of the arm {arm} hold no such id in {row.language}"
            )
        seen.add(key)
        pairs.append((items[key], row))
    return pairs
