"""Per-query recall changes between two releases: the headlines, and every route."""

from collections.abc import Sequence

import numpy as np

from isogloss.retrieval.figures import Scores
from isogloss.retrieval.gold import PairTable, Texts
from isogloss.retrieval.paired_change import Change, corrected, paired_change
from isogloss.retrieval.recall import Floats, Integers, Side, SideScores, side_scores
from isogloss.retrieval.routes import ROUTE_CUTOFF
from isogloss.settings import EvaluationSettings, ReleaseSettings
from isogloss.statistics.ranks import holm

CUTOFF = 10
HEADLINES: tuple[Side, ...] = ("same", "cross", "all")


def headline_changes(before: Scores, after: Scores, options: EvaluationSettings) -> list[Change]:
    """Recall@10 of same-language, cross-language and all gold, Holm-corrected over the three.

    Same and cross are language-balanced as in metrics.json, all is plain as in comparisons; one
    that no query has gold for is left out.
    """
    clusters = np.unique(before.table.query_cluster, return_inverse=True)[1].reshape(-1)
    changes = []
    for side in HEADLINES:
        first, second = _side(before, side), _side(after, side)
        chosen = first.has
        if chosen.any():
            changes.append(
                paired_change(
                    f"recall_at_{CUTOFF}/{side}",
                    first.recall(CUTOFF),
                    second.recall(CUTOFF),
                    before.languages[chosen],
                    clusters[chosen],
                    options,
                    balanced=side != "all",
                )
            )
    return corrected(changes)


def route_changes(before: Scores, after: Scores, options: EvaluationSettings) -> list[Change]:
    """Recall@10 of each route, Holm-corrected over all routes; names are ``query>document``."""
    query, target, first = route_recalls(before.table)
    _, _, second = route_recalls(after.table)
    source = before.table.query_language[query]
    clusters = np.unique(before.table.query_cluster, return_inverse=True)[1].reshape(-1)
    changes = []
    for route in sorted(set(zip(source.tolist(), target.tolist(), strict=True))):
        chosen = (source == route[0]) & (target == route[1])
        changes.append(
            paired_change(
                ">".join(route),
                first[chosen],
                second[chosen],
                np.zeros(int(chosen.sum()), dtype=np.int64),
                clusters[query[chosen]],
                options,
                balanced=False,
            )
        )
    return corrected(changes)


def route_recalls(table: PairTable) -> tuple[Integers, Texts, Floats]:
    """Recall@10 of every query towards every language it has gold in.

    Returns:
        Query indexes, document languages and recalls, one a query and language.
    """
    targets, target = np.unique(table.document_language, return_inverse=True)
    cells, cell = np.unique(table.query * len(targets) + target, return_inverse=True)
    found = np.bincount(cell, weights=table.rank <= ROUTE_CUTOFF, minlength=len(cells))
    recalls = (found / np.bincount(cell, minlength=len(cells))).astype(np.float64)
    return cells // max(len(targets), 1), targets[cells % max(len(targets), 1)], recalls


def losses(changes: Sequence[Change], settings: ReleaseSettings) -> list[Change]:
    """The changes that fail the gate: significant losses of more than the margin.

    A two-sided p below alpha that points to a loss has one-sided level alpha / 2. Headlines and
    routes are corrected apart, so a release without any true loss fails with probability alpha at
    most.
    """
    return [
        change
        for change in changes
        if change.p_holm is not None
        and change.p_holm < settings.alpha
        and change.delta < -settings.margin - 1e-12
    ]


def blind(changes: Sequence[Change], settings: ReleaseSettings) -> list[Change]:
    """The changes of one family that could not fail at any loss: their clusters are too few.

    Holm's correction is taken at its kindest, with every p as small as it can be.
    """
    kindest = holm([change.least_p for change in changes])
    return [
        change
        for change, p in zip(changes, kindest, strict=True)
        if p is not None and p >= settings.alpha
    ]


def _side(scored: Scores, side: Side) -> SideScores:
    if side == "all":
        return side_scores(scored.table, "all")
    return scored.same if side == "same" else scored.cross
