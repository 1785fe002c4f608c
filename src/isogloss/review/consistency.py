"""What a reviewed text must have in common with its source."""

import re

from isogloss.review.numbers_and_units import quantity_questions
from isogloss.review.translation_items import LOW_SCORE, Labels, Review, TranslatedItem

_FIXED = re.compile(r"^(Question|Options|Premise|Hypothesis):", re.MULTILINE)


def inconsistencies(item: TranslatedItem, text: str, target: str, labels: Labels) -> list[str]:
    """Rules a text breaks so that it cannot be used.

    Args:
        item: The source it belongs to.
        text: The reviewed input.
        target: The reviewed target.
        labels: Reads the options of an input.

    Returns:
        One message a broken rule: emptiness, fixed words, option labels and their number, target.
    """
    if not text.strip():
        return ["the text is empty"]
    if not target.strip():
        return ["the reference answer is empty"]
    if item.is_open:
        return []
    found = []
    wanted, held = _FIXED.findall(item.source_input), _FIXED.findall(text)
    if wanted != held:
        found.append(
            f"lines must open with {_listed(wanted, ':')} in English, in this order; "
            f"found: {_listed(held, ':')}"
        )
    expected = list(labels(item.source_input))
    try:
        options = labels(text)
    except ValueError as error:
        found.append(f"the options cannot be read ({error}); they must be {_listed(expected)}")
    else:
        if list(options) != expected:
            found.append(f"the options are {_listed(list(options))}, must be {_listed(expected)}")
        empty = [label for label, option in options.items() if not option.strip()]
        if empty:
            found.append(f"option {_listed(empty)} is empty")
    if target.strip() != item.source_target.strip():
        found.append(f"the target is {target.strip()!r}, must stay {item.source_target.strip()!r}")
    return found


def questions(item: TranslatedItem, review: Review) -> list[tuple[str, str]]:
    """What to look at again: pairs of rule and message; the text counts nevertheless."""
    asked = [
        ("numbers", message) for message in quantity_questions(item.source_input, review.input)
    ]
    if item.is_open:
        asked += [
            ("numbers", f"reference answer: {message}")
            for message in quantity_questions(item.source_target, review.target)
        ]
    return asked


def is_unrevised(item: TranslatedItem, first: Review) -> bool:
    """Whether reviewer 1 gave a score of 3 or lower and left the text as it was."""
    return min(first.scores.values()) <= LOW_SCORE and first.keeps(item)


def _listed(words: list[str], mark: str = "") -> str:
    return " ".join(f"{word}{mark}" for word in words) or "none"
