"""Every figure and route of 722 rankings of 1000 documents, against trec_eval and ranx."""

from collections.abc import Callable
from functools import partial

from benchmarks.pool import pool
from benchmarks.vectors import documents, queries
from isogloss.benchmark import Benchmark
from isogloss.retrieval.ranking import Ranking


def _ranked() -> tuple[Benchmark, Ranking]:
    from isogloss.retrieval.search import search

    return pool(), search(queries(), documents(), 1000)


def isogloss() -> Callable[[], object]:
    """All figures, routes, slices and per-query rows; no resampling."""
    from isogloss.retrieval.evaluation import evaluate_ranking
    from isogloss.settings import EvaluationSettings

    return partial(evaluate_ranking, *_ranked(), EvaluationSettings(), intervals=False)


def routes() -> Callable[[], object]:
    """Headline figures and the route grid only: what the paper prints per model."""
    from isogloss.retrieval.figures import all_figures, scores
    from isogloss.retrieval.gold import pair_table
    from isogloss.retrieval.routes import route_grid

    benchmark, ranking = _ranked()

    def compute() -> None:
        scored = scores(pair_table(benchmark, ranking))
        all_figures(scored, 0.1)
        route_grid(scored.table)

    return compute


def _dictionaries() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    benchmark, ranking = _ranked()
    ids = [document.id for document in benchmark.documents]
    qrels: dict[str, dict[str, int]] = {}
    judged = zip(benchmark.judged_queries, benchmark.judged_documents, strict=True)
    for query, document in judged:
        qrels.setdefault(benchmark.queries[query].id, {})[ids[document]] = 1
    run = {
        query.id: {ids[document]: float(score) for document, score in zip(row, scored, strict=True)}
        for query, row, scored in zip(
            benchmark.queries, ranking.documents, ranking.scores, strict=True
        )
    }
    return qrels, run


def pytrec_eval() -> Callable[[], object]:
    """trec_eval's recall at three depths over all gold: no sides, routes or depths."""
    import pytrec_eval

    qrels, run = _dictionaries()
    return partial(pytrec_eval.RelevanceEvaluator(qrels, {"recall.10,25,50"}).evaluate, run)


def ranx() -> Callable[[], object]:
    """The same recalls by ranx, compiled."""
    from ranx import Qrels, Run, evaluate

    qrels, run = _dictionaries()
    names = ["recall@10", "recall@25", "recall@50"]
    return partial(evaluate, Qrels(qrels), Run(run), names)
