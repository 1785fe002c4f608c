"""Language preference: checked against plain loops and by what must hold of any ranking."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isogloss.errors import DataError
from isogloss.retrieval.language_preference import (
    COLUMNS,
    language_preference,
    own_language_preference,
)
from isogloss.retrieval.ranking import Ranking, rank_candidates
from isogloss.settings import EvaluationSettings
from worlds import random_benchmark, random_ranking

OPTIONS = EvaluationSettings(resamples=200)


@settings(max_examples=40)
@given(st.integers(0, 10_000))
def test_every_row_is_that_of_loops(seed):
    benchmark = random_benchmark(seed, n_families=30, n_queries=20)
    ranking = random_ranking(benchmark, seed)
    languages = [document.metadata.language for document in benchmark.documents]
    table = language_preference(benchmark, ranking, OPTIONS, intervals=False)
    assert table.schema == COLUMNS
    rows = table.to_pylist()
    asked = {query.metadata.language for query in benchmark.queries}
    assert len(rows) == len(asked) * len(set(languages)) * 2
    for row in rows:
        shares = []
        for at, query in enumerate(benchmark.queries):
            got = [d for d in ranking.documents[at, : row["k"]].tolist() if d >= 0]
            if query.metadata.language == row["query_language"] and got:
                held = sum(languages[d] == row["document_language"] for d in got)
                shares.append(held / len(got))
        pool = languages.count(row["document_language"]) / len(languages)
        assert row["n"] == len(shares)
        assert row["pool_share"] == pytest.approx(pool)
        if not shares:
            assert row["preference"] is None
            assert row["note"]
            continue
        mean = sum(shares) / len(shares)
        assert row["share"] == pytest.approx(mean)
        assert row["preference"] == pytest.approx(mean / pool)


@settings(max_examples=40)
@given(st.integers(0, 10_000))
def test_shares_add_up_and_intervals_hold_the_estimate(seed):
    benchmark = random_benchmark(seed)
    rows = language_preference(benchmark, random_ranking(benchmark, seed), OPTIONS).to_pylist()
    for language in {row["query_language"] for row in rows}:
        for k in (10, 100):
            group = [r for r in rows if (r["query_language"], r["k"]) == (language, k)]
            if group[0]["n"]:
                assert sum(row["share"] for row in group) == pytest.approx(1.0)
            assert sum(row["pool_share"] for row in group) == pytest.approx(1.0)
    for row in rows:
        if row["low"] is None:
            assert row["high"] is None
            assert row["note"]
        else:
            assert row["low"] <= row["preference"] <= row["high"]


def test_the_whole_pool_prefers_nothing():
    benchmark = random_benchmark(2, n_families=20)
    n = len(benchmark.documents)
    assert n < 100
    documents = np.broadcast_to(np.arange(n, dtype=np.int32), (len(benchmark.queries), n))
    everything = rank_candidates(documents.copy(), np.zeros(documents.shape))
    rows = language_preference(benchmark, everything, OPTIONS).to_pylist()
    whole = [row for row in rows if row["k"] == 100]
    assert [row["preference"] for row in whole] == pytest.approx([1.0] * len(whole))
    assert all(row["note"].startswith(f"a pool of {n} documents") for row in whole)


def test_the_same_seed_gives_the_same_table():
    benchmark = random_benchmark(4)
    ranking = random_ranking(benchmark, 4)
    assert language_preference(benchmark, ranking, OPTIONS).equals(
        language_preference(benchmark, ranking, OPTIONS)
    )


def test_the_own_language_is_averaged_over_query_languages():
    rows = [
        ("de", "de", 10, 3.0),
        ("en", "en", 10, 1.0),
        ("en", "de", 10, 9.0),
        ("zh", "zh", 10, None),
    ]
    table = pa.Table.from_pylist(
        [
            {"query_language": a, "document_language": b, "k": k, "preference": value}
            for a, b, k, value in rows
        ]
    )
    assert own_language_preference(table) == {10: 2.0}


def test_another_number_of_queries_is_refused():
    benchmark = random_benchmark(4)
    ranking = random_ranking(benchmark, 4)
    with pytest.raises(DataError, match="29 ranked queries for 30"):
        language_preference(benchmark, Ranking(ranking.documents[1:], ranking.scores[1:]), OPTIONS)
