"""The top of a ranking ordered anew, and how much of its ceiling that reaches."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from isogloss.benchmark import Benchmark
from isogloss.retrieval.figures import Value, all_figures, scores
from isogloss.retrieval.gold import pair_table
from isogloss.retrieval.ranking import DECIMALS, Ranking

STEP = 1e-6
"""What lies below the re-ranked top is written so far apart: more than nine decimals show."""

FIGURES = ("recall_at_10/cross", "hit_at_10/cross", "rrc_at_10")


def rerank(ranking: Ranking, scored: npt.NDArray[np.float64], top: int) -> Ranking:
    """Order the top anew; what lies deeper follows in the order it had.

    Args:
        ranking: The first stage.
        scored: float64 (n_queries, width) the second stage's scores of the first `top` columns;
            width may be less where the ranking is narrower; padding is ignored.
        top: How many documents of a query were scored anew.

    Returns:
        The new ranking. Scores of the top are the second stage's, rounded to nine decimals; below
        it they go on falling from the lowest of these, so that a run file keeps the order.
    """
    documents, values = ranking.documents.copy(), ranking.scores.copy()
    head = documents[:, :top]
    held = head >= 0
    fresh = np.where(held, np.round(scored[:, : head.shape[1]], DECIMALS) + 0.0, -np.inf)
    order = np.lexsort((head, -fresh), axis=1)
    documents[:, :top] = np.take_along_axis(head, order, axis=1)
    values[:, :top] = np.take_along_axis(fresh, order, axis=1)
    tail = documents[:, top:]
    lowest = np.where(held, fresh, np.inf).min(axis=1, initial=np.inf, keepdims=True)
    below = lowest - 1.0 - STEP * np.arange(tail.shape[1])
    values[:, top:] = np.where(tail >= 0, np.round(below, DECIMALS) + 0.0, -np.inf)
    return Ranking(documents, values)


def best_possible(benchmark: Benchmark, ranking: Ranking, top: int) -> Ranking:
    """The first stage as a perfect re-ranker of its top would order it: cross gold at the front.

    The order is all that counts: scores are those of no model.
    """
    gold = np.zeros((len(benchmark.queries), len(benchmark.documents)), dtype=bool)
    positive = benchmark.judged_values > 0
    queries, found = benchmark.judged_queries[positive], benchmark.judged_documents[positive]
    asked = [query.metadata.language for query in benchmark.queries]
    held = [document.metadata.language for document in benchmark.documents]
    cross = np.array(
        [asked[q] != held[d] for q, d in zip(queries.tolist(), found.tolist(), strict=True)],
        dtype=bool,
    )
    gold[queries[cross], found[cross]] = True
    head = ranking.documents[:, :top]
    rows = np.arange(len(head))[:, None]
    return rerank(ranking, np.where(head >= 0, gold[rows, head], False).astype(np.float64), top)


@dataclass(frozen=True)
class Reached:
    """One figure before and after re-ranking, and the most that any re-ranker could make of it.

    Attributes:
        figure: A key of metrics.json.
        first: Of the first stage.
        reranked: Of the re-ranked ranking.
        ceiling: Of a perfect re-ranker of the same top.
        share: `reranked` / `ceiling`; None where the ceiling is 0 or undefined.
        headroom: Share of what lies between first stage and ceiling that was won, negative where
            it was lost; None where there is nothing between them.
        first_gate: The degeneracy gate of the first stage's ranking; None where it is undefined.
        reranked_gate: Of the re-ranked one.
        ceiling_gate: Of the perfect re-ranker's.
    """

    figure: str
    first: float | None
    reranked: float | None
    ceiling: float | None
    share: float | None
    headroom: float | None
    first_gate: str | None = None
    reranked_gate: str | None = None
    ceiling_gate: str | None = None


def reached(
    benchmark: Benchmark, first: Ranking, reranked: Ranking, top: int, gate: float
) -> list[Reached]:
    """Measure a re-ranker against its ceiling (ChemCLIR-Bench section 3: RRC@K bounds it).

    The ceiling of `rrc_at_10` is the RRC@K of the first stage where K is at least 10.

    Args:
        benchmark: What was searched.
        first: The first stage.
        reranked: The same, its top ordered anew.
        top: The K.
        gate: The degeneracy gate; values are raw, whatever its verdicts.
    """
    rankings = (first, reranked, best_possible(benchmark, first, top))
    values = [all_figures(scores(pair_table(benchmark, one)), gate).values for one in rankings]
    gates = [_verdict(of_one["gate"]) for of_one in values]
    rows = []
    for figure in FIGURES:
        before, after, most = (_number(of_one[figure]) for of_one in values)
        share = after / most if after is not None and most else None
        headroom = None
        if before is not None and after is not None and most is not None and most > before:
            headroom = (after - before) / (most - before)
        rows.append(Reached(figure, before, after, most, share, headroom, *gates))
    return rows


def _verdict(value: Value) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: Value) -> float | None:
    return float(value) if isinstance(value, int | float) else None
