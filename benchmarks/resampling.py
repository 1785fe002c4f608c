"""BCa intervals: ours for all headline figures at once against scipy.stats.bootstrap for one."""

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

QUERIES, FIGURES, RESAMPLES = 722, 14, 10_000


def _values() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    rng = np.random.default_rng(3)
    values = rng.integers(0, 2, size=(QUERIES, FIGURES)).astype(np.float64)
    languages = rng.integers(0, 5, size=QUERIES)
    return values, languages, np.arange(QUERIES)


def isogloss() -> Callable[[], object]:
    """Fourteen figures, five language strata, language-balanced means."""
    from isogloss.statistics.bootstrap import bca_intervals

    values, languages, clusters = _values()
    return partial(bca_intervals, values, languages, clusters, resamples=RESAMPLES)


def scipy_bootstrap() -> Callable[[], None]:
    """The same figures by scipy: one sample a language, means balanced, vectorised statistic."""
    from scipy import stats

    values, languages, _ = _values()

    def balanced(*samples: npt.NDArray[np.float64], axis: int = -1) -> npt.NDArray[np.float64]:
        means = [sample.mean(axis=axis) for sample in samples]
        return np.asarray(np.mean(means, axis=0))

    def all_figures() -> None:
        for figure in range(FIGURES):
            samples = [values[languages == code, figure] for code in range(5)]
            stats.bootstrap(
                samples,
                balanced,
                n_resamples=RESAMPLES,
                vectorized=True,
                method="BCa",
                batch=1000,
                rng=1,
            )

    return all_figures
