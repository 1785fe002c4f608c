"""Re-ranking: the top is ordered anew, the rest stays, and nobody gets past the ceiling."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isogloss.retrieval.figures import all_figures, scores
from isogloss.retrieval.gold import pair_table
from isogloss.retrieval.ranking import Ranking
from isogloss.retrieval.reranking import FIGURES, best_possible, reached, rerank
from isogloss.retrieval.run_file import read_run, write_run
from worlds import random_benchmark, random_ranking


def test_the_top_is_ordered_by_the_new_scores_and_the_rest_keeps_its_order():
    first = Ranking(
        np.array([[4, 1, 3, 0, 2], [2, 0, -1, -1, -1]], dtype=np.int32),
        np.array([[9.0, 8, 7, 6, 5], [3, 2, -np.inf, -np.inf, -np.inf]]),
    )
    scored = np.array([[0.5, 0.5, -2.0], [0.0, 1.0, -np.inf]])
    again = rerank(first, scored, 3)
    assert again.documents.tolist() == [[1, 4, 3, 0, 2], [0, 2, -1, -1, -1]]
    assert again.scores[0, :3].tolist() == [0.5, 0.5, -2.0]
    assert (np.diff(again.scores[0, 2:]) < -1e-9).all()
    assert again.scores[1].tolist() == [1.0, 0.0, -np.inf, -np.inf, -np.inf]


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 200), st.integers(0, 2))
def test_against_loops_and_under_the_ceiling(seed, top, grain):
    benchmark = random_benchmark(seed, n_families=15, n_queries=12)
    first = random_ranking(benchmark, seed)
    rng = np.random.default_rng(seed)
    scored = np.round(rng.normal(size=first.documents[:, :top].shape), grain)
    again = rerank(first, scored, top)
    for row in range(len(first.documents)):
        listed = [d for d in first.documents[row].tolist() if d >= 0]
        head = sorted(
            zip(scored[row].tolist(), listed[:top], strict=False),
            key=lambda pair: (-pair[0], pair[1]),
        )
        expected = [document for _, document in head] + listed[top:]
        assert [d for d in again.documents[row].tolist() if d >= 0] == expected
    best = best_possible(benchmark, first, top)
    for row in reached(benchmark, first, again, top, gate=0.1):
        if row.ceiling is None:
            assert row.reranked is None
            continue
        assert row.reranked <= row.ceiling + 1e-12
        assert row.first <= row.ceiling + 1e-12
        assert row.share is None or 0 <= row.share <= 1 + 1e-12
    if top in (50, 100):
        ceiling = all_figures(scores(pair_table(benchmark, best)), 0.1).values["rrc_at_10"]
        assert (
            ceiling
            == all_figures(scores(pair_table(benchmark, first)), 0.1).values[f"rrc_at_{top}"]
        )


@pytest.mark.parametrize("top", [10, 50, 100])
def test_the_ceiling_of_rrc_at_10_is_rrc_at_k_of_the_first_stage(top):
    benchmark = random_benchmark(3, n_families=60, n_queries=60)
    first = random_ranking(benchmark, 3, pull=0.3)
    rows = {row.figure: row for row in reached(benchmark, first, first, top, gate=0.1)}
    assert tuple(rows) == FIGURES
    known = all_figures(scores(pair_table(benchmark, first)), 0.1).values
    assert rows["rrc_at_10"].ceiling == known[f"rrc_at_{top}"]
    assert rows["rrc_at_10"].first == rows["rrc_at_10"].reranked == known["rrc_at_10"]
    assert rows["rrc_at_10"].headroom in (0.0, None)


@pytest.mark.parametrize("gate", [0.0, 0.2, 0.5, 1.1])
def test_gates_are_those_of_the_three_rankings(gate):
    benchmark = random_benchmark(3, n_families=60, n_queries=60)
    first = random_ranking(benchmark, 3, pull=0.3)
    again = rerank(first, np.random.default_rng(1).normal(size=(len(first.documents), 100)), 100)
    rankings = (first, again, best_possible(benchmark, first, 100))
    figures = [all_figures(scores(pair_table(benchmark, one)), gate).values for one in rankings]
    wanted = [one["gate"] for one in figures]
    for row in reached(benchmark, first, again, 100, gate=gate):
        assert [row.first_gate, row.reranked_gate, row.ceiling_gate] == wanted
    assert set(wanted) <= {"passed", "failed"}
    if gate in (0.0, 1.1):
        assert set(wanted) == {"failed" if gate else "passed"}


def test_a_run_file_keeps_the_order(tmp_path):
    benchmark = random_benchmark(5)
    first = random_ranking(benchmark, 5)
    rng = np.random.default_rng(5)
    again = rerank(first, rng.normal(size=first.documents[:, :7].shape) * 1e3, 7)
    write_run(tmp_path / "run.trec.gz", benchmark, again, "x")
    read = read_run(tmp_path / "run.trec.gz", benchmark)
    width = read.documents.shape[1]
    assert read.documents.tolist() == again.documents[:, :width].tolist()


def test_where_there_is_no_ceiling_there_is_no_share():
    benchmark = random_benchmark(7)
    nothing = Ranking(
        np.full((len(benchmark.queries), 3), -1, dtype=np.int32),
        np.full((len(benchmark.queries), 3), -np.inf),
    )
    for row in reached(benchmark, nothing, nothing, 3, gate=0.1):
        assert (row.first, row.reranked, row.ceiling) == (0.0, 0.0, 0.0)
        assert row.share is None
        assert row.headroom is None
