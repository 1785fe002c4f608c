import shutil
from pathlib import Path

import pytest

import isogloss
from isogloss.benchmark import dataset_version, read_benchmark
from isogloss.errors import BenchmarkError, PullError, UsageError
from isogloss.stages import pull
from isogloss.versions.fetch import Source, fetch, load
from versions import pinned_project
from versions.pinned_project import (
    FIRST,
    SECOND,
    add_remote,
    git,
    make_project,
    pin,
    write_families,
)


def contents(benchmark):
    return {document.id: document.text for document in benchmark.documents}


def expected(families):
    return {
        f"{family}-{language}": text
        for family, versions in families.items()
        for language, text in versions.items()
    }


@pytest.mark.parametrize("place", ["project", "bare.git"])
@pytest.mark.parametrize(("rev", "families"), [("v1", FIRST), ("v2", SECOND), (None, SECOND)])
def test_each_revision_gives_its_own_version(pinned, tmp_path, place, rev, families):
    out = tmp_path / "got"
    found = fetch(Source("alpha", str(pinned / place), rev), out)
    assert contents(found) == expected(families)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["got"]
    assert sorted(p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file()) == [
        *("corpus.jsonl", "qrels/test.tsv", "queries.jsonl", "stats.json")
    ]
    assert found.version == dataset_version(out)


def test_a_commit_and_a_branch_are_revisions(pinned):
    commit = git(pinned / "project", "rev-parse", "v1").strip()
    bare = str(pinned / "bare.git")
    assert contents(load(Source("alpha", bare, commit))) == expected(FIRST)
    assert contents(load(Source("alpha", bare, "main"))) == expected(SECOND)
    assert contents(load(Source("alpha", f"file://{bare}", "v1"))) == expected(FIRST)


def test_load_benchmark_in_python(pinned, monkeypatch):
    monkeypatch.chdir(pinned / "project/benchmark")
    assert contents(isogloss.load_benchmark("alpha")) == expected(SECOND)
    assert contents(isogloss.load_benchmark("alpha", rev="v1")) == expected(FIRST)
    bare = str(pinned / "bare.git")
    assert contents(isogloss.load_benchmark("alpha", repo=bare)) == expected(SECOND)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (("alpha", "bare.git", "v9"), ("v9", "bare.git", "no such revision")),
        (("alpha", "project", "v9"), ("v9", "project", "no such revision")),
        (("beta", "bare.git", "v1"), ("v1", "no benchmark 'beta'", "it has alpha")),
        (("alphe", "bare.git", "v1"), ("no benchmark 'alphe'", "did you mean alpha?")),
        (("alpha", "nowhere", "v1"), ("nowhere", "no git repository")),
    ],
)
def test_what_is_missing_is_one_line(pinned, tmp_path, source, words):
    benchmark, place, rev = source
    with pytest.raises(PullError) as raised:
        fetch(Source(benchmark, str(pinned / place), rev), tmp_path / "got")
    message = str(raised.value)
    assert "\n" not in message
    for word in words:
        assert word in message
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("benchmark", "repo", "rev"),
    [
        ("../alpha", ".", "v1"),
        ("Alpha", ".", "v1"),
        ("alpha", ".", "--upload-pack=x"),
        ("alpha", "--upload-pack=x", "v1"),
        ("alpha", "ext::sh -c x", "v1"),
        ("alpha", "", "v1"),
    ],
)
def test_names_that_are_none(tmp_path, benchmark, repo, rev):
    with pytest.raises(UsageError):
        fetch(Source(benchmark, repo, rev), tmp_path / "got")
    assert not list(tmp_path.iterdir())


def test_passwords_in_addresses_are_not_printed(tmp_path):
    address = "http://user:secret@127.0.0.1:1/x.git"
    with pytest.raises(PullError) as raised:
        fetch(Source("alpha", address, "v1"), tmp_path / "got")
    assert "secret" not in str(raised.value)


@pytest.fixture
def copy(pinned, tmp_path):
    """A project with a remote of its own, to be damaged."""
    shutil.copytree(pinned, tmp_path / "own")
    config = tmp_path / "own/project/.dvc/config"
    config.write_text(config.read_text("utf-8").replace(str(pinned), str(tmp_path / "own")))
    return tmp_path / "own"


def test_a_lost_or_damaged_object_leaves_nothing(copy, tmp_path, monkeypatch):
    objects = [path for path in (copy / "remote/files/md5").rglob("*") if path.is_file()]
    corpus = next(path for path in objects if b"english 1, corrected" in path.read_bytes())
    content = corpus.read_bytes()
    shutil.rmtree(copy / "project/.dvc/cache")
    source = Source("alpha", str(copy / "project"), "v2")
    corpus.chmod(0o644)
    corpus.write_bytes(content[:40])
    with pytest.raises(PullError, match=r"corpus\.jsonl in .*remote is damaged"):
        fetch(source, tmp_path / "got")
    corpus.unlink()
    with pytest.raises(PullError, match=r"corpus\.jsonl is pinned, but .*remote lacks .*dvc push"):
        fetch(source, tmp_path / "got")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["own"]
    corpus.write_bytes(content)
    assert contents(fetch(source, tmp_path / "got")) == expected(SECOND)
    shutil.rmtree(copy / "remote")
    monkeypatch.setenv("DVC_SITE_CACHE_DIR", str(tmp_path / "own/site2"))
    with pytest.raises(PullError, match=r"alpha is pinned, but .*remote lacks"):
        fetch(source, tmp_path / "other")


def test_a_remote_configured_after_the_tag(tmp_path, capsys):
    project, remote = tmp_path / "own/project", tmp_path / "own/remote"
    make_project(project, None)
    git(tmp_path, "clone", "-q", "--bare", str(project), "early.git")
    early = Source("alpha", str(tmp_path / "early.git"), "v1")
    with pytest.raises(PullError, match=r"no DVC remote is configured .*then make the tag"):
        load(early)
    add_remote(project, str(remote))
    git(project, "commit", "-q", "-am", "remote")
    # `dvc push --all-tags` reads each tag's own configuration, so it passes such a tag over.
    git(project, "checkout", "-q", "v1", "--", "dvc.lock")
    pinned_project.dvc(project, "push")
    git(project, "checkout", "-q", "main", "--", "dvc.lock")
    git(tmp_path, "clone", "-q", "--bare", str(project), "late.git")
    shutil.rmtree(project / ".dvc/cache")
    for place in (project, tmp_path / "late.git"):
        assert contents(load(Source("alpha", str(place), "v1"))) == expected(FIRST)
        printed = capsys.readouterr().err
        assert "configured after this revision" in printed
        assert str(remote) in printed


def test_a_remote_that_lies_in_the_repository(tmp_path):
    project = tmp_path / "project"
    make_project(project, "sample-store")
    assert "../sample-store" in (project / ".dvc/config").read_text("utf-8")
    git(project, "add", "-f", "sample-store")
    git(project, "commit", "-q", "-m", "store")
    git(project, "tag", "v3")
    git(tmp_path, "clone", "-q", "--bare", str(project), "bare.git")
    assert contents(load(Source("alpha", str(tmp_path / "bare.git"), "v3"))) == expected(SECOND)
    # v1 is pinned by the repository, but its store was not in it yet.
    with pytest.raises(PullError, match=r"but sample-store in .*bare\.git lacks its content"):
        load(Source("alpha", str(tmp_path / "bare.git"), "v1"))


def test_a_benchmark_that_git_itself_holds(tmp_path):
    write_families(tmp_path / "plain/benchmark/alpha", FIRST)
    git(tmp_path / "plain", "init", "-q")
    git(tmp_path / "plain", "add", "-A")
    git(tmp_path / "plain", "commit", "-q", "-m", "one")
    assert contents(load(Source("alpha", str(tmp_path / "plain"), "HEAD"))) == expected(FIRST)


def test_a_pinned_folder_that_is_no_benchmark(tmp_path):
    folder = tmp_path / "plain/benchmark/alpha"
    write_families(folder, FIRST)
    (folder / "qrels/test.tsv").write_text("nonsense\n", "utf-8")
    git(tmp_path / "plain", "init", "-q")
    git(tmp_path / "plain", "add", "-A")
    git(tmp_path / "plain", "commit", "-q", "-m", "one")
    with pytest.raises(BenchmarkError, match=r"alpha at HEAD of .*qrels/test\.tsv, line 1") as told:
        fetch(Source("alpha", str(tmp_path / "plain"), "HEAD"), tmp_path / "got")
    assert "isogloss-" not in str(told.value)
    assert not (tmp_path / "got").exists()


def test_the_verb_replaces_a_folder_only_when_told(pinned, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    source = Source("alpha", str(pinned / "bare.git"), "v1")
    pull.run(source)
    version = capsys.readouterr().out.strip()
    assert read_benchmark(tmp_path / "alpha-v1").version == version
    with pytest.raises(UsageError, match="--force"):
        pull.run(Source("alpha", source.repo, "v2"), Path("alpha-v1"))
    assert dataset_version(tmp_path / "alpha-v1") == version
    pull.run(Source("alpha", source.repo, "v2"), Path("alpha-v1"), force=True)
    assert contents(read_benchmark(tmp_path / "alpha-v1")) == expected(SECOND)
    assert [path.name for path in tmp_path.iterdir()] == ["alpha-v1"]


def test_a_folder_that_cannot_be_replaced_stays(pinned, tmp_path, monkeypatch):
    source = Source("alpha", str(pinned / "bare.git"), "v1")
    fetch(source, tmp_path / "got")
    whole = Path.rename

    def fails_on_arrival(path, target):
        if path.name == "new":
            raise OSError("no space left")
        return whole(path, target)

    monkeypatch.setattr(Path, "rename", fails_on_arrival)
    with pytest.raises(OSError, match="no space left"):
        fetch(Source("alpha", source.repo, "v2"), tmp_path / "got", force=True)
    assert contents(read_benchmark(tmp_path / "got")) == expected(FIRST)
    assert [path.name for path in tmp_path.iterdir()] == ["got"]


def test_a_project_below_the_root_of_its_repository(tmp_path):
    make_project(tmp_path / "mono/inner", str(tmp_path / "remote"))
    shutil.rmtree(tmp_path / "mono/inner/.git")
    shutil.rmtree(tmp_path / "mono/inner/.dvc")
    git(tmp_path / "mono", "init", "-q")
    pinned_project.dvc(tmp_path / "mono/inner", "init", "--subdir")
    add_remote(tmp_path / "mono/inner", str(tmp_path / "second"))
    pin(tmp_path / "mono/inner", "w1", push=True)
    found = load(Source("alpha", str(tmp_path / "mono/inner"), "w1"))
    assert contents(found) == expected(SECOND)
