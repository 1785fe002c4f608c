from dataclasses import replace

import numpy as np
import pytest

from isogloss.errors import VersionMismatchError
from isogloss.files import json_bytes
from isogloss.retrieval.evaluation import evaluate_ranking
from isogloss.retrieval.gold import pair_table
from isogloss.retrieval.paired_change import corrected, paired_change
from isogloss.retrieval.release_changes import blind, losses, route_recalls
from isogloss.retrieval.releases import compare_releases
from isogloss.retrieval.search import search
from isogloss.retrieval.store import Stored
from isogloss.retrieval.stored_release import StoredRelease
from isogloss.settings import EvaluationSettings, ReleaseSettings
from worlds import random_benchmark

OPTIONS = EvaluationSettings(resamples=400, depth_resamples=100, permutations=2000)
GATE = ReleaseSettings()
DIMENSION = 24


@pytest.fixture(scope="module")
def benchmark():
    return random_benchmark(5, 200, 260)


@pytest.fixture(scope="module")
def vectors(benchmark):
    """Documents and queries near the direction of their family, whatever their language."""
    rng = np.random.default_rng(0)
    families = sorted({document.metadata.family for document in benchmark.documents})
    centre = dict(zip(families, rng.normal(size=(len(families), DIMENSION)), strict=True))

    def near(items):
        made = np.array([centre[item.metadata.family] for item in items])
        made = made + 0.35 * rng.normal(size=made.shape)
        return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)

    return near(benchmark.documents), near(benchmark.queries)


def release(benchmark, documents, queries, name="a" * 16):
    def stored(items, matrix):
        return Stored([item.id for item in items], [""] * len(items), [None] * len(items), matrix)

    return StoredRelease(
        release=name,
        dataset_version=benchmark.version,
        documents=stored(benchmark.documents, documents),
        queries=stored(benchmark.queries, queries),
        ranking=search(queries, documents),
    )


def scrambled(benchmark, documents, language):
    """The documents of one language get one another's vectors."""
    rows = [at for at, one in enumerate(benchmark.documents) if one.metadata.language == language]
    moved = documents.copy()
    moved[rows] = documents[np.roll(rows, 7)]
    return moved


@pytest.fixture(scope="module")
def same(benchmark, vectors):
    first = release(benchmark, *vectors)
    return compare_releases(benchmark, first, release(benchmark, *vectors), OPTIONS, GATE)


@pytest.fixture(scope="module")
def bad(benchmark, vectors):
    documents, queries = vectors
    second = release(benchmark, scrambled(benchmark, documents, "zh"), queries, "b" * 16)
    return compare_releases(benchmark, release(benchmark, *vectors), second, OPTIONS, GATE)


def test_an_identical_release_is_no_difference(same):
    content = same.content
    assert content["no_difference"]
    assert content["equal_rankings"]
    assert content["gate"]["verdict"] == "passed"
    assert same.lost == []
    for change in [*same.headlines, *same.routes]:
        assert (change.delta, change.p, change.p_holm) == (0, 1, 1)
        assert change.interval.bounds is None
        assert "no spread" in change.interval.reason or "one cluster" in change.interval.reason
    assert {found["mean"] for found in content["neighbours"].values()} == {1}
    assert content["cosine"]["documents"]["mean"] == pytest.approx(1)


def test_a_scrambled_language_is_caught_by_its_routes_and_no_other(bad, benchmark):
    assert not bad.content["no_difference"]
    assert bad.content["gate"]["verdict"] == "failed"
    routes = [name for name in bad.lost if ">" in name]
    assert "zh>zh" in routes
    assert {name.split(">")[1] for name in routes} == {"zh"}
    assert len(routes) >= 4
    assert "recall_at_10/cross" in bad.lost
    assert "recall_at_10/all" in bad.lost
    means = bad.content["cosine"]["documents"]["languages"]
    assert means["zh"] < 0.5
    assert all(mean == pytest.approx(1) for code, mean in means.items() if code != "zh")
    assert bad.content["cosine"]["queries"]["mean"] == pytest.approx(1)


def test_a_gain_does_not_fail(benchmark, vectors):
    documents, queries = vectors
    worse = release(benchmark, scrambled(benchmark, documents, "zh"), queries, "b" * 16)
    found = compare_releases(benchmark, worse, release(benchmark, *vectors), OPTIONS, GATE)
    assert found.lost == []
    assert any(change.p_holm < 0.05 and change.delta > 0 for change in found.routes)


def test_headlines_are_those_of_evaluate(bad, benchmark, vectors):
    documents, queries = vectors
    rankings = {
        "before": search(queries, documents),
        "after": search(queries, scrambled(benchmark, documents, "zh")),
    }
    for when, ranking in rankings.items():
        evaluation = evaluate_ranking(benchmark, ranking, OPTIONS, intervals=False)
        for side in ("same", "cross"):
            key = f"recall_at_10/{side}"
            assert getattr(bad.headlines[("same", "cross").index(side)], when) == pytest.approx(
                evaluation.metrics[key], abs=1e-12
            )
        grid = {
            f"{row['query_language']}>{row['document_language']}": row["recall_at_10"]
            for row in evaluation.routes.to_pylist()
        }
        found = {change.name: getattr(change, when) for change in bad.routes}
        assert found == pytest.approx(grid, abs=1e-12)


def test_route_recalls_by_loops(benchmark, vectors):
    documents, queries = vectors
    table = pair_table(benchmark, search(queries, documents))
    expected = {}
    for query, language, rank in zip(
        table.query.tolist(), table.document_language.tolist(), table.rank.tolist(), strict=True
    ):
        expected.setdefault((query, language), []).append(rank <= 10)
    query, target, recalls = route_recalls(table)
    found = dict(zip(zip(query.tolist(), target.tolist(), strict=True), recalls, strict=True))
    assert found == pytest.approx({key: np.mean(hits) for key, hits in expected.items()})


def test_the_margin_lets_small_losses_through(bad):
    worst = min(change.delta for change in bad.headlines)
    assert losses(bad.headlines, ReleaseSettings(margin=-worst + 0.001)) == []
    assert losses(bad.headlines, ReleaseSettings(margin=-worst - 0.001)) != []
    assert losses(bad.routes, ReleaseSettings(margin=1)) == []
    assert losses(bad.routes, ReleaseSettings(alpha=1e-9)) == []


def change_of(differences, clusters, languages=None, balanced=False):
    after = np.asarray(differences, dtype=np.float64)
    languages = np.zeros(len(after), dtype=int) if languages is None else np.array(languages)
    return paired_change(
        "x", np.zeros(len(after)), after, languages, np.array(clusters), OPTIONS, balanced=balanced
    )


def test_clusters_are_flipped_whole():
    assert change_of([-1] * 8, [0] * 8).p == 1
    assert change_of([-1] * 8, range(8)).p == 2 / 2**8


def test_languages_weigh_alike_in_a_balanced_change():
    found = change_of([-1, -1, -1, -1, 0.5], range(5), [0, 0, 0, 0, 1], balanced=True)
    assert found.delta == pytest.approx(-0.25)
    # By hand: four flips of -1/8 and one of 1/4; |sum| >= 1/4.
    signs = (np.arange(32)[:, None] >> np.arange(5) & 1) * 2 - 1
    sums = np.abs(signs @ np.array([-1 / 8] * 4 + [1 / 4]))
    assert found.p == pytest.approx(np.mean(sums >= 0.25 - 1e-12))


def test_a_loss_must_outlast_the_correction():
    lone = change_of([-1] * 7, range(7))
    assert 0.01 < lone.p < 0.05
    assert losses(corrected([lone]), GATE)
    nothing = change_of([0] * 7, range(7))
    many = corrected([lone, *[nothing] * 9])
    assert [change.p_holm for change in many] == pytest.approx([10 * lone.p, *[1] * 9])
    assert losses(many, GATE) == []


def test_routes_that_cannot_fail_are_named():
    few = [change_of([-1] * 4, range(4))]
    many = [change_of([-1] * 9, range(9))]
    assert blind(few, GATE) == few
    assert blind(many, GATE) == []
    assert blind(many * 20, GATE) == many * 20
    assert losses(few, GATE) == []


def test_other_dimensions_have_no_cosine_but_everything_else(benchmark, vectors):
    documents, queries = vectors
    cut = [matrix[:, :20] / np.linalg.norm(matrix[:, :20], axis=1)[:, None] for matrix in vectors]
    found = compare_releases(
        benchmark,
        release(benchmark, documents, queries),
        release(benchmark, *(matrix.astype(np.float32) for matrix in cut), "c" * 16),
        OPTIONS,
        GATE,
    ).content
    assert found["cosine"] == {"documents": None, "queries": None}
    assert found["notes"]["cosine/documents"] == "dimensions differ: 24 and 20"
    assert 0 < found["neighbours"]["overlap_at_10"]["mean"] < 1


def test_mixed_dataset_versions_are_refused(benchmark, vectors):
    first = release(benchmark, *vectors)
    other = replace(first, dataset_version="9" * 32, release="d" * 16)
    with pytest.raises(VersionMismatchError, match=f"d{{16}} .*9{{32}}.*{benchmark.version}"):
        compare_releases(benchmark, first, other, OPTIONS, GATE)


def test_the_same_seed_gives_the_same_bytes(bad, benchmark, vectors):
    documents, queries = vectors
    second = release(benchmark, scrambled(benchmark, documents, "zh"), queries, "b" * 16)
    again = compare_releases(benchmark, release(benchmark, *vectors), second, OPTIONS, GATE)
    assert json_bytes(again.content) == json_bytes(bad.content)
