"""Depth k80 and XRC, recoverability RRC and ARI, knee and floor.

Load it by path: ``evaluate.load("PATH/depth_and_recoverability.py")``. Undefined figures are None.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import evaluate

from isogloss.metrics.information import metric_info
from isogloss.metrics.ranked_lists import pair_table
from isogloss.retrieval.figures import Figures, depth_figures, scores

DESCRIPTION = "Depth k80 and XRC, recoverability RRC and ARI, knee and floor."


class DepthAndRecoverability(evaluate.Metric):  # type: ignore[misc]
    """Depth k80 and XRC, recoverability RRC and ARI, knee and floor."""

    def _info(self) -> evaluate.MetricInfo:
        return metric_info(DESCRIPTION)

    def _compute(
        self, predictions: Sequence[Sequence[str]], references: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        scored = scores(pair_table(predictions, references))
        figures = Figures()
        figures.values["n_dual_gold"] = int(scored.dual.sum())
        depth_figures(figures, scored)
        return {**figures.values, "notes": figures.notes}
