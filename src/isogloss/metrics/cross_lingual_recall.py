"""Language-balanced recall at K within and across languages.

Load it by path: ``evaluate.load("PATH/cross_lingual_recall.py")``. Undefined figures are None.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import evaluate

from isogloss.metrics.information import metric_info
from isogloss.metrics.ranked_lists import checked_cutoff, pair_table
from isogloss.retrieval.figures import scores
from isogloss.retrieval.recall import SIDES, language_balanced, side_scores

DESCRIPTION = "Language-balanced recall at K within and across languages."


class CrossLingualRecall(evaluate.Metric):  # type: ignore[misc]
    """Language-balanced recall at K within and across languages."""

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
            found = side_scores(table, side, [checked_cutoff(k)])
            result[f"recall_at_{k}/{side}"] = language_balanced(
                found.recall(k), languages[found.has]
            )
            result[f"n/{side}"] = int(found.has.sum())
        return result
