"""Vectors less the mean of their language: what a language adds to every text is taken off."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatMatrix = npt.NDArray[np.float32]
Texts = npt.NDArray[np.str_]

VANISHED = 1e-6
"""A vector of length 1 that is shorter than this once its mean is off was the mean itself."""


@dataclass(frozen=True)
class Centred:
    """Centred vectors of one side.

    Attributes:
        vectors: float32 (n, dimension), L2-normalised.
        vanished: Rows that would have become zero and keep the vector they had.
        without_mean: Languages centred by the mean over all languages, having too few texts.
    """

    vectors: FloatMatrix
    vanished: list[int]
    without_mean: list[str]


def centre(
    vectors: FloatMatrix,
    languages: Texts,
    reference: FloatMatrix,
    reference_languages: Texts,
    fewest: int = 2,
) -> Centred:
    """Take the mean of its language off each vector and bring it back to length 1.

    Means are taken over the reference texts in float64. A language with fewer than `fewest` of
    them has no mean of its own, or a lone text would vanish: the mean over all reference texts
    takes its place. A vector that vanishes all the same keeps the direction it had (our reading).

    Args:
        vectors: float32 (n, dimension), L2-normalised.
        languages: (n,) their languages.
        reference: float32 (m, dimension), the texts that means are taken over.
        reference_languages: (m,) their languages.
        fewest: Texts that a language needs for a mean of its own.
    """
    wide = reference.astype(np.float64)
    overall = wide.mean(axis=0)
    centred = vectors.astype(np.float64)
    without_mean = []
    for language in np.unique(languages):
        members = reference_languages == language
        enough = int(members.sum()) >= fewest
        if not enough:
            without_mean.append(str(language))
        centred[languages == language] -= wide[members].mean(axis=0) if enough else overall
    norms = np.linalg.norm(centred, axis=1)
    vanished = norms < VANISHED
    centred[vanished] = vectors[vanished]
    norms[vanished] = np.linalg.norm(centred[vanished], axis=1)
    return Centred(
        vectors=np.asarray(centred / norms[:, None], dtype=np.float32),
        vanished=np.flatnonzero(vanished).tolist(),
        without_mean=without_mean,
    )
