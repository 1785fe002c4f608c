from dataclasses import replace

import brute_force
import numpy as np
import pytest
import scipy.stats

from isogloss.errors import UsageError, VersionMismatchError
from isogloss.files import json_bytes, write_parquet
from isogloss.retrieval.comparison import Scored, compare
from isogloss.retrieval.evaluation import evaluate_ranking
from isogloss.retrieval.pooling import pool_gate
from isogloss.retrieval.query_table import read_query_table
from isogloss.settings import EvaluationSettings
from worlds import random_benchmark, random_ranking

OPTIONS = EvaluationSettings(resamples=300, depth_resamples=100, permutations=400)
MODELS = {"good": 3.0, "fair": 1.0, "poor": 0.3}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Three models on two benchmarks, read back from the files that `compare` reads."""
    folder = tmp_path_factory.mktemp("results")
    found = {}
    for name, seed in (("first", 2), ("second", 3)):
        benchmark = replace(random_benchmark(seed, 300, 60), name=name)
        found[name] = {}
        for model, pull in MODELS.items():
            ranking = random_ranking(benchmark, seed, pull=pull)
            path = folder / f"{name}-{model}.parquet"
            write_parquet(path, evaluate_ranking(benchmark, ranking, OPTIONS, False).queries)
            found[name][model] = Scored(*read_query_table(path))
    return found


@pytest.fixture(scope="module")
def compared(results):
    return compare(results, {"both": ["second", "first"]}, OPTIONS)


def as_loops(scored):
    """Queries and ranks of a score as plain values."""
    table = scored.table
    ranks = {str(id_): [] for id_ in table.query_ids}
    for query, language, rank in zip(table.query, table.document_language, table.rank, strict=True):
        ranks[str(table.query_ids[query])].append(
            (str(language), "", int(rank) if rank <= 1000 else None)
        )
    languages = zip(map(str, table.query_ids), map(str, table.query_language), strict=True)
    return dict(languages), ranks


def test_pooled_figures_are_those_of_all_queries_at_once(results, compared):
    for model in MODELS:
        queries, ranks = {}, {}
        for name, by_model in results.items():
            some_queries, some_ranks = as_loops(by_model[model].scores)
            queries |= {f"{name}/{id_}": value for id_, value in some_queries.items()}
            ranks |= {f"{name}/{id_}": value for id_, value in some_ranks.items()}
        expected = brute_force.metrics_of_ranks(queries, ranks)
        found = compared["pools"]["both"]["models"][model]
        for key in expected:
            if not key.startswith(("recall", "hit")):
                assert found[key] == pytest.approx(expected[key], abs=1e-12), key


def test_friedman_and_pairs_by_hand(results, compared):
    recalls = {}
    for model, scored in results["first"].items():
        _, ranks = as_loops(scored.scores)
        recalls[model] = [
            sum(rank is not None and rank <= 10 for *_, rank in golds) / len(golds)
            for golds in ranks.values()
            if golds
        ]
    found = compared["benchmarks"]["first"]["significance"]
    assert found["n"] == len(recalls["good"])
    expected = scipy.stats.friedmanchisquare(*(recalls[model] for model in sorted(recalls)))
    assert found["friedman"]["statistic"] == pytest.approx(expected.statistic)
    assert found["friedman"]["p"] == pytest.approx(expected.pvalue)
    for pair in found["pairs"]:
        delta = np.mean(recalls[pair["a"]]) - np.mean(recalls[pair["b"]])
        assert pair["delta"] == pytest.approx(delta, abs=1e-12)
        assert pair["ci"][0] <= delta <= pair["ci"][1]
        assert pair["p"] <= pair["p_holm"] <= 1
    assert found["letters"]["good"] != found["letters"]["poor"]


def test_swapping_names_turns_differences_round(results):
    renamed = {"first": {"z": results["first"]["fair"], "a": results["first"]["good"]}}
    straight = {"first": {"a": results["first"]["fair"], "z": results["first"]["good"]}}
    pairs = [
        compare(each, {}, OPTIONS)["benchmarks"]["first"]["significance"]["pairs"][0]
        for each in (renamed, straight)
    ]
    assert pairs[0]["delta"] == -pairs[1]["delta"]
    assert pairs[0]["p"] == pairs[1]["p"]
    assert pairs[0]["ci"] == pytest.approx([-bound for bound in reversed(pairs[1]["ci"])])


def test_two_models_are_compared_by_the_pair_alone(results):
    two = {"first": {model: results["first"][model] for model in ("good", "poor")}}
    found = compare(two, {}, OPTIONS)["benchmarks"]["first"]["significance"]
    assert found["friedman"]["p"] is None
    assert "paired test" in found["friedman"]["reason"]
    assert found["pairs"][0]["p"] < 0.05


def test_equal_models_differ_in_nothing(results):
    same = {"first": dict.fromkeys("abc", results["first"]["good"])}
    found = compare(same, {}, OPTIONS)["benchmarks"]["first"]["significance"]
    assert found["friedman"]["reason"] == "no differences"
    assert {pair["p_holm"] for pair in found["pairs"]} == {1.0}
    assert {pair["ci"] is None and bool(pair["reason"]) for pair in found["pairs"]} == {True}
    assert set(found["letters"].values()) == {"a"}


def test_one_model_is_described_without_a_test(results):
    one = {"first": {"good": results["first"]["good"]}}
    found = compare(one, {"p": ["first"]}, OPTIONS)
    assert found["pools"]["p"]["significance"]["pairs"] == []
    json_bytes(found)


def test_the_same_results_give_the_same_bytes(results, compared):
    shuffled = {name: dict(reversed(results[name].items())) for name in reversed(results)}
    again = compare(shuffled, {"both": ["first", "second"]}, OPTIONS)
    assert json_bytes(again) == json_bytes(compared)


def test_a_pool_fails_with_any_of_its_benchmarks(results):
    parts = {name: results[name]["fair"].scores for name in results}
    recalls = sorted(
        brute_force.metrics_of_ranks(*as_loops(part))["recall_at_10/cross"]
        for part in parts.values()
    )
    assert pool_gate(parts, recalls[0] - 1e-6) == "passed"
    assert pool_gate(parts, np.mean(recalls)) == "failed"


def test_pools_without_all_results_say_what_is_missing(results):
    partial = {"first": results["first"], "second": {"good": results["second"]["good"]}}
    found = compare(partial, {"both": ["first", "second"], "none": ["third"]}, OPTIONS)["pools"]
    assert list(found["both"]["models"]) == ["good"]
    assert found["both"]["missing"] == ["fair on second", "poor on second"]
    assert found["none"] == {
        **{"benchmarks": ["third"], "missing": ["third"]},
        **{"models": {}, "significance": None},
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dataset_version": "f" * 32}, "first: results of different dataset versions, .*poor"),
        ({"metrics_version": "0"}, "first, poor: scored under metric definitions 0, these are 1"),
    ],
)
def test_mixed_versions_are_refused(results, change, message):
    poor = results["first"]["poor"]
    mixed = {
        "first": results["first"] | {"poor": Scored(poor.scores, replace(poor.origin, **change))}
    }
    with pytest.raises(VersionMismatchError, match=message):
        compare(mixed, {}, OPTIONS)


def test_other_queries_under_one_version_are_refused(results):
    table = replace(results["first"]["poor"].scores.table)
    table = table.only(np.arange(len(table.query)) > 0)
    scored = replace(results["first"]["poor"].scores, table=table)
    mixed = {"first": results["first"] | {"poor": Scored(scored, results["first"]["poor"].origin)}}
    with pytest.raises(VersionMismatchError, match="different queries or golds"):
        compare(mixed, {}, OPTIONS)


def test_nothing_to_compare():
    with pytest.raises(UsageError, match="no results"):
        compare({"first": {}}, {}, OPTIONS)
