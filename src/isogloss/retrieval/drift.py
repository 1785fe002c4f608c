"""How far a model's vectors moved from one release to the next, text by text."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from isogloss.retrieval.spread import spread

ROWS_AT_ONCE = 4096

Matrix = npt.NDArray[np.float32]


def cosines(before: Matrix, after: Matrix) -> npt.NDArray[np.float64]:
    """Cosine of each text's vectors under two releases, in float64.

    Args:
        before: float32 (n, dimension), L2-normalised.
        after: float32 (n, dimension), L2-normalised; the same texts in the same order.
    """
    found = np.empty(len(before))
    for start in range(0, len(before), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        first, second = before[rows].astype(np.float64), after[rows].astype(np.float64)
        norms = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
        found[rows] = (first * second).sum(axis=1) / norms
    return found


def drift(
    before: Matrix | None, after: Matrix | None, languages: Sequence[str]
) -> dict[str, Any] | str:
    """Summarise how far vectors moved, over all texts and by language.

    Returns:
        The spread of cosines, with `languages` from language to mean cosine; or the reason why
        there is none. Vectors of one dimension are comparable only if the space stayed the same:
        a retrained model may turn the whole space and still rank alike (our reading).
    """
    if before is None or after is None:
        return "full-text search makes no vectors"
    if before.shape[1] != after.shape[1]:
        return f"dimensions differ: {before.shape[1]} and {after.shape[1]}"
    found = cosines(before, after)
    codes = np.array(languages, dtype=np.str_)
    return {
        **spread(found),
        "languages": {
            str(code): float(found[codes == code].mean()) for code in np.unique(codes).tolist()
        },
    }
