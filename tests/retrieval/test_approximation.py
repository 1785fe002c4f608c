"""What is lost against the exact ranking, by hand, and how an evaluation says it."""

import numpy as np
import pyarrow as pa
import pytest
from test_search import unit

from isogloss.retrieval.approximate_search import Level, ListIndex
from isogloss.retrieval.approximation import (
    APPROXIMATION,
    CUTOFFS,
    FOUND,
    approximation,
    found_of_top,
    found_percent,
    with_approximation,
)
from isogloss.retrieval.derived import Approximate
from isogloss.retrieval.evaluation import Evaluation, evaluate_ranking
from isogloss.retrieval.inverted_lists import part
from isogloss.retrieval.ranking import DEPTH, Ranking
from isogloss.retrieval.search import search
from isogloss.settings import EvaluationSettings
from worlds import random_benchmark

OPTIONS = EvaluationSettings(resamples=100, depth_resamples=100, permutations=100)
DECLARED = Approximate(
    key="a", kind="approximate", model="m", lists=8, probes=[1, 2], licence="mit"
)


def ranking(*rows: list[int]) -> Ranking:
    width = max(len(row) for row in rows)
    documents = np.array([row + [-1] * (width - len(row)) for row in rows], dtype=np.int32)
    return Ranking(documents, np.where(documents >= 0, 0.5, -np.inf))


def test_shares_are_of_the_exact_top_whatever_the_order():
    exact = ranking(list(range(12)), list(range(12)))
    found = ranking([9, 0, 11, 20, 21, 22, 23, 24, 25, 26, 1, 27], [])
    # Of 0..9 the first row has 9 and 0 in its own top ten; 1 stands behind it.
    assert found_of_top(exact, found, 10).tolist() == [0.2, 0.0]
    assert found_of_top(exact, found, 1000) == pytest.approx([4 / 12, 0.0])
    assert found_of_top(exact, exact, 10).tolist() == [1.0, 1.0]


@pytest.fixture(name="world", scope="module")
def searched():
    benchmark = random_benchmark(11, n_families=60, n_queries=30)
    rng = np.random.default_rng(11)
    documents = unit(rng.standard_normal((len(benchmark.documents), 8)))
    queries = unit(rng.standard_normal((len(benchmark.queries), 8)))
    index = ListIndex(documents, part(documents, DECLARED.lists, DECLARED.seed))
    levels = [index.search(queries, probes) for probes in DECLARED.probes]
    return benchmark, search(queries, documents), levels


def test_the_table_is_that_of_loops(world):
    benchmark, exact, levels = world
    table = approximation(benchmark, exact, levels)
    assert table.schema == APPROXIMATION
    rows = {(row["probes"], row["query_language"]): row for row in table.to_pylist()}
    asked = [query.metadata.language for query in benchmark.queries]
    assert set(rows) == {(level.probes, code) for level in levels for code in {"all", *asked}}
    for level in levels:
        for code in {"all", *asked}:
            chosen = [at for at, one in enumerate(asked) if code in ("all", one)]
            row = rows[level.probes, code]
            assert row["queries"] == len(chosen)
            for k, name in zip(CUTOFFS, FOUND, strict=True):
                shares = []
                for at in chosen:
                    top = exact.documents[at, :k].tolist()
                    other = set(level.ranking.documents[at, :k].tolist())
                    shares.append(sum(one in other for one in top) / len(top))
                assert row[name] == pytest.approx(sum(shares) / len(shares))
            seen = [level.compared[at] / len(benchmark.documents) for at in chosen]
            assert row["documents_compared"] == pytest.approx(sum(seen) / len(seen))
    assert rows[1, "all"]["exact_top_10_found"] < rows[2, "all"]["exact_top_10_found"] < 1


def own(evaluation: Evaluation) -> set[str]:
    return {key for key in evaluation.metrics if key.startswith(("exact_", "documents_"))}


def test_an_evaluation_says_that_it_is_approximate_and_of_what(world):
    benchmark, exact, levels = world
    plain = evaluate_ranking(benchmark, levels[-1].ranking, OPTIONS)
    table = approximation(benchmark, exact, levels)
    told = with_approximation(plain, DECLARED, table)
    rows = {(row["probes"], row["query_language"]): row for row in table.to_pylist()}
    assert told.metrics["exact_top_10_found/probes_1/all"] == rows[1, "all"]["exact_top_10_found"]
    assert told.metrics["documents_compared/probes_2/de"] == rows[2, "de"]["documents_compared"]
    assert len(own(told)) == table.num_rows * 4
    top = found_percent(rows[2, "all"]["exact_top_10_found"])
    note = told.metrics["notes"]["approximate"]
    assert note.startswith("probing 2 of 8 lists compares ")
    assert f"and finds {top}, " in note
    assert note.endswith("of the exact top 10, 100, 1000 of m")
    # Nothing else changes, and the plain evaluation stays as it was.
    assert {key: told.metrics[key] for key in plain.metrics if key != "notes"} == {
        key: value for key, value in plain.metrics.items() if key != "notes"
    }
    assert "approximate" not in plain.metrics["notes"]
    other = with_approximation(plain, DECLARED, table, shares=False)
    assert not own(other)
    assert other.metrics["notes"]["approximate"] == note


def test_gold_that_no_list_shows_is_missed_and_no_number(world):
    """Rows shorter than the pool: what was not found lies beyond every depth."""
    benchmark, _, levels = world
    short = levels[0].ranking
    assert (short.documents < 0).any()
    metrics = evaluate_ranking(benchmark, short, OPTIONS).metrics
    assert metrics["rrc_at_1000"] < 1
    assert metrics["floor"] == pytest.approx(1 - metrics["rrc_at_1000"])
    assert metrics["k80/star"] is None
    assert metrics["notes"]["k80/star"] == f"censored: >{DEPTH}"
    assert "what was not returned counts as a miss" in metrics["notes"]["short_rankings"]


def test_a_loss_never_rounds_to_nothing():
    assert found_percent(1.0) == "100.0%"
    assert found_percent(0.9999) == "99.9%"
    assert found_percent(0.975) == "97.5%"
    assert found_percent(0.0) == "0.0%"


def test_all_lists_lose_nothing(world):
    benchmark, exact, _ = world
    whole = Level(8, exact, np.full(len(benchmark.queries), len(benchmark.documents)))
    table: pa.Table = approximation(benchmark, exact, [whole])
    for name in ("documents_compared", *FOUND):
        assert set(table.column(name).to_pylist()) == {1.0}
