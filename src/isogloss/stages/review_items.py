"""Source items and their machine translations, side by side, for the two-stage review."""

from pathlib import Path
from typing import TYPE_CHECKING

from isogloss.errors import DataError, UsageError
from isogloss.foreign_text import shown
from isogloss.languages import normalise_language

if TYPE_CHECKING:
    from isogloss.review.translation_items import TranslatedItem

SOURCE_LANGUAGE = "en"


def load_items(items: Path, translations: Path, language: str) -> "list[TranslatedItem]":
    """Pair English items with machine translations by id.

    A machine translation may break the format of items: putting that right is what reviewers are
    for. An English item without a translation, and a translation of no English item, are said and
    left out.

    Args:
        items: Items file or folder in the six-field format; its English ones are the source.
        translations: Items file in the same format, machine-translated.
        language: ISO 639-1 of the translations.

    Raises:
        DataError: A file cannot be read, has no row that pairs, or holds an id twice.
        UsageError: The language is unknown or the source's own.
    """
    from isogloss.medical.items import ItemRow, read_items
    from isogloss.medical.rows import numbered_rows
    from isogloss.progress import note
    from isogloss.review.translation_items import TranslatedItem

    if normalise_language(language) != language or language == SOURCE_LANGUAGE:
        raise UsageError(
            f"'{shown(language)}' is no language to translate into: an ISO 639-1 code, not en"
        )
    if not translations.is_file():
        raise DataError(
            f"{translations}: no such file; run `isogloss medical translate {language}` first"
        )
    sources = {item.id: item for item in read_items(items) if item.language == SOURCE_LANGUAGE}
    paired: dict[str, TranslatedItem] = {}
    strangers: list[str] = []
    for line, row in numbered_rows(translations, ItemRow):
        if normalise_language(row.language) != language:
            continue
        if row.id in paired:
            raise DataError(f"{translations}, line {line}, id {row.id!r}: is there twice; drop one")
        source = sources.get(row.id)
        if source is None:
            strangers.append(row.id)
            continue
        paired[row.id] = TranslatedItem(
            row.id, source.task, source.dataset, source.input, source.target, row.input, row.target
        )
    if strangers:
        note(f"{translations}: {len(strangers)} translate no item of {items}: {strangers[0]}")
    lacking = [identifier for identifier in sources if identifier not in paired]
    if lacking:
        note(f"{translations}: {len(lacking)} items have no {language} translation: {lacking[0]}")
    if not paired:
        raise DataError(f"{translations}: no {language} translation of an item of {items}")
    return list(paired.values())
