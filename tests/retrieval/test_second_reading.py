"""Without machine-translated documents: what is left ranks and scores as if they had never been."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isogloss.benchmark import Benchmark
from isogloss.retrieval.evaluation import evaluate_ranking
from isogloss.retrieval.gold import pair_table
from isogloss.retrieval.ranking import DEPTH, Ranking
from isogloss.retrieval.run_file import read_run, write_run
from isogloss.retrieval.second_reading import (
    search_depth,
    translated,
    trimmed,
    without_translations,
)
from isogloss.settings import EvaluationSettings
from worlds import random_benchmark, random_ranking

OPTIONS = EvaluationSettings(resamples=100, depth_resamples=100, permutations=100)


def marked(benchmark: Benchmark, share: float, seed: int) -> Benchmark:
    """The benchmark with some documents marked as machine translations."""
    chosen = np.random.default_rng(seed).random(len(benchmark.documents)) < share
    documents = [
        msgspec.structs.replace(
            one, metadata=msgspec.structs.replace(one.metadata, origin="machine-translated")
        )
        if is_chosen
        else one
        for one, is_chosen in zip(benchmark.documents, chosen, strict=True)
    ]
    return replace(benchmark, documents=tuple(documents))


def by_hand(benchmark: Benchmark, ranking: Ranking) -> list[list[tuple[str, float]]]:
    """The first thousand untranslated documents of each query, looked up one by one."""
    rows = []
    for documents, scores in zip(ranking.documents, ranking.scores, strict=True):
        row = [
            (benchmark.documents[index].id, score)
            for index, score in zip(documents.tolist(), scores.tolist(), strict=True)
            if index >= 0 and benchmark.documents[index].metadata.origin != "machine-translated"
        ]
        rows.append(row[:DEPTH])
    return rows


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.sampled_from([0.02, 0.3, 0.9]), st.sampled_from([20, 450]))
def test_the_rest_keeps_its_order_to_the_full_depth(seed: int, share: float, families: int) -> None:
    benchmark = marked(random_benchmark(seed, families, 6), share, seed)
    whole = random_ranking(benchmark, seed, depth=len(benchmark.documents))
    deep = random_ranking(benchmark, seed, depth=search_depth(benchmark))
    found = without_translations(benchmark, trimmed(deep, benchmark))
    if found is None:
        assert translated(benchmark).all() or not translated(benchmark).any()
        return
    left, ranking = found
    assert not translated(left).any()
    ids = [one.id for one in left.documents]
    assert ids == sorted(ids)
    listed = [
        [
            (left.documents[index].id, score)
            for index, score in zip(documents.tolist(), scores.tolist(), strict=True)
            if index >= 0
        ][:DEPTH]
        for documents, scores in zip(ranking.documents, ranking.scores, strict=True)
    ]
    assert listed == by_hand(benchmark, whole)
    gold = {
        (benchmark.queries[q].id, benchmark.documents[d].id, int(value))
        for q, d, value in zip(
            benchmark.judged_queries,
            benchmark.judged_documents,
            benchmark.judged_values,
            strict=True,
        )
        if benchmark.documents[d].metadata.origin != "machine-translated"
    }
    assert gold == {
        (left.queries[q].id, left.documents[d].id, int(value))
        for q, d, value in zip(
            left.judged_queries, left.judged_documents, left.judged_values, strict=True
        )
    }


def test_the_first_reading_and_benchmarks_without_such_documents_stay_as_they_were() -> None:
    plain = random_benchmark(3, 450, 20)
    assert search_depth(plain) == DEPTH
    ranking = random_ranking(plain, 3)
    assert np.array_equal(trimmed(ranking, plain).documents, ranking.documents)
    assert without_translations(plain, ranking) is None
    benchmark = marked(plain, 0.3, 3)
    deep = trimmed(random_ranking(benchmark, 3, depth=search_depth(benchmark)), benchmark)
    assert deep.documents.shape[1] > DEPTH
    assert np.array_equal(pair_table(benchmark, deep).rank, pair_table(plain, ranking).rank)
    everything = marked(plain, 1.1, 3)
    assert without_translations(everything, ranking) is None


def test_a_run_file_gives_both_readings_again(tmp_path) -> None:
    benchmark = marked(random_benchmark(4, 450, 20), 0.3, 4)
    deep = trimmed(random_ranking(benchmark, 4, depth=search_depth(benchmark)), benchmark)
    path = tmp_path / "run.trec.gz"
    write_run(path, benchmark, deep, "model")
    again = read_run(path, benchmark)
    assert np.array_equal(again.documents, deep.documents)
    first, second = (without_translations(benchmark, one) for one in (deep, again))
    assert first is not None
    assert second is not None
    metrics = evaluate_ranking(*second, OPTIONS).metrics
    assert metrics == evaluate_ranking(*first, OPTIONS).metrics
    assert "short_rankings" not in metrics["notes"] or "20 queries" not in str(metrics["notes"])


def test_a_list_that_is_too_short_without_them_says_so() -> None:
    benchmark = marked(random_benchmark(5, 450, 20), 0.3, 5)
    shallow = random_ranking(benchmark, 5)
    found = without_translations(benchmark, shallow)
    assert found is not None
    notes = evaluate_ranking(*found, OPTIONS).metrics["notes"]
    assert "got fewer than" in notes["short_rankings"]
    whole = evaluate_ranking(benchmark, shallow, OPTIONS).metrics["notes"]
    counted = int(notes["short_rankings"].split()[0])
    assert counted > int(whole.get("short_rankings", "0 queries").split()[0])


@pytest.mark.parametrize("side", ["same", "cross"])
def test_gold_of_one_language_can_leave_whole(side: str) -> None:
    plain = random_benchmark(6, 40, 30)
    documents = [
        msgspec.structs.replace(
            one, metadata=msgspec.structs.replace(one.metadata, origin="machine-translated")
        )
        if one.metadata.language == "zh"
        else one
        for one in plain.documents
    ]
    benchmark = replace(plain, documents=tuple(documents))
    ranking = random_ranking(benchmark, 6, depth=search_depth(benchmark))
    found = without_translations(benchmark, ranking)
    assert found is not None
    evaluation = evaluate_ranking(*found, OPTIONS)
    routes = evaluation.routes.to_pylist()
    assert routes
    assert not any(row["document_language"] == "zh" for row in routes)
    assert evaluation.metrics[f"recall_at_10/{side}"] is not None
    # No Chinese query has gold in its own language any more.
    rows = evaluation.queries.to_pylist()
    assert {row["gold_same"] for row in rows if row["language"] == "zh"} == {0}
