"""Language-balanced recall at K within and across languages.

Load it by path: ``evaluate.load("PATH/cross_lingual_recall.py")``. Undefined figures are None.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import datasets
import evaluate

from isogloss.metrics.ranked_lists import CITATION, INPUTS_DESCRIPTION, checked_cutoff, pair_table
from isogloss.retrieval.figures import scores
from isogloss.retrieval.recall import SIDES, language_balanced, side_scores

DESCRIPTION = "Language-balanced recall at K within and across languages."


class CrossLingualRecall(evaluate.Metric):  # type: ignore[misc]
    """Language-balanced recall at K within and across languages."""

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        reference = {
            "language": text,
            "documents": datasets.Sequence(text),
            "languages": datasets.Sequence(text),
        }
        return evaluate.MetricInfo(
            description=DESCRIPTION,
            citation=CITATION,
            inputs_description=INPUTS_DESCRIPTION,
            features=datasets.Features(
                {"predictions": datasets.Sequence(text), "references": reference}
            ),
        )

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
