"""MedExpQA: exam questions with options by number, empty ones given as null."""

from collections.abc import Mapping
from typing import Any

from isogloss.languages import normalise_language
from isogloss.medical.sources.draft import Draft, RefusedError, text_of


def medexpqa_draft(record: Mapping[str, Any], dataset: str, language: str) -> Draft:
    """Make a draft from ``full_question``, ``options``, ``correct_option`` and ``lang``.

    Raises:
        RefusedError: Another language, or the options or the right one cannot be used.
    """
    told = record.get("lang")
    spoken = normalise_language(told if isinstance(told, str) else None) or language
    if spoken != language:
        raise RefusedError(f"lang {told!r} is not this source's language, {language}")
    options = record.get("options")
    if not isinstance(options, Mapping) or not all(key.isdecimal() for key in options):
        raise RefusedError("field 'options' is no mapping of numbers to texts")
    numbers = sorted((key for key, text in options.items() if str(text or "").strip()), key=int)
    right = str(record.get("correct_option"))
    if len(numbers) < 2 or right not in numbers:
        raise RefusedError(f"correct_option {right} is none of {' '.join(numbers)}")
    texts = [" ".join(str(options[number]).split()) for number in numbers]
    lines = {"Question": text_of(record, "full_question")}
    return Draft(dataset, spoken, lines, numbers.index(right), texts)
