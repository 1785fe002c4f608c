"""MMLU-Pro: up to ten options as a list, the right one as an index and a letter."""

from collections.abc import Mapping
from typing import Any

from isogloss.medical.sources.draft import Draft, LeftOutError, RefusedError, text_of

CATEGORY = "health"
"""The category that is medical (our reading of "MMLU-Pro" in HealMed section 2.1)."""


FILLER = "N/A"


def mmlupro_draft(record: Mapping[str, Any], dataset: str, language: str) -> Draft:
    """Make a draft of one question of the health category.

    Raises:
        LeftOutError: Another category.
        RefusedError: A field is missing or no list, or index and letter of the answer disagree.
    """
    if text_of(record, "category") != CATEGORY:
        raise LeftOutError("another category than health")
    given = record.get("options")
    if not isinstance(given, list):
        raise RefusedError("field 'options' is no list")
    options = [" ".join(str(text).split()) for text in given]
    # Earlier versions fill the list up to ten with this word, and their readers pass it over.
    while options and options[-1] == FILLER:
        options.pop()
    index, letter = record.get("answer_index"), record.get("answer")
    if len(options) < 2 or not all(options):
        raise RefusedError("fewer than two options, or an empty one")
    if not isinstance(index, int) or not 0 <= index < len(options):
        raise RefusedError(f"answer_index {index} is no option")
    if letter != chr(ord("A") + index):
        raise RefusedError(f"answer {letter!r} and answer_index {index} disagree")
    return Draft(dataset, language, {"Question": text_of(record, "question")}, index, options)
