"""Do models differ? Friedman over queries, then every pair by sign flips, Holm-corrected."""

from collections.abc import Mapping
from dataclasses import asdict
from itertools import combinations
from typing import Any

import numpy as np

from isogloss.errors import VersionMismatchError
from isogloss.retrieval.figures import Scores
from isogloss.retrieval.recall import Floats, Integers, side_scores
from isogloss.settings import EvaluationSettings
from isogloss.statistics.bootstrap import bca_intervals
from isogloss.statistics.letters import compact_letters
from isogloss.statistics.permutation import cluster_sums, sign_flip_p
from isogloss.statistics.ranks import friedman, holm

CUTOFF = 10


def significance(by_model: Mapping[str, Scores], options: EvaluationSettings) -> dict[str, Any]:
    """Compare models by per-query recall@10 over all golds of a query.

    Args:
        by_model: Scores of each model over the same queries.
        options: Permutations, resamples, confidence and seed.

    Returns:
        `n` queries with gold, mean `recall_at_10` by model, `friedman`, `pairs` (a, b, ci, p,
        p_holm, delta = a - b, and the reason of a null) and `letters`: models that share one do
        not differ at 1 - confidence.

    Raises:
        VersionMismatchError: The models were not scored over the same queries and golds.
    """
    _check_same_queries(by_model)
    names = sorted(by_model)
    recalls, languages, clusters = _recall_matrix([by_model[name] for name in names])
    means = dict(zip(names, recalls.mean(axis=0).tolist(), strict=True)) if len(recalls) else {}
    overall = {**asdict(friedman(recalls)), "models": names}
    pairs = _pairs(names, recalls, languages, clusters, options)
    alpha = 1 - options.confidence
    differing = {
        frozenset((pair["a"], pair["b"]))
        for pair in pairs
        if pair["p_holm"] is not None and pair["p_holm"] < alpha
    }
    best_first = sorted(names, key=lambda name: (-means.get(name, 0.0), name))
    return {
        "n": len(recalls),
        "recall_at_10": means,
        "friedman": overall,
        "pairs": pairs,
        "letters": compact_letters(best_first, differing),
    }


def _recall_matrix(scored: list[Scores]) -> tuple[Floats, Integers, Integers]:
    """Recall@10 (n_queries, n_models), language and cluster codes of the queries with gold."""
    chosen = scored[0].judged
    columns = [side_scores(model.table, "all").recall(CUTOFF) for model in scored]
    clusters = np.unique(scored[0].table.query_cluster[chosen], return_inverse=True)[1]
    return np.stack(columns, axis=1), scored[0].languages[chosen], clusters.reshape(-1)


def _pairs(
    names: list[str],
    recalls: Floats,
    languages: Integers,
    clusters: Integers,
    options: EvaluationSettings,
) -> list[dict[str, Any]]:
    places = list(combinations(range(len(names)), 2))
    if not places or not len(recalls):
        return []
    differences = np.stack([recalls[:, a] - recalls[:, b] for a, b in places], axis=1)
    p_values = sign_flip_p(cluster_sums(differences, clusters), options.permutations, options.seed)
    intervals = bca_intervals(
        differences,
        groups=np.zeros_like(languages),
        clusters=clusters,
        strata_groups=languages,
        confidence=options.confidence,
        resamples=options.resamples,
        seed=options.seed,
    )
    adjusted = holm(p_values)
    return [
        {
            "a": names[a],
            "b": names[b],
            "delta": float(differences[:, place].mean()),
            "ci": intervals[place].bounds,
            "p": p_values[place],
            "p_holm": adjusted[place],
            "reason": intervals[place].reason,
        }
        for place, (a, b) in enumerate(places)
    ]


def _check_same_queries(by_model: Mapping[str, Scores]) -> None:
    (first, reference), *others = by_model.items()
    for name, scored in others:
        same = all(
            np.array_equal(getattr(reference.table, column), getattr(scored.table, column))
            for column in ("query_ids", "query_cluster", "query", "document_ids")
        )
        if not same:
            raise VersionMismatchError(
                f"{first} and {name} were scored over different queries or golds; evaluate both on "
                "one dataset version"
            )
