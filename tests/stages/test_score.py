import csv
import json

import pytest

from isogloss.benchmark import read_benchmark, write_benchmark
from isogloss.errors import BenchmarkError, RunFileError, UsageError
from isogloss.files import read_parquet
from isogloss.retrieval.figures import all_figures
from isogloss.retrieval.query_table import QUERIES, read_query_table
from isogloss.retrieval.run_file import write_run
from isogloss.settings import EvaluationSettings
from isogloss.stages import score
from worlds import random_benchmark, random_ranking

OPTIONS = EvaluationSettings(resamples=200, depth_resamples=100, permutations=200)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A benchmark folder, a run file and the folder its score was written to."""
    root = tmp_path_factory.mktemp("score")
    made = random_benchmark(2, 400, 60)
    qrels = [
        (made.queries[q].id, made.documents[d].id, int(value))
        for q, d, value in zip(
            made.judged_queries, made.judged_documents, made.judged_values, strict=True
        )
    ]
    write_benchmark(root / "world", made.documents, made.queries, qrels)
    benchmark = read_benchmark(root / "world")
    write_run(root / "run.trec.gz", benchmark, random_ranking(benchmark, 2), "model")
    score.run(root / "run.trec.gz", root / "world", root / "out", OPTIONS)
    return root


def test_files_hold_what_they_promise(world):
    metrics = json.loads((world / "out/metrics.json").read_text("utf-8"))
    assert metrics["n_queries"] == 56
    assert len(metrics["ci/recall_at_10/same"]) == 2
    with (world / "out/routes.csv").open(encoding="utf-8") as lines:
        routes = list(csv.DictReader(lines))
    assert list(routes[0]) == ["query_language", "document_language", "n", "recall_at_10"]
    assert sum(int(row["n"]) for row in routes) > 0
    with (world / "out/slices.csv").open(encoding="utf-8") as lines:
        slices = list(csv.DictReader(lines))
    assert {row["slice"] for row in slices} == {
        *("query_language", "document_language", "setup", "mode", "office")
    }
    table = read_parquet(world / "out/queries.parquet", QUERIES)
    assert table.num_rows == 60


def test_figures_follow_from_the_per_query_table(world):
    metrics = json.loads((world / "out/metrics.json").read_text("utf-8"))
    scored, origin = read_query_table(world / "out/queries.parquet")
    again = all_figures(scored, OPTIONS.gate).values
    assert {key: metrics[key] for key in again} == again
    assert origin.dataset_version == read_benchmark(world / "world").version
    assert origin.documents == len(read_benchmark(world / "world").documents)


def test_scoring_again_gives_the_same_bytes(world, tmp_path):
    score.run(world / "run.trec.gz", world / "world", tmp_path, OPTIONS)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [
        *("language_preference.csv", "metrics.json", "queries.parquet"),
        *("routes.csv", "slices.csv"),
    ]
    for name in names:
        assert (tmp_path / name).read_bytes() == (world / "out" / name).read_bytes()


def test_the_headline_is_printed(world, tmp_path, capsys):
    score.run(world / "run.trec.gz", world / "world", tmp_path, OPTIONS)
    printed = capsys.readouterr().out
    metrics = json.loads((tmp_path / "metrics.json").read_text("utf-8"))
    assert f"{metrics['recall_at_10/cross']:.3f}" in printed
    assert "recall@10 by query language" in printed
    assert "queries_without_gold: 4 left out" in printed


def test_faults_leave_nothing_behind(world, tmp_path):
    broken = tmp_path / "run.trec"
    broken.write_text("q00001 Q0 nowhere 1 0.5 t\n", "utf-8")
    with pytest.raises(RunFileError, match="line 1: no document nowhere"):
        score.run(broken, world / "world", tmp_path / "out", OPTIONS)
    with pytest.raises(BenchmarkError, match=r"corpus\.jsonl is missing"):
        score.run(broken, tmp_path, tmp_path / "out", OPTIONS)
    with pytest.raises(UsageError, match="nofile: no such run file"):
        score.run(tmp_path / "nofile", world / "world", tmp_path / "out", OPTIONS)
    with pytest.raises(UsageError, match="nowhere: no such benchmark folder"):
        score.run(broken, tmp_path / "nowhere", tmp_path / "out", OPTIONS)
    assert not (tmp_path / "out").exists()


def test_documents_of_equal_score_are_told_with_how_they_stand(world, tmp_path, capsys):
    benchmark = read_benchmark(world / "world")
    first, second = (query.id for query in benchmark.queries[:2])
    low, high = sorted(document.id for document in benchmark.documents)[:2]
    lines = [f"{first} Q0 {high} 1 2.5 m", f"{first} Q0 {low} 2 2.50 m"]
    lines += [f"{second} Q0 {high} 1 3 m", f"{second} Q0 {low} 2 2 m"]
    (tmp_path / "tied.trec").write_text("\n".join(lines) + "\n", "utf-8")
    score.run(tmp_path / "tied.trec", world / "world", tmp_path / "out", OPTIONS)
    told = "equal score stand in the order of their ids, whatever the file's; 1 of 60 queries have"
    assert told in capsys.readouterr().err
    (tmp_path / "apart.trec").write_text("\n".join(lines[2:]) + "\n", "utf-8")
    score.run(tmp_path / "apart.trec", world / "world", tmp_path / "other", OPTIONS)
    assert "equal score" not in capsys.readouterr().err


def test_a_model_s_evaluation_is_not_replaced_in_part(world, tmp_path):
    (tmp_path / "identity.json").write_text("{}", "utf-8")
    with pytest.raises(UsageError, match=r"holds the evaluation of a model.*another folder"):
        score.run(world / "run.trec.gz", world / "world", tmp_path, OPTIONS)
    assert [path.name for path in tmp_path.iterdir()] == ["identity.json"]
