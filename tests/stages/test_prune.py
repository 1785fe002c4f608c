import shutil
import time

import pytest
from release_project import plant, release_of, write_models, write_world

from isogloss.errors import StoreError
from isogloss.project import find_project
from isogloss.retrieval.store import VectorStore
from isogloss.retrieval.tables import table_name
from isogloss.stages import prune
from versions.pinned_project import git


@pytest.fixture
def root(tmp_path):
    """Three stored versions: of a tag, of nothing any more, and of the workspace."""
    write_models(tmp_path)
    (tmp_path / ".gitignore").write_text("/lancedb/\n", "utf-8")
    git(tmp_path, "init", "-q")
    versions = []
    for seed, tag in ((5, "v1"), (6, None), (7, None)):
        benchmark = write_world(tmp_path, seed)
        plant(tmp_path, benchmark, release_of(tmp_path, "stub"))
        versions.append(benchmark.version)
        if tag:
            git(tmp_path, "add", "-A")
            git(tmp_path, "commit", "-q", "-m", tag)
            git(tmp_path, "tag", tag)
    return tmp_path, versions


def tags(root, side="document"):
    store = VectorStore(str(root / "lancedb"))
    return set(store.tags(table_name("world", release_of(root, "stub"), side)))


def test_only_what_nothing_names_is_dropped_and_only_when_told(root, capsys):
    folder, (tagged, forgotten, current) = root
    prune.run(find_project(folder))
    assert f"would drop {forgotten}" in capsys.readouterr().out
    assert tags(folder) == {tagged, forgotten, current}
    prune.run(find_project(folder), yes=True)
    printed = capsys.readouterr()
    assert printed.out.count("dropped") == 2
    assert "MB are free again" in printed.err
    assert tags(folder) == tags(folder, "query") == {tagged, current}
    store = VectorStore(str(folder / "lancedb"))
    name = table_name("world", release_of(folder, "stub"), "document")
    assert store.read(name, tagged).ids
    with pytest.raises(StoreError):
        store.read(name, forgotten)
    prune.run(find_project(folder), yes=True)
    assert "nothing to drop" in capsys.readouterr().out


def test_what_an_earlier_prune_left_on_the_disk_is_told_and_freed(root, capsys):
    folder, (tagged, forgotten, current) = root
    project = find_project(folder)
    store = VectorStore(project.store_uri)
    name = table_name("world", release_of(folder, "stub"), "document")
    # As where a prune was killed after it had dropped the newest, or freed nothing.
    for tag in (current, forgotten):
        store._open(name).tags.delete(tag)
    before = size(folder / "lancedb")
    prune.run(project)
    told = capsys.readouterr().err
    assert f"table {name}: holds rows of a version that was dropped" in told
    assert "prune --yes" in told
    assert size(folder / "lancedb") == before
    time.sleep(1.2)  # Lance tells ages by the second.
    prune.run(project, yes=True)
    assert "MB are free again" in capsys.readouterr().err
    assert size(folder / "lancedb") < before
    assert store.read(name, tagged).ids
    after = sorted((folder / "lancedb").rglob("*"))
    prune.run(project, yes=True)
    printed = capsys.readouterr()
    assert "nothing to drop" in printed.out
    assert "MB" not in printed.err
    assert sorted((folder / "lancedb").rglob("*")) == after


def size(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_a_version_that_cannot_be_told_protects_its_benchmark(root, capsys):
    folder, versions = root
    (folder / "benchmark/world/qrels/test.tsv").write_text("nonsense\n", "utf-8")
    prune.run(find_project(folder), yes=True)
    told = capsys.readouterr().err
    assert "cannot be told; left alone" in told
    assert "delete" not in told
    assert tags(folder) == set(versions)


def test_vectors_of_a_benchmark_that_is_gone_stay_and_where_they_lie_is_told(root, capsys):
    folder, versions = root
    git(folder, "tag", "-d", *git(folder, "tag").split())
    git(folder, "rm", "-rq", "--cached", "benchmark")
    git(folder, "commit", "-qm", "gone")
    shutil.rmtree(folder / "benchmark")
    for manifest in folder.glob("embeddings/*/*.json"):
        manifest.unlink()
    prune.run(find_project(folder), yes=True)
    table = table_name("world", release_of(folder, "stub"), "document")
    told = capsys.readouterr().err
    assert f"if nobody needs it, delete {folder / 'lancedb' / table}.lance" in told
    assert (folder / "lancedb" / f"{table}.lance").is_dir()
    assert tags(folder) == set(versions)


def test_a_broken_manifest_protects_its_benchmark(root, capsys):
    folder, versions = root
    (folder / "embeddings/world").mkdir(parents=True)
    (folder / "embeddings/world/stub.json").write_text("{", "utf-8")
    prune.run(find_project(folder), yes=True)
    assert "left alone" in capsys.readouterr().err
    assert tags(folder) == set(versions)


def test_without_a_store_none_is_made(tmp_path, capsys):
    write_models(tmp_path)
    prune.run(find_project(tmp_path), yes=True)
    assert "nothing to prune" in capsys.readouterr().err
    assert not (tmp_path / "lancedb").exists()
