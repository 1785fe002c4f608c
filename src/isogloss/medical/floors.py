"""Answers without a language model: what a score is worth that understands nothing.

Both are our reading of a floor; neither stands in a published table.
"""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from isogloss.medical.items import Item

Vectors = npt.NDArray[np.float32]


def majority_letters(items: Sequence[Item]) -> list[str]:
    """The most frequent right label among the *other* items of an item's dataset and language.

    An item's own target never counts towards its answer. Labels that the item does not have are
    passed over; ties, and an item alone in its dataset, take the first label. In a small and
    balanced dataset this lies under chance, since every item is missing from its own count.

    Args:
        items: With options.
    """
    targets: dict[tuple[str, str], Counter[str]] = {}
    for item in items:
        targets.setdefault((item.dataset, item.language), Counter())[item.target] += 1
    letters = []
    for item in items:
        others = targets[item.dataset, item.language].copy()
        others[item.target] -= 1
        # `max` keeps the first of equals, and options are in the order of their labels.
        letters.append(max(item.options, key=lambda label: others[label]))
    return letters


def question_of(item: Item) -> str:
    """What is asked without its options and without the fixed English words."""
    stem = item.input.rpartition("\nOptions:")[0]
    lines = stem.splitlines()
    words = ("Question:", "Premise:", "Hypothesis:")
    return "\n".join(
        next((line.removeprefix(word) for word in words if line.startswith(word)), line).strip()
        for line in lines
    )


def nearest_letters(items: Sequence[Item], encode: Callable[[Sequence[str]], Vectors]) -> list[str]:
    """The option whose vector lies nearest to the question's, ties to the first label.

    Args:
        items: With options.
        encode: Texts to unit vectors, (n, dimension); each text is encoded once.
    """
    texts = [question_of(item) for item in items]
    texts += [text or label for item in items for label, text in item.options.items()]
    rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    if not rows:
        return []
    vectors = encode(list(rows))
    letters = []
    for item in items:
        question = vectors[rows[question_of(item)]]
        # Rounded, so that two texts that differ in float noise alone are a tie on every machine.
        near = {
            label: round(float(vectors[rows[text or label]] @ question), 6)
            for label, text in item.options.items()
        }
        letters.append(max(near, key=lambda label: near[label]))
    return letters
