"""Everything a page shows, measured on random benchmarks: no project, no files."""

import csv
import io
from dataclasses import replace
from functools import cache
from typing import Any

from isogloss.report.comparison.leaderboard import Entry, ranked
from isogloss.report.page.gathered import Evaluated, Gathered, Target
from isogloss.retrieval.comparison import Scored, compare
from isogloss.retrieval.evaluation import coverage_curves, evaluate_ranking
from isogloss.retrieval.figures import scores
from isogloss.retrieval.gold import pair_table
from isogloss.retrieval.planning import needs
from isogloss.retrieval.pooling import pooled_scores
from isogloss.retrieval.query_table import METRICS_VERSION, Origin
from isogloss.settings import EvaluationSettings
from isogloss.stages.results import csv_text
from worlds import random_benchmark, random_ranking

OPTIONS = EvaluationSettings(resamples=200, depth_resamples=100, permutations=200)
MODELS = {"good": 3.0, "fair": 0.7, "blind": 0.0}
COVERAGES = (0.5, 0.8, 0.99)
CARD = "# c\n\n## How it was made\n\nBy <b>hand</b>.\n\n## Licence and attribution\n\nCC0.\n"
STATS: dict[str, Any] = {
    "corpus_docs": 1040,
    "families": 300,
    "queries": 60,
    "origins": {"synthetic": 1040},
    "setups": {"all": 60},
    "languages": {"de": {"documents": 10, "queries": 5, "gold": 8}},
}
RERANKING = [
    {
        "figure": "rrc_at_10", "first": "0.5", "reranked": "0.6", "ceiling": "0.8",
        "share": "0.75", "headroom": "",
    }
]  # fmt: skip
DECLARATION = {
    "kind": "hub",
    "name": "BAAI/bge-m3",
    "revision": "f" * 40,
    "prompts": {"query": "query: ", "document": ""},
    "licence": "mit",
}


@cache
def sample() -> Gathered:
    """Two benchmarks of which one is under 1000 documents, their pool, and three models."""
    results: dict[str, dict[str, Scored]] = {}
    found: dict[str, dict[str, Evaluated]] = {}
    for name, seed, families in (("first", 2, 300), ("second", 3, 40)):
        benchmark = replace(random_benchmark(seed, families, 60), name=name)
        origin = Origin(name, benchmark.version, len(benchmark.documents))
        results[name], found[name] = {}, {}
        for model, pull in MODELS.items():
            ranking = random_ranking(benchmark, seed, pull=pull)
            measured = evaluate_ranking(benchmark, ranking, OPTIONS)
            scored = scores(pair_table(benchmark, ranking))
            results[name][model] = Scored(scored, origin)
            found[name][model] = Evaluated(
                model=model,
                metrics=measured.metrics,
                routes=measured.routes.to_pylist(),
                slices=list(csv.DictReader(io.StringIO(csv_text(measured.slices)))),
                preferences=list(csv.DictReader(io.StringIO(csv_text(measured.preferences)))),
                reranking=RERANKING if model == "good" else [],
                curves=coverage_curves(scored),
                identity={"release": "0" * 16, "dataset_version": benchmark.version},
            )
    pools = {"both": ["first", "second"]}
    compared = compare(results, pools, OPTIONS)
    targets = [
        Target(
            key=name,
            evaluated=best_first(name, by_model),
            significance=compared["benchmarks"][name]["significance"],
            remarks=["Hand-written <i>sample</i> documents."],
            documents=compared["benchmarks"][name]["documents"],
            stats=STATS,
            card=CARD,
        )
        for name, by_model in found.items()
    ]
    pooled = {
        model: Evaluated(
            model,
            metrics,
            curves=coverage_curves(
                pooled_scores({name: results[name][model].scores for name in pools["both"]})
            ),
        )
        for model, metrics in compared["pools"]["both"]["models"].items()
    }
    targets.append(
        Target(
            key="pool both",
            evaluated=best_first("pool both", pooled),
            significance=compared["pools"]["both"]["significance"],
            members=pools["both"],
        )
    )
    return Gathered(
        targets=targets,
        needs=needs(results, pools, COVERAGES, OPTIONS),
        declarations={"good": DECLARATION},
        settings=OPTIONS.model_dump(mode="json"),
        metrics_version=METRICS_VERSION,
    )


def best_first(key: str, found: dict[str, Evaluated]) -> list[Evaluated]:
    group = ranked(Entry(key, model, one.metrics) for model, one in found.items())
    return [found[entry.model] for entry in group[key]]


def with_medical(scores: dict[str, Any]) -> Gathered:
    """The same, with medical scores."""
    return replace(sample(), medical=scores)
