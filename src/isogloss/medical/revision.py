"""How much reviewers changed a machine translation, in words."""

import re
import unicodedata
from collections.abc import Sequence

from isogloss.statistics.edits import edit_distance
from isogloss.words import words

_FIXED = re.compile(r"^(?:Question|Options|Premise|Hypothesis):", re.MULTILINE)


def counted_words(text: str, language: str) -> list[str]:
    """The words of an item's text that a revision is counted in.

    NFC first, so that two spellings of one character are equal; punctuation and the fixed English
    words of the format are left out.
    """
    normal = unicodedata.normalize("NFC", text).replace("\r\n", "\n")
    return words(_FIXED.sub(" ", normal), language)


def revision(before: str, after: str, language: str) -> tuple[int, float]:
    """Word edits between two versions, and their rate.

    Args:
        before: The machine translation: input and target joined.
        after: The reviewed text, joined alike.
        language: ISO 639-1, which picks the word rules.

    Returns:
        The edits and edits / the words of the *longer* side (0 where both are empty), at most 1
        (our reading of HealMed section 5.2).
    """
    first, second = counted_words(before, language), counted_words(after, language)
    edits = edit_distance(first, second)
    return edits, edits / max(len(first), len(second), 1)


def joined(input_text: str, target: str) -> str:
    """Input and target of an item as one text."""
    return f"{input_text}\n{target}"


def mean_revision_rate(pairs: Sequence[tuple[str, str]], language: str) -> float | None:
    """Mean over items of their revision rates; None without items.

    Args:
        pairs: Machine translation and reviewed text of each item.
        language: ISO 639-1.
    """
    rates = [revision(before, after, language)[1] for before, after in pairs]
    return sum(rates) / len(rates) if rates else None


def pooled_revision_rate(pairs: Sequence[tuple[str, str]], language: str) -> float | None:
    """All edits over all words of the longer sides, printed beside the mean; None without words."""
    edits = sizes = 0
    for before, after in pairs:
        first, second = counted_words(before, language), counted_words(after, language)
        edits += edit_distance(first, second)
        sizes += max(len(first), len(second))
    return edits / sizes if sizes else None
