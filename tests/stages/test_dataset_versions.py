import csv
import json

import numpy as np
import pytest
from release_project import plant, release_of, write_models

from isogloss.benchmark import read_benchmark, write_benchmark
from isogloss.cli.main import main
from isogloss.errors import UsageError, VersionMismatchError
from isogloss.project import find_project
from isogloss.retrieval.evaluation import evaluate_ranking
from isogloss.retrieval.store import VectorStore
from isogloss.retrieval.stored_release import read_release
from isogloss.stages import dataset_versions as stage
from versions.pinned_project import git
from worlds import random_benchmark


def write_part(root, families, queries):
    """Some families and queries of one world as benchmark/world."""
    made = random_benchmark(5, 120, 200)
    documents = [one for one in made.documents if int(one.metadata.family[1:]) in families]
    kept = {one.id for one in documents}
    asked = [one for one in made.queries if int(one.metadata.family[1:]) in families]
    asked = [one for at, one in enumerate(asked) if at % 10 in queries]
    ids = {one.id for one in asked}
    qrels = [
        (made.queries[q].id, made.documents[d].id, int(value))
        for q, d, value in zip(
            made.judged_queries, made.judged_documents, made.judged_values, strict=True
        )
        if made.queries[q].id in ids and made.documents[d].id in kept
    ]
    write_benchmark(root / "benchmark/world", documents, asked, qrels)
    return read_benchmark(root / "benchmark/world", "world")


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Tag v1 holds 80 families, tag v2 holds 90 of which 10 left and 20 are new; v3 is later."""
    folder = tmp_path_factory.mktemp("versions")
    write_models(folder)
    (folder / ".gitignore").write_text("/lancedb/\n/results/\n", "utf-8")
    git(folder, "init", "-q")
    parts = {"v1": (range(80), range(10)), "v2": (range(10, 100), range(9))}
    for tag, (families, queries) in parts.items():
        benchmark = write_part(folder, families, queries)
        plant(folder, benchmark, release_of(folder, "stub"))
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", tag)
        git(folder, "tag", tag)
    write_part(folder, range(5, 60), range(10))
    return folder


@pytest.fixture(scope="module")
def content(root):
    stage.run(find_project(root), "world", "v1", "v2", "stub")
    (path,) = (root / "results/dataset-versions/world").rglob("changes.json")
    return json.loads(path.read_text("utf-8"))


def at(root, tag):
    git(root, "checkout", "-q", "-f", tag, "--", "benchmark")
    found = read_benchmark(root / "benchmark/world", "world")
    git(root, "checkout", "-q", "-f", "v2", "--", "benchmark")
    return found


def test_what_changed(content):
    families = content["families"]
    assert (len(families["appeared"]), len(families["left"]), families["changed"]) == (20, 10, [])
    assert families["unchanged"] == 70
    queries = content["queries"]
    assert queries["appeared"]
    assert queries["left"]
    assert queries["changed"] == queries["gold_changed"] == []


def test_old_and_new_figures_are_those_of_evaluate(root, content):
    store = VectorStore(str(root / "lancedb"))
    options = find_project(root).settings.evaluation
    benchmarks = {"before": at(root, "v1"), "after": at(root, "v2")}
    figures = {}
    for when, benchmark in benchmarks.items():
        assert content[when] == benchmark.version
        ranking = read_release(store, benchmark, content["release"]).ranking
        figures[when] = evaluate_ranking(benchmark, ranking, options, intervals=False).metrics
    for key, one in content["figures"].items():
        for when in benchmarks:
            assert one[when] == figures[when][key], key
        if isinstance(one["before"], int | float) and one["change"] is not None:
            assert one["change"] == pytest.approx(one["after"] - one["before"])
            assert one["pool"] + one["queries"] == pytest.approx(one["change"])
    n = content["figures"]["n_queries"]
    assert n["pool"] == 0
    assert n["queries"] == n["change"] != 0


def test_the_part_of_the_pool_by_hand(root, content):
    store = VectorStore(str(root / "lancedb"))
    recalls = {}
    for when, tag in (("before", "v1"), ("after", "v2")):
        benchmark = at(root, tag)
        ranking = read_release(store, benchmark, content["release"]).ranking
        gold = {}
        judged = (benchmark.judged_queries, benchmark.judged_documents, benchmark.judged_values)
        for q, d, value in zip(*judged, strict=True):
            if value > 0:
                gold.setdefault(int(q), set()).add(int(d))
        recalls[when] = {
            benchmark.queries[q].id: len(set(ranking.documents[q, :10].tolist()) & found)
            / len(found)
            for q, found in gold.items()
        }
    shared = recalls["before"].keys() & recalls["after"].keys()
    one = content["same_queries"]["recall_at_10/all"]
    assert one["n"] == len(shared)
    for when in ("before", "after"):
        assert one[when] == pytest.approx(np.mean([recalls[when][key] for key in shared]))


def test_tables(root, content):
    (folder,) = {path.parent for path in (root / "results").rglob("metrics.csv")}
    assert folder.name == release_of(root, "stub")
    with (folder / "families.csv").open(encoding="utf-8") as lines:
        kinds = [row["kind"] for row in csv.DictReader(lines)]
    assert (kinds.count("appeared"), kinds.count("left")) == (20, 10)
    with (folder / "metrics.csv").open(encoding="utf-8") as lines:
        rows = {row["figure"]: row for row in csv.DictReader(lines)}
    assert float(rows["recall_at_10/cross"]["before"]) == pytest.approx(
        content["figures"]["recall_at_10/cross"]["before"]
    )


def test_versions_go_by_revision_workspace_and_digest(root, content):
    project = find_project(root)
    assert stage.named_version(project, "world", "v1").benchmark.version == content["before"]
    digest = content["after"][:10]
    assert stage.named_version(project, "world", digest).benchmark.version == content["after"]
    workspace = read_benchmark(root / "benchmark/world", "world")
    assert stage.named_version(project, "world", "workspace").benchmark.version == workspace.version
    for name in ("v9", "abcdef", "", "--all"):
        with pytest.raises(UsageError, match="isogloss versions world"):
            stage.named_version(project, "world", name)


def test_a_version_without_vectors_is_named(root):
    other = write_part(root, range(5, 60), range(10)).version
    with pytest.raises(VersionMismatchError, match=other):
        stage.run(find_project(root), "world", "v1", "workspace", "stub")


def test_the_command_line(root, monkeypatch, capsys):
    monkeypatch.chdir(root)
    with pytest.raises(SystemExit) as done:
        main(["dataset-versions", "world", "v1", "v2"])
    assert not done.value.code
    printed = capsys.readouterr().out
    assert "families appeared: 20 (f80, f81, f82, f83, f84 and 15 more)" in printed
    with pytest.raises(SystemExit) as done:
        main(["dataset-versions", "world", "v1", "v2", "--model", "stub"])
    assert "over the" in capsys.readouterr().out
