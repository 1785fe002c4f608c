"""Language-balanced share of queries with any gold in the top K.

Load it by path: ``evaluate.load("PATH/hit_at_k.py")``. Undefined figures are None.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import evaluate

from isogloss.metrics.information import metric_info
from isogloss.metrics.ranked_lists import checked_cutoff, pair_table
from isogloss.retrieval.figures import scores
from isogloss.retrieval.recall import SIDES, language_balanced, side_scores

DESCRIPTION = "Language-balanced share of queries with any gold in the top K."


class HitAtK(evaluate.Metric):  # type: ignore[misc]
    """Language-balanced share of queries with any gold in the top K."""

    def _info(self) -> evaluate.MetricInfo:
        return metric_info(DESCRIPTION)

    def _compute(
        self,
        predictions: Sequence[Sequence[str]],
        references: Sequence[Mapping[str, Any]],
        k: int = 10,
    ) -> dict[str, float | int | None]:
        table = pair_table(predictions, references)
        languages = scores(table).languages
        result: dict[str, float | int | None] = {}
        for side in SIDES:
            found = side_scores(table, side)
            hits = found.hit(checked_cutoff(k))
            result[f"hit_at_{k}/{side}"] = language_balanced(hits, languages[found.has])
            result[f"n/{side}"] = int(found.has.sum())
        return result
