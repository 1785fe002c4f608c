"""The published pool's size in seeded vectors: 722 queries, 35,102 documents, 768 dimensions."""

import os
from pathlib import Path

import numpy as np
import numpy.typing as npt

QUERIES, DOCUMENTS, DIMENSION = 722, 35_102, 768
LANGUAGES = ("en", "de", "fr", "es", "zh")


def cache() -> Path:
    """Folder for inputs that several measurements share; outside the repository's versions."""
    folder = Path(os.environ.get("ISOGLOSS_BENCH_CACHE", "~/.cache/isogloss-bench")).expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def make(count: int, seed: int) -> npt.NDArray[np.float32]:
    """Unit vectors around a few hundred topics, so that cosines are spread as real ones are."""
    path = cache() / f"vectors-{count}-{DIMENSION}-{seed}.npy"
    if not path.exists():
        topics = np.random.default_rng(7).normal(size=(300, DIMENSION))
        rng = np.random.default_rng(seed)
        vectors = topics[rng.integers(0, 300, count)] + rng.normal(size=(count, DIMENSION))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        np.save(path, vectors.astype(np.float32))
    found: npt.NDArray[np.float32] = np.load(path)
    return found


def queries() -> npt.NDArray[np.float32]:
    """(722, 768) float32, unit length."""
    return make(QUERIES, 1)


def documents() -> npt.NDArray[np.float32]:
    """(35102, 768) float32, unit length."""
    return make(DOCUMENTS, 2)
