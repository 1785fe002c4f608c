import csv
import json
import shutil

import pytest
import release_project
from release_project import release_of

from isogloss.cli.main import main
from isogloss.errors import GateFailedError, StoreError, UsageError, VersionMismatchError
from isogloss.project import find_project
from isogloss.settings import ReleaseSettings
from isogloss.stages import releases
from isogloss.stages.release_names import named_release
from isogloss.tracking.store import open_store
from versions.pinned_project import git


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        folder = tmp_path_factory.mktemp("releases")
        release_project.make(folder)
        yield folder


def results(root, before, after):
    name = f"{release_of(root, before)}-{release_of(root, after)}"
    return root / "results/releases/world/stub" / name


def runs_of(root):
    store = open_store(find_project(root))
    experiment = store.client.get_experiment_by_name("releases/world")
    return store.client.search_runs([experiment.experiment_id])


def test_a_broken_release_fails_the_gate_by_name(root, capsys):
    with pytest.raises(GateFailedError) as failed:
        releases.run(find_project(root), "stub", "stub", "broken", "world", gate=True)
    assert "recall_at_10/cross" in str(failed.value)
    assert "zh>zh" in str(failed.value)
    printed = capsys.readouterr().out
    assert "gate: failed" in printed
    assert "LOST" in printed
    folder = results(root, "stub", "broken")
    content = json.loads((folder / "releases.json").read_text("utf-8"))
    assert content["gate"]["verdict"] == "failed"
    assert content["before"]["release"] == release_of(root, "stub")
    with (folder / "changes.csv").open(encoding="utf-8") as lines:
        rows = {row["name"]: row for row in csv.DictReader(lines)}
    lost = [name for name, row in rows.items() if row["lost"] == "1"]
    assert lost == content["gate"]["losses"]
    assert float(rows["zh>zh"]["delta"]) < -0.5
    with (folder / "queries.csv").open(encoding="utf-8") as lines:
        queries = list(csv.DictReader(lines))
    assert len(queries) == 200
    assert 0 < sum(float(row["overlap_at_10"]) for row in queries) / 200 < 1
    assert sorted(path.name for path in (folder / "figures").iterdir()) == [
        *("neighbours.png", "routes.png")
    ]
    (run,) = runs_of(root)
    assert run.data.metrics["gate_failed"] == 1
    assert run.data.metrics["change/zh-zh/delta"] < -0.5
    assert run.data.tags["release.after"] == release_of(root, "broken")
    assert run.inputs.dataset_inputs[0].dataset.digest == content["dataset_version"]


def test_running_again_is_the_same_run_and_the_same_bytes(root, capsys):
    project = find_project(root)
    releases.run(project, "stub", "stub", "broken", "world")
    folder = results(root, "stub", "broken")
    first = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    count = len(runs_of(root))
    releases.run(project, "stub", "stub", "broken", "world")
    assert "(unchanged)" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == first
    assert len(runs_of(root)) == count


def test_an_equal_release_passes_without_difference(root, capsys):
    releases.run(find_project(root), "stub", "stub", "equal", "world", gate=True)
    printed = capsys.readouterr().out
    assert "gate: passed (no difference: no gold moved into or out of a top 10)" in printed
    content = json.loads((results(root, "stub", "equal") / "releases.json").read_text("utf-8"))
    changes = [*content["headlines"].values(), *content["routes"].values()]
    assert {change["p"] for change in changes} == {1.0}
    assert {change["delta"] for change in changes} == {0.0}


def test_full_text_search_is_a_release_too(root, capsys):
    releases.run(find_project(root), "stub", "stub", "words", "world")
    printed = capsys.readouterr().out
    assert "cosine/documents: full-text search makes no vectors" in printed
    content = json.loads((results(root, "stub", "words") / "releases.json").read_text("utf-8"))
    # No query shares a word with any document here.
    assert content["headlines"]["recall_at_10/all"]["after"] == 0
    assert content["neighbours"]["overlap_at_10"]["mean"] == 0
    assert content["gate"]["verdict"] == "failed"


def test_the_margin_is_an_option(root):
    project = find_project(root)
    loose = ReleaseSettings(margin=1.0)
    releases.run(project, "stub", "stub", "broken", "world", gate=True, settings=loose)


def test_releases_go_by_key_by_hash_and_by_git_revision(root, tmp_path):
    copy = tmp_path / "project"
    shutil.copytree(root / "models", copy / "models")
    shutil.copy(root / "params.yaml", copy)
    git(copy, "init", "-q")
    git(copy, "add", "-A")
    git(copy, "commit", "-q", "-m", "one")
    git(copy, "tag", "v1")
    good, broken = release_of(copy, "stub"), release_of(copy, "broken")
    shutil.copy(copy / "models/broken.yaml", copy / "models/stub.yaml")
    project, stored = find_project(copy), [good, broken]
    assert named_release(project, "stub", "stub", stored).release == broken
    assert named_release(project, "stub", "v1", stored).release == good
    assert named_release(project, "stub", good[:6], stored).release == good
    assert named_release(project, "stub", good[:6], stored).label == good[:8]
    with pytest.raises(UsageError, match="begins several releases"):
        named_release(project, "stub", "abcd", ["abcd1", "abcd2"])
    with pytest.raises(UsageError, match=rf"no models/v9\.yaml.*{good[:8]}"):
        named_release(project, "stub", "v9", stored)
    with pytest.raises(UsageError):
        named_release(project, "stub", "--all", stored)


@pytest.mark.parametrize(
    ("after", "run"),
    [
        ("absent", "run isogloss embed world absent"),
        # No model of today makes what stood in the file then: none is named.
        ("v0", "run isogloss embed world with the model that declares it"),
    ],
)
def test_lost_vectors_name_the_model_that_makes_them_and_no_other(root, tmp_path, after, run):
    ignored = shutil.ignore_patterns("mlruns", "mlflow*", "results")
    place = shutil.copytree(root, tmp_path / "project", ignore=ignored)
    stub = place / "models/stub.yaml"
    now = stub.read_text("utf-8")
    stub.write_text(release_project.MODEL.format(n=7), "utf-8")
    for call in (("init", "-q"), ("add", "models"), ("commit", "-qm", "x"), ("tag", "v0")):
        git(place, *call)
    stub.write_text(now, "utf-8")
    with pytest.raises(StoreError, match=f"no vectors for world; {run}$"):
        releases.run(find_project(place), "stub", "stub", after, "world")


def test_damaged_vectors_name_the_model_too(root, tmp_path):
    ignored = shutil.ignore_patterns("mlruns", "mlflow*", "results")
    place = shutil.copytree(root, tmp_path / "project", ignore=ignored)
    release = release_of(place, "broken")
    (table,) = (place / "lancedb").glob(f"*{release}*document*.lance")
    for data in (table / "data").iterdir():
        data.write_bytes(b"x")
    with pytest.raises(StoreError, match=r"run isogloss embed world broken$"):
        releases.run(find_project(place), "stub", "stub", release, "world")


def test_other_dataset_versions_are_refused_and_named(root, tmp_path):
    ignored = shutil.ignore_patterns("mlruns", "mlflow*", "results")
    shutil.copytree(root, tmp_path / "moved", ignore=ignored)
    old = release_project.read_benchmark(root / "benchmark/world").version
    new = release_project.write_world(tmp_path / "moved", seed=6).version
    with pytest.raises(VersionMismatchError, match=f"{old} of world, not for {new}"):
        releases.run(find_project(tmp_path / "moved"), "stub", "stub", "broken", "world")
    assert not (tmp_path / "moved/results").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["stub", "stub", "broken", "--gate"], 1, "significant loss on recall_at_10/"),
        (["stub", "stub", "stub", "--gate"], 0, ""),
        (["stub", "stub", "broken"], 0, ""),
        (["stub", "stub", "broken", "--gate", "--margin", "1"], 0, ""),
        (["stub", "stub", "nothing"], 2, "nothing: no models/nothing.yaml"),
        (["../x", "stub", "stub"], 2, "'../x': a key holds only"),
        (["stub", "stub", "stub", "--alpha", "7"], 2, "alpha"),
    ],
)
def test_the_command_line(root, monkeypatch, capsys, arguments, code, words):
    monkeypatch.chdir(root)
    with pytest.raises(SystemExit) as done:
        main(["releases", *arguments, "--benchmark", "world"])
    assert (done.value.code or 0) == code
    said = capsys.readouterr().err.splitlines()
    assert not code or (said[-1].startswith("isogloss: ") and words in said[-1])
