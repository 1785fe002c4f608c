"""Paired sign-flip permutation tests over clusters."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

TOLERANCE = 1e-12
"""Sums this close, relative to the sum of absolute differences, are equal (our reading)."""

CHUNK = 2048


def cluster_sums(differences: Floats, clusters: npt.NDArray[np.integer]) -> Floats:
    """Sum paired differences within clusters, the unit that is flipped.

    Args:
        differences: float64 (n_rows, n_tests).
        clusters: int (n_rows,) any cluster code.

    Returns:
        float64 (n_clusters, n_tests).
    """
    _, rows = np.unique(clusters, return_inverse=True)
    columns = [np.bincount(rows.reshape(-1), weights=column) for column in differences.T]
    return np.stack(columns, axis=1)


def sign_flip_p(sums: Floats, permutations: int = 10_000, seed: int = 0) -> list[float | None]:
    """Two-sided p of "no difference": how often flipped signs give a sum at least as far from 0.

    All 2^n flips are enumerated when they number no more than `permutations`; else
    p = (1 + hits) / (1 + permutations) over random flips, so it is never 0.

    Args:
        sums: float64 (n_clusters, n_tests) summed differences per cluster; every test is flipped
            with the same signs.
        permutations: Random flips, and the most that are enumerated.
        seed: The same seed gives the same digits.

    Returns:
        One p a test; 1 where all differences are zero, None where there is no cluster.
    """
    n_clusters, n_tests = sums.shape
    if not n_clusters:
        return [None] * n_tests
    reach = np.abs(sums.sum(axis=0)) - TOLERANCE * np.abs(sums).sum(axis=0)
    exact = n_clusters < 63 and 2**n_clusters <= permutations
    total = 2**n_clusters if exact else permutations
    rng = np.random.default_rng(seed)
    hits = np.zeros(n_tests, dtype=np.int64)
    for start in range(0, total, CHUNK):
        stop = min(start + CHUNK, total)
        if exact:
            flipped = np.arange(start, stop)[:, None] >> np.arange(n_clusters) & 1
        else:
            flipped = rng.integers(0, 2, size=(stop - start, n_clusters), dtype=np.int8)
        signs = 1.0 - 2.0 * flipped
        hits += np.count_nonzero(np.abs(signs @ sums) >= reach, axis=0)
    if exact:
        return [int(count) / total for count in hits]
    return [(1 + int(count)) / (1 + total) for count in hits]
