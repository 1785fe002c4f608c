"""What going from one dataset version to another did to each figure under one release."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from isogloss.benchmark import Benchmark
from isogloss.retrieval.figures import all_figures, scores
from isogloss.retrieval.gold import PairTable, pair_table
from isogloss.retrieval.ranking import Ranking
from isogloss.retrieval.release_changes import headline_changes
from isogloss.settings import EvaluationSettings


def version_effects(
    before: tuple[Benchmark, Ranking],
    after: tuple[Benchmark, Ranking],
    same_queries: Sequence[str],
    options: EvaluationSettings,
) -> dict[str, Any]:
    """Set every figure of two dataset versions side by side.

    A change has two parts: what new, lost and edited documents did to the queries that stayed,
    gold included (`pool`), and what other queries or other gold did (`queries`), which is the rest
    (our reading).

    Args:
        before: The first version and its ranking.
        after: The second version and its ranking, under the same release.
        same_queries: Ids of queries that are the same in both and have the same gold.
        options: Gate, permutations, resamples and seed.

    Returns:
        `figures`: by key of metrics.json `before`, `after`, `change`, `pool` and `queries`; what is
        not defined in a version is None. `same_queries`: the changes of the headlines over the
        queries that stayed, with intervals and p.
    """
    tables = [pair_table(*version) for version in (before, after)]
    first, second = (scores(_only(table, same_queries)) for table in tables)
    whole = [all_figures(scores(table), options.gate).values for table in tables]
    shared = [all_figures(one, options.gate).values for one in (first, second)]
    figures = {}
    for key in whole[0]:
        change = _change(whole[0][key], whole[1][key])
        pool = _change(shared[0][key], shared[1][key])
        figures[key] = {
            "before": whole[0][key],
            "after": whole[1][key],
            "change": change,
            "pool": pool,
            "queries": None if change is None or pool is None else change - pool,
        }
    # Queries are in id order in both versions, so those that stayed meet row by row.
    changes = headline_changes(first, second, options) if same_queries else []
    return {
        "figures": figures,
        "same_queries": {change.name: change.as_json() for change in changes},
    }


def _only(table: PairTable, queries: Sequence[str]) -> PairTable:
    return table.only(np.isin(table.query_ids[table.query], list(queries)))


def _change(before: object, after: object) -> float | None:
    if isinstance(before, int | float) and isinstance(after, int | float):
        return float(after - before)
    return None
