"""All figures of one pair table, by the keys of metrics.json, each null with its reason."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from isogloss.retrieval.depth import depth_ratio, nearest_rank
from isogloss.retrieval.gold import PairTable, Ranks
from isogloss.retrieval.ranking import DEPTH
from isogloss.retrieval.recall import (
    CUTOFFS,
    HIT_CUTOFF,
    SIDES,
    Integers,
    Mask,
    SideScores,
    language_balanced,
    side_scores,
)
from isogloss.retrieval.recoverability import (
    ARI_CUTOFFS,
    RRC_CUTOFFS,
    ari,
    coverage_counts,
    knee,
    masses,
)

DEPTH_PERCENT = 80
RATIO_PERCENT = 50

CENSORED = f"censored: >{DEPTH}"
NO_DUAL = "no query has gold of both sides"
NO_CROSS = "no query has cross-language gold"

Value = float | int | str | None


@dataclass
class Figures:
    """Figures by key, and under the same keys why one is null."""

    values: dict[str, Value] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)

    def put(self, key: str, value: Value, reason: str) -> None:
        """Keep a figure; its reason is kept where it is None."""
        self.values[key] = value
        if value is None:
            self.notes[key] = reason


@dataclass(frozen=True)
class Scores:
    """Per-query scores of a pair table, computed once for every figure.

    Attributes:
        table: The pair table.
        same: Scores over same-language gold.
        cross: Scores over cross-language gold.
    """

    table: PairTable
    same: SideScores
    cross: SideScores

    @cached_property
    def languages(self) -> Integers:
        """Int (n_queries,): a code from 0 for each query's language."""
        return np.unique(self.table.query_language, return_inverse=True)[1].reshape(-1)

    @cached_property
    def judged(self) -> Mask:
        """Bool (n_queries,): the queries with gold."""
        return np.asarray(self.same.has | self.cross.has)

    @cached_property
    def dual(self) -> Mask:
        """Bool (n_queries,): the queries with gold of both sides."""
        return np.asarray(self.same.has & self.cross.has)

    @property
    def depths(self) -> dict[str, Ranks]:
        """First ranks of the dual-gold queries: same, cross and the later of both (star)."""
        same, cross = self.same.first[self.dual], self.cross.first[self.dual]
        return {"same": same, "cross": cross, "star": np.maximum(same, cross)}

    @property
    def recoverable(self) -> Ranks:
        """First cross-language ranks of the queries with cross-language gold."""
        return np.asarray(self.cross.first[self.cross.has])


def scores(table: PairTable) -> Scores:
    """Score every query of a pair table on both sides."""
    return Scores(table, side_scores(table, "same"), side_scores(table, "cross"))


def all_figures(scored: Scores, gate: float) -> Figures:
    """Every figure of one benchmark or slice: counts, recall, hit, depth, recoverability, gate.

    Args:
        scored: Per-query scores.
        gate: Language-balanced recall@10 across languages below which depth figures are gated.
    """
    figures = Figures()
    figures.values["n_queries"] = int(scored.judged.sum())
    figures.values["n_dual_gold"] = int(scored.dual.sum())
    _recall_figures(figures, scored)
    depth_figures(figures, scored)
    cross = figures.values["recall_at_10/cross"]
    figures.put("gate", gate_verdict(cross, gate), NO_CROSS)
    return figures


def _recall_figures(figures: Figures, scored: Scores) -> None:
    for side in SIDES:
        of_side = scored.same if side == "same" else scored.cross
        languages = scored.languages[of_side.has]
        reason = f"no query has {side}-language gold"
        for k in CUTOFFS:
            figures.put(
                f"recall_at_{k}/{side}", language_balanced(of_side.recall(k), languages), reason
            )
        hit = language_balanced(of_side.hit(HIT_CUTOFF), languages)
        figures.put(f"hit_at_{HIT_CUTOFF}/{side}", hit, reason)


def depth_figures(figures: Figures, scored: Scores) -> None:
    """Add k80, XRC, RRC, knee, floor and ARI: the figures that are pooled over benchmarks."""
    depths = scored.depths
    reason = CENSORED if len(depths["star"]) else NO_DUAL
    for name, ranks in depths.items():
        figures.put(f"k80/{name}", nearest_rank(ranks, DEPTH_PERCENT), reason)
    ratio = depth_ratio(depths["same"], depths["cross"], RATIO_PERCENT)
    why = f"one of its depths is {CENSORED}" if len(depths["star"]) else NO_DUAL
    figures.put(f"xrc_{RATIO_PERCENT}", ratio, why)

    ranks = scored.recoverable
    counts, n = coverage_counts(ranks), len(ranks)
    for k in RRC_CUTOFFS:
        figures.put(f"rrc_at_{k}", masses(counts, n, k)[0] if n else None, NO_CROSS)
    flat = "the curve is flat: RRC@1 = RRC@1000" if n else NO_CROSS
    figures.put("knee", knee(counts), flat)
    figures.put("floor", masses(counts, n, RRC_CUTOFFS[-1])[2] if n else None, NO_CROSS)
    for k in ARI_CUTOFFS:
        whole = f"RRC@{k} = 1: nothing is left to recover" if n else NO_CROSS
        figures.put(f"ari_at_{k}", ari(counts, n, k), whole)


def gate_verdict(recall_at_10_cross: Value, gate: float) -> str | None:
    """The degeneracy gate: "failed" where too little is found to read depth figures."""
    if not isinstance(recall_at_10_cross, float):
        return None
    return "failed" if recall_at_10_cross < gate - 1e-12 else "passed"
