"""The figures of one evaluation: recall by query language, and the route grid."""

from collections.abc import Sequence

import numpy as np

from isogloss.benchmark import MACHINE_TRANSLATED, Benchmark, by_maintainers
from isogloss.report.evaluation.language_bars import LanguageRecall, SideRecall, language_bars
from isogloss.report.evaluation.route_heatmap import route_heatmap
from isogloss.retrieval.evaluation import Evaluation
from isogloss.retrieval.figures import scores
from isogloss.retrieval.gold import PairTable, pair_table
from isogloss.retrieval.intervals import figure_intervals
from isogloss.retrieval.ranking import Ranking
from isogloss.retrieval.recall import SideScores
from isogloss.settings import EvaluationSettings
from isogloss.statistics.bootstrap import Interval

KNOWN_ITEM = "known-item"
# How documents came about, where a reader must know it.
ORIGINS = {
    "synthetic": "hand-written sample documents, not patents",
    "human-translated": "one original and its translations by people",
    MACHINE_TRANSLATED: "some documents are machine translations",
}


def remarks(benchmark: Benchmark) -> list[str]:
    """What a reader of a benchmark's figures must know: how its queries and texts were made."""
    lines = []
    if any(query.metadata.setup == KNOWN_ITEM for query in benchmark.queries):
        lines.append(
            f"{benchmark.name}: known-item queries taken from the documents, not generated"
            " questions; not comparable with published figures."
        )
    if any(by_maintainers(query.metadata.generator) for query in benchmark.queries):
        lines.append(
            f"{benchmark.name}: questions written by hand by the maintainers, in place of a chat"
            " model; not comparable with published figures."
        )
    origins = {document.metadata.origin for document in benchmark.documents}
    lines += [
        f"{benchmark.name}: {ORIGINS[origin]}." for origin in sorted(origins & ORIGINS.keys())
    ]
    return lines


def evaluation_figures(
    benchmark: Benchmark,
    model: str,
    ranking: Ranking,
    evaluation: Evaluation,
    options: EvaluationSettings,
    notes: Sequence[str],
) -> dict[str, bytes]:
    """Draw one evaluation, with the notes below each figure.

    Returns:
        PNGs by name without suffix.
    """
    title = f"{model} on {benchmark.name}"
    rows = language_recalls(pair_table(benchmark, ranking), options)
    return {
        "languages": language_bars(rows, f"{title}: recall by query language", notes),
        "routes": route_heatmap(evaluation.routes.to_pydict(), f"{title}: recall by route", notes),
    }


def language_recalls(table: PairTable, options: EvaluationSettings) -> list[LanguageRecall]:
    """Recall@10 of each query language on both sides, with intervals over its own clusters."""
    rows = []
    for language in np.unique(table.query_language[table.query]):
        scored = scores(table.only(table.query_language[table.query] == language))
        intervals = figure_intervals(scored, options)
        sides = [
            _side(of_side, intervals[f"recall_at_10/{name}"])
            for name, of_side in (("same", scored.same), ("cross", scored.cross))
        ]
        rows.append(LanguageRecall(str(language), *sides))
    return rows


def _side(of_side: SideScores, interval: Interval) -> SideRecall | None:
    n = int(of_side.has.sum())
    if not n:
        return None
    bounds = None if interval.bounds is None else (interval.bounds[0], interval.bounds[1])
    return SideRecall(float(of_side.recall(10).mean()), bounds, n)
