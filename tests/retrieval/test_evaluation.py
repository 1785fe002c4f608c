import json
import math

import brute_force
import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from isogloss.errors import DataError
from isogloss.files import json_bytes
from isogloss.retrieval.evaluation import evaluate_ranking
from isogloss.retrieval.ranking import Ranking, rank_candidates
from isogloss.settings import EvaluationSettings
from worlds import random_benchmark, random_ranking

OPTIONS = EvaluationSettings(resamples=200, depth_resamples=100, permutations=200)


def plain(benchmark, ranking):
    """A benchmark and ranking as dictionaries of ids, for the loops of brute_force."""
    queries = {query.id: query.metadata.language for query in benchmark.queries}
    golds = {}
    for query, document, value in zip(
        benchmark.judged_queries, benchmark.judged_documents, benchmark.judged_values, strict=True
    ):
        if value > 0:
            gold = benchmark.documents[document]
            golds.setdefault(benchmark.queries[query].id, []).append(
                (gold.id, gold.metadata.language, gold.metadata.office)
            )
    ranked = {
        query.id: [benchmark.documents[index].id for index in row if index >= 0]
        for query, row in zip(benchmark.queries, ranking.documents, strict=True)
    }
    return queries, golds, ranked


def assert_equal(ours, theirs):
    for key, expected in theirs.items():
        if isinstance(expected, float):
            assert ours[key] == pytest.approx(expected, abs=1e-12), key
        else:
            assert ours[key] == expected, key


WORLDS = [
    (1, 40, 30, 1.0),
    (2, 400, 60, 1.0),
    (3, 500, 80, 0.2),
    (4, 300, 25, 3.0),
    (5, 30, 1, 1.0),
    (6, 500, 40, 0.0),
    (7, 20, 200, 2.0),
]


@pytest.mark.parametrize(("seed", "families", "n_queries", "pull"), WORLDS)
class TestAgainstBruteForce:
    def test_metrics(self, seed, families, n_queries, pull):
        benchmark = random_benchmark(seed, families, n_queries)
        ranking = random_ranking(benchmark, seed, pull=pull)
        found = evaluate_ranking(benchmark, ranking, OPTIONS, intervals=False).metrics
        assert_equal(found, brute_force.metrics(*plain(benchmark, ranking)))

    def test_routes(self, seed, families, n_queries, pull):
        benchmark = random_benchmark(seed, families, n_queries)
        ranking = random_ranking(benchmark, seed, pull=pull)
        found = evaluate_ranking(benchmark, ranking, OPTIONS, intervals=False).routes
        queries, golds, ranked = plain(benchmark, ranking)
        expected = brute_force.routes(queries, brute_force.ranks_of_golds(queries, golds, ranked))
        assert [(row["query_language"], row["document_language"]) for row in found.to_pylist()] == (
            sorted(expected)
        )
        for row in found.to_pylist():
            n, recall = expected[row["query_language"], row["document_language"]]
            assert row["n"] == n
            assert row["recall_at_10"] == pytest.approx(recall, abs=1e-12)

    def test_slices(self, seed, families, n_queries, pull):
        benchmark = random_benchmark(seed, families, n_queries)
        ranking = random_ranking(benchmark, seed, pull=pull)
        found = evaluate_ranking(benchmark, ranking, OPTIONS, intervals=False).slices.to_pylist()
        queries, golds, ranked = plain(benchmark, ranking)
        ranks = brute_force.ranks_of_golds(queries, golds, ranked)
        meta = {query.id: query.metadata for query in benchmark.queries}
        dimensions = {
            "query_language": lambda query, gold: meta[query].language,
            "document_language": lambda query, gold: gold[0],
            "setup": lambda query, gold: meta[query].setup,
            "mode": lambda query, gold: meta[query].mode,
            "office": lambda query, gold: gold[1],
        }
        expected = {}
        for dimension, value_of in dimensions.items():
            for query, rows in ranks.items():
                for gold in rows:
                    part = expected.setdefault(
                        (dimension, value_of(query, gold)), {query: [] for query in ranks}
                    )
                    part[query].append(gold)
        assert {(row["slice"], row["value"]) for row in found} == set(expected)
        for row in found:
            part = expected[row["slice"], row["value"]]
            assert_equal(row, brute_force.metrics_of_ranks(queries, part))

    def test_gap(self, seed, families, n_queries, pull):
        benchmark = random_benchmark(seed, families, n_queries)
        ranking = random_ranking(benchmark, seed, pull=pull)
        found = evaluate_ranking(benchmark, ranking, OPTIONS).metrics["gap"]
        queries, golds, ranked = plain(benchmark, ranking)
        gaps = brute_force.gap(queries, brute_force.ranks_of_golds(queries, golds, ranked))
        if not gaps:
            assert found == {"delta": None, "ci": None, "p": None}
        else:
            assert found["delta"] == pytest.approx(sum(gaps.values()) / len(gaps), abs=1e-12)

    def test_recall_agrees_with_trec_eval(self, seed, families, n_queries, pull):
        benchmark = random_benchmark(seed, families, n_queries)
        ranking = random_ranking(benchmark, seed, pull=pull)
        rows = evaluate_ranking(benchmark, ranking, OPTIONS, intervals=False).queries.to_pylist()
        queries, golds, ranked = plain(benchmark, ranking)
        for side in ("same", "cross"):
            qrels = {
                query: {
                    document: 1
                    for document, language, _ in golds.get(query, [])
                    if (language == queries[query]) == (side == "same")
                }
                for query in queries
            }
            qrels = {query: documents for query, documents in qrels.items() if documents}
            # trec_eval breaks ties by id descending, so it is given our order as scores.
            run = {
                query: {document: 1001.0 - rank for rank, document in enumerate(documents, 1)}
                for query, documents in ranked.items()
            }
            judge = pytrec_eval.RelevanceEvaluator(qrels, {"recall.10,25,50"})
            theirs = judge.evaluate(run)
            for row in rows:
                for k in (10, 25, 50):
                    ours = row[f"recall_at_{k}/{side}"]
                    if row["query"] not in qrels:
                        assert ours is None
                    elif ranked[row["query"]]:
                        expected = theirs[row["query"]][f"recall_{k}"]
                        assert ours == pytest.approx(expected, abs=1e-12)
                    else:
                        assert ours == 0.0


@pytest.fixture(scope="module")
def evaluated():
    benchmark = random_benchmark(2, 400, 60)
    return benchmark, evaluate_ranking(benchmark, random_ranking(benchmark, 2), OPTIONS)


def test_keys_are_those_promised(evaluated):
    keys = {"n_queries", "n_dual_gold", "xrc_50", "knee", "floor", "gate", "gap", "notes"}
    recalls = {f"recall_at_{k}/{side}" for k in (10, 25, 50) for side in ("same", "cross")}
    rrc = {f"rrc_at_{k}" for k in (1, 5, 10, 50, 100, 1000)}
    depth = {f"k80/{name}{part}" for name in ("same", "cross", "star") for part in ("", "_se")}
    keys |= recalls | rrc | depth | {"ari_at_10", "ari_at_100"}
    keys |= {"hit_at_10/same", "hit_at_10/cross"} | {f"ci/{key}" for key in recalls | rrc}
    assert set(evaluated[1].metrics) == keys


def test_every_null_has_a_reason_and_nothing_is_nan(evaluated):
    for world in (evaluated, *small_worlds()):
        metrics = world[1].metrics
        json_bytes(metrics)
        flat = metrics | {f"gap/{key}": value for key, value in metrics["gap"].items()}
        for key, value in flat.items():
            if value is None:
                assert metrics["notes"][key], key


def small_worlds():
    for seed, families, n_queries, pull in ((5, 30, 1, 1.0), (9, 3, 2, 5.0), (11, 20, 12, 9.0)):
        benchmark = random_benchmark(seed, families, n_queries)
        yield (
            benchmark,
            evaluate_ranking(benchmark, random_ranking(benchmark, 1, pull=pull), OPTIONS),
        )


def test_intervals_hold_their_estimates(evaluated):
    metrics = evaluated[1].metrics
    for key, value in metrics.items():
        if key.startswith("ci/") and value is not None:
            assert value[0] <= metrics[key.removeprefix("ci/")] <= value[1]
    low, high = metrics["gap"]["ci"]
    assert low <= metrics["gap"]["delta"] <= high


def test_same_seed_gives_the_same_bytes(evaluated):
    benchmark, first = evaluated
    second = evaluate_ranking(benchmark, random_ranking(benchmark, 2), OPTIONS)
    assert json_bytes(first.metrics) == json_bytes(second.metrics)
    other = evaluate_ranking(
        benchmark, random_ranking(benchmark, 2), OPTIONS.model_copy(update={"seed": 5})
    )
    assert other.metrics["ci/recall_at_10/same"] != first.metrics["ci/recall_at_10/same"]


def test_queries_without_gold_are_named_and_not_counted(evaluated):
    benchmark, result = evaluated
    assert "q00003" in result.metrics["notes"]["queries_without_gold"]
    assert result.metrics["n_queries"] < len(benchmark.queries)
    assert result.queries.num_rows == len(benchmark.queries)


def test_small_pools_are_called_exhaustive(evaluated):
    small = random_benchmark(1, 20, 10)
    notes = evaluate_ranking(small, random_ranking(small, 1), OPTIONS).metrics["notes"]
    assert "exhaustive" in notes["pool"]
    assert "pool" not in evaluated[1].metrics["notes"]


@pytest.mark.parametrize(
    ("families", "told"),
    [(2, "; recall@10, recall@25, recall@50 are 1"), (12, "; recall@50 is 1"), (20, None)],
)
def test_recall_over_the_whole_pool_is_called_one_by_construction(families, told):
    benchmark = random_benchmark(4, families, 12)
    shape = (12, len(benchmark.documents))
    everything = rank_candidates(np.broadcast_to(np.arange(shape[1]), shape), np.zeros(shape))
    metrics = evaluate_ranking(benchmark, everything, OPTIONS, intervals=False).metrics
    assert "short_rankings" not in metrics["notes"]
    if told is None:
        assert "recall@" not in metrics["notes"]["pool"]
    else:
        assert f"{told} wherever all documents are returned" in metrics["notes"]["pool"]
        assert metrics["recall_at_50/cross"] == 1.0


@pytest.mark.parametrize("families", [20, 600])
def test_queries_with_short_rankings_are_counted(families):
    benchmark = random_benchmark(4, families, 12)
    shape = (12, len(benchmark.documents))
    documents = np.tile(np.arange(shape[1], dtype=np.int32), (12, 1))
    documents[0, 5:] = -1
    documents[3, 5:] = -1  # query 3 has no gold, so it counts nowhere
    short = rank_candidates(documents, np.zeros(shape))
    notes = evaluate_ranking(benchmark, short, OPTIONS, intervals=False).metrics["notes"]
    full = min(1000, shape[1])
    assert notes["short_rankings"].startswith(f"1 query got fewer than {full} documents")


def test_unjudged_twins_are_reported(evaluated):
    assert "count as non-relevant" in evaluated[1].metrics["notes"]["twins"]


def test_gate_fails_below_its_threshold_only(evaluated):
    benchmark, result = evaluated
    ranking = random_ranking(benchmark, 2)
    recall = result.metrics["recall_at_10/cross"]
    at = OPTIONS.model_copy(update={"gate": recall})
    above = OPTIONS.model_copy(update={"gate": recall + 1e-6})
    assert evaluate_ranking(benchmark, ranking, at, False).metrics["gate"] == "passed"
    gated = evaluate_ranking(benchmark, ranking, above, False).metrics
    assert gated["gate"] == "failed"
    assert gated["xrc_50"] == result.metrics["xrc_50"]


def test_a_ranking_of_other_queries_is_refused(evaluated):
    benchmark, _ = evaluated
    ranking = random_ranking(benchmark, 2)
    with pytest.raises(DataError, match="59 rows"):
        evaluate_ranking(benchmark, Ranking(ranking.documents[1:], ranking.scores[1:]), OPTIONS)


def test_what_lies_beyond_rank_1000_is_a_miss():
    benchmark = random_benchmark(3, 600, 20)
    deep = random_ranking(benchmark, 3, depth=2000, pull=0.0)
    cut = Ranking(deep.documents[:, :1000], deep.scores[:, :1000])
    assert deep.documents.shape[1] > 1000
    both = [evaluate_ranking(benchmark, ranking, OPTIONS).metrics for ranking in (deep, cut)]
    assert json.dumps(both[0]) == json.dumps(both[1])


def test_nothing_retrieved_is_zero_recall_and_censored_depth():
    benchmark = random_benchmark(1, 40, 30)
    empty = Ranking(np.empty((30, 0), dtype=np.int32), np.empty((30, 0)))
    metrics = evaluate_ranking(benchmark, empty, OPTIONS).metrics
    assert metrics["recall_at_10/cross"] == 0.0
    assert metrics["k80/star"] is None
    assert metrics["floor"] == 1.0
    assert metrics["ci/recall_at_10/cross"] is None
    assert "queries_without_results" in metrics["notes"]


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), pull=st.floats(0, 5), n=st.integers(1, 40))
def test_properties_hold_for_any_ranking(seed, pull, n):
    benchmark = random_benchmark(seed, 30, n)
    ranking = random_ranking(benchmark, seed, pull=pull)
    result = evaluate_ranking(benchmark, ranking, OPTIONS)
    metrics = result.metrics
    json_bytes(metrics)
    diagonal = [
        row["recall_at_10"]
        for row in result.routes.to_pylist()
        if row["query_language"] == row["document_language"]
    ]
    if diagonal:
        assert math.isclose(np.mean(diagonal), metrics["recall_at_10/same"], abs_tol=1e-12)
    for name in ("same", "cross"):
        star, other = metrics["k80/star"], metrics[f"k80/{name}"]
        assert star is None or star >= other
    for key, value in metrics.items():
        if key.startswith("ci/") and value is not None:
            assert value[0] <= metrics[key.removeprefix("ci/")] <= value[1]
            assert value[0] < value[1]
