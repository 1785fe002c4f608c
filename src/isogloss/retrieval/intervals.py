"""BCa intervals of recall and RRC, and the gap between languages with its interval and p."""

from dataclasses import dataclass

import numpy as np

from isogloss.retrieval.figures import NO_DUAL, Scores
from isogloss.retrieval.recall import CUTOFFS, SIDES, Floats, Integers, Mask
from isogloss.retrieval.recoverability import RRC_CUTOFFS
from isogloss.settings import EvaluationSettings
from isogloss.statistics.bootstrap import Interval, bca_intervals
from isogloss.statistics.permutation import cluster_sums, sign_flip_p

GAP_CUTOFF = 10


@dataclass(frozen=True)
class Gap:
    """Mean loss of recall@10 from same to cross language over dual-gold queries.

    Attributes:
        delta: The mean difference; None without dual-gold queries.
        interval: Its cluster-bootstrap interval.
        p: Two-sided, by flipping whole clusters.
    """

    delta: float | None
    interval: Interval
    p: float | None


def figure_intervals(scored: Scores, options: EvaluationSettings) -> dict[str, Interval]:
    """Intervals of every recall and RRC figure, by the figure's key.

    Recall is language-balanced, RRC plain over its queries; both resample clusters within strata.
    """
    intervals: dict[str, Interval] = {}
    for side in SIDES:
        of_side = scored.same if side == "same" else scored.cross
        languages = scored.languages[of_side.has]
        recalls = np.stack([of_side.recall(k) for k in CUTOFFS], axis=1)
        found = _resample(recalls, scored, of_side.has, languages, options)
        intervals |= zip((f"recall_at_{k}/{side}" for k in CUTOFFS), found, strict=True)
    within = np.stack([scored.recoverable <= k for k in RRC_CUTOFFS], axis=1)
    found = _resample(within.astype(np.float64), scored, scored.cross.has, None, options)
    return intervals | dict(zip((f"rrc_at_{k}" for k in RRC_CUTOFFS), found, strict=True))


def gap(scored: Scores, options: EvaluationSettings) -> Gap:
    """The gap of one model: recall@10 same - cross over dual-gold queries."""
    dual = scored.dual
    if not dual.any():
        return Gap(None, Interval(None, None, NO_DUAL), None)
    same = scored.same.found[GAP_CUTOFF][dual] / scored.same.gold[dual]
    cross = scored.cross.found[GAP_CUTOFF][dual] / scored.cross.gold[dual]
    differences = (same - cross)[:, None]
    clusters = np.unique(scored.table.query_cluster[dual], return_inverse=True)[1]
    return Gap(
        delta=float(differences.mean()),
        interval=_resample(differences, scored, dual, None, options)[0],
        p=sign_flip_p(cluster_sums(differences, clusters), options.permutations, options.seed)[0],
    )


def _resample(
    values: Floats,
    scored: Scores,
    chosen: Mask,
    balanced_over: Integers | None,
    options: EvaluationSettings,
) -> list[Interval]:
    languages = scored.languages[chosen]
    return bca_intervals(
        values,
        groups=np.zeros_like(languages) if balanced_over is None else languages,
        clusters=np.unique(scored.table.query_cluster[chosen], return_inverse=True)[1],
        strata_groups=languages,
        confidence=options.confidence,
        resamples=options.resamples,
        seed=options.seed,
    )
