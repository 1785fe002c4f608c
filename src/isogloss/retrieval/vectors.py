"""What a matrix of vectors must be before it is used or stored: nothing is dropped or filled in."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from isogloss.errors import EncoderError

NAMED = 5
"""So many text ids are named in an error; the rest are counted."""


def check_vectors(
    vectors: npt.NDArray[np.floating], ids: Sequence[str], dimension: int, model: str
) -> npt.NDArray[np.float64]:
    """Check the vectors of some texts.

    Args:
        vectors: (n, dimension), one row a text.
        ids: The texts' names, for errors.
        dimension: What the model declares.
        model: Its key, for errors.

    Returns:
        float64 (n,), the vectors' norms.

    Raises:
        EncoderError: The shape is another, or vectors are NaN, infinite or zero; texts are named.
    """
    if vectors.shape != (len(ids), dimension):
        found = "x".join(str(size) for size in vectors.shape)
        raise EncoderError(
            f"{model}: gave vectors of shape {found} for {len(ids)} texts, {len(ids)}x{dimension} "
            f"is declared; correct the dimension in models/{model}.yaml"
        )
    norms: npt.NDArray[np.float64] = np.linalg.norm(vectors.astype(np.float64), axis=1)
    bad = ~np.isfinite(norms) | (norms == 0)
    if bad.any():
        names = name_some([ids[row] for row in np.flatnonzero(bad).tolist()])
        raise EncoderError(
            f"{model}: {int(bad.sum())} of {len(ids)} vectors are NaN, infinite or zero ({names}); "
            + (
                f"the model finds nothing in these texts: change models/{model}.yaml, or the texts"
                if not norms[bad].any()
                else "try dtype float32, or look at these texts"
            )
        )
    return norms


def name_some(ids: Sequence[str]) -> str:
    """The first few ids and how many more there are."""
    more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
    return ", ".join(ids[:NAMED]) + more
