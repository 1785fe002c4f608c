"""What one release changed against another on the same queries: difference, interval and p."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from isogloss.retrieval.recall import Floats, Integers
from isogloss.settings import EvaluationSettings
from isogloss.statistics.bootstrap import Interval, balanced_means, bca_intervals
from isogloss.statistics.permutation import cluster_sums, sign_flip_p
from isogloss.statistics.ranks import holm


@dataclass(frozen=True)
class Change:
    """One figure before and after.

    Attributes:
        name: Such as ``recall_at_10/cross`` or ``sw>en``.
        n: Queries it is over.
        clusters: Units of resampling among them.
        before: Under the first release.
        after: Under the second release.
        interval: Of the difference.
        p: Two-sided, clusters flipped whole.
        p_holm: Corrected over its family: the headlines, or the routes.
        least_p: The smallest p that so many clusters can give.
    """

    name: str
    n: int
    clusters: int
    before: float
    after: float
    interval: Interval
    p: float | None
    p_holm: float | None
    least_p: float

    @property
    def delta(self) -> float:
        """After minus before; below 0 is a loss."""
        return self.after - self.before

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "n": self.n,
            "clusters": self.clusters,
            "before": self.before,
            "after": self.after,
            "delta": self.delta,
            "ci": self.interval.bounds,
            "reason": self.interval.reason,
            "p": self.p,
            "p_holm": self.p_holm,
        }


def paired_change(
    name: str,
    before: Floats,
    after: Floats,
    languages: Integers,
    clusters: Integers,
    options: EvaluationSettings,
    *,
    balanced: bool,
) -> Change:
    """Compare two releases query by query; p_holm is set by `corrected`.

    Args:
        name: What is compared.
        before: float64 (n,) the queries' recalls under the first release; n is at least 1.
        after: float64 (n,) the same under the second one.
        languages: int (n,) a code for each query's language.
        clusters: int (n,) a code for each query's cluster.
        options: Permutations, resamples, confidence and seed.
        balanced: Mean over languages of per-language means, as recall is; else the plain mean.
    """
    groups = np.unique(languages, return_inverse=True)[1].reshape(-1)
    averaged = groups if balanced else np.zeros_like(groups)
    difference = after - before
    # The flipped sum is the very figure: each query weighs what it weighs in the mean.
    counts = np.bincount(averaged)
    weights = 1 / (counts[averaged] * len(counts))
    sums = cluster_sums((difference * weights)[:, None], clusters)
    interval = bca_intervals(
        difference[:, None],
        groups=averaged,
        clusters=clusters,
        strata_groups=groups,
        confidence=options.confidence,
        resamples=options.resamples,
        seed=options.seed,
    )[0]
    n_clusters = len(sums)
    exact = n_clusters < 63 and 2**n_clusters <= options.permutations
    return Change(
        name=name,
        n=len(before),
        clusters=n_clusters,
        before=_mean(before, averaged),
        after=_mean(after, averaged),
        interval=interval,
        p=sign_flip_p(sums, options.permutations, options.seed)[0],
        p_holm=None,
        least_p=2 / 2**n_clusters if exact else 1 / (1 + options.permutations),
    )


def corrected(changes: list[Change]) -> list[Change]:
    """The changes of one family with Holm's correction over it."""
    adjusted = holm([change.p for change in changes])
    return [
        replace(change, p_holm=p_holm) for change, p_holm in zip(changes, adjusted, strict=True)
    ]


def _mean(values: Floats, groups: Integers) -> float:
    sums = np.bincount(groups, weights=values).astype(np.float64)[:, None]
    return float(balanced_means(sums, np.bincount(groups).astype(np.float64))[0])
