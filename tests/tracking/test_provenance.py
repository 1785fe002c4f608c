"""Where a run came from, read from a real git repository and a real dvc.lock."""

import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest

from isogloss.tracking.provenance import dvc_tags, git_tags, library_versions
from isogloss.versions.content import folder_hash

LOCK = """schema: '2.0'
stages:
  dataset@tico19-cloze:
    cmd: isogloss queries tico19-cloze
    outs:
    - path: benchmark/tico19-cloze
      hash: md5
      md5: {md5}.dir
      size: 10
"""


FOLDER = "benchmark/tico19-cloze"


def write_lock(root: Path, md5: str | None) -> None:
    assert md5 is not None
    (root / "dvc.lock").write_text(LOCK.format(md5=md5.removesuffix(".dir")), encoding="utf-8")


def git(root: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    done = subprocess.run(
        ["git", "-C", str(root), *identity, *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / FOLDER / "qrels").mkdir(parents=True)
    (tmp_path / FOLDER / "corpus.jsonl").write_text("one\n", encoding="utf-8")
    (tmp_path / FOLDER / "qrels/test.tsv").write_text("two\n", encoding="utf-8")
    (tmp_path / ".gitignore").write_text("/benchmark/\n", encoding="utf-8")
    write_lock(tmp_path, folder_hash(tmp_path / FOLDER))
    (tmp_path / "params.yaml").write_text("run: {}\n", encoding="utf-8")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    return tmp_path


def test_a_clean_commit_is_named(repository: Path) -> None:
    assert git_tags(repository) == {
        "git.commit": git(repository, "rev-parse", "HEAD"),
        "dirty": "false",
    }


def test_a_changed_file_is_dirty_the_lock_that_the_pipeline_writes_is_not(repository: Path) -> None:
    (repository / "dvc.lock").write_text(LOCK.format(md5="2" * 32), encoding="utf-8")
    assert git_tags(repository)["dirty"] == "false"
    (repository / "params.yaml").write_text("run: {models: []}\n", encoding="utf-8")
    assert git_tags(repository)["dirty"] == "true"


def test_outside_git_nothing_is_claimed(tmp_path: Path) -> None:
    assert git_tags(tmp_path) == {"dirty": "unknown"}
    assert dvc_tags(tmp_path, "benchmark/tico19-cloze") == {}


def test_a_dataset_is_named_by_hash_and_revision(repository: Path) -> None:
    commit = git(repository, "rev-parse", "HEAD")
    md5 = folder_hash(repository / FOLDER)
    assert dvc_tags(repository, FOLDER) == {"dvc.md5": md5, "dvc.rev": commit}
    git(repository, "tag", "data-v1")
    assert dvc_tags(repository, FOLDER) == {"dvc.md5": md5, "dvc.rev": "data-v1"}
    assert dvc_tags(repository, "benchmark/other") == {}


def test_a_dataset_that_no_commit_holds_has_no_revision(repository: Path) -> None:
    (repository / FOLDER / "corpus.jsonl").write_text("other\n", encoding="utf-8")
    md5 = folder_hash(repository / FOLDER)
    write_lock(repository, md5)
    assert dvc_tags(repository, FOLDER) == {"dvc.md5": md5}


@pytest.mark.parametrize("change", ["edited", "added", "removed", "renamed", "gone"])
def test_a_folder_that_the_lock_does_not_record_is_never_claimed(
    repository: Path, change: str, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = repository / FOLDER / "corpus.jsonl"
    match change:
        case "edited":
            corpus.write_text("two\n", encoding="utf-8")
        case "added":
            (corpus.parent / "card.md").write_text("new\n", encoding="utf-8")
        case "removed":
            corpus.unlink()
        case "renamed":
            corpus.rename(corpus.with_name("corpus.json"))
        case "gone":
            (repository / "benchmark").rename(repository / "elsewhere")
    assert dvc_tags(repository, FOLDER) == {}
    said = capsys.readouterr().err
    assert said.startswith(f"{FOLDER} is not what dvc.lock records")
    assert said.count("\n") == 1


PIPELINE = """stages:
  dataset:
    cmd: mkdir -p benchmark/tico19-cloze/qrels && cp dvc.yaml benchmark/tico19-cloze/qrels/ä.tsv
    outs: [benchmark/tico19-cloze]
  evaluate:
    cmd: {python} look.py
    deps: [benchmark/tico19-cloze, look.py]
    outs: [seen.txt]
"""
LOOK = """from pathlib import Path
from isogloss.tracking.provenance import dvc_tags
Path("seen.txt").write_text(dvc_tags(Path(), "benchmark/tico19-cloze").get("dvc.md5", "none"))
"""


@pytest.mark.slow
def test_a_stage_of_a_running_pipeline_sees_what_dvc_has_just_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dvc.cli import main

    monkeypatch.setenv("DVC_SITE_CACHE_DIR", str(tmp_path / "site"))
    monkeypatch.setenv("DVC_NO_ANALYTICS", "1")
    root = tmp_path / "project"
    root.mkdir()
    (root / "dvc.yaml").write_text(PIPELINE.format(python=sys.executable), encoding="utf-8")
    (root / "look.py").write_text(LOOK, encoding="utf-8")
    git(root, "init", "-q")
    with chdir(root):
        assert main(["init", "--quiet"]) == 0
        assert main(["repro", "--quiet"]) == 0
    seen = (root / "seen.txt").read_text(encoding="utf-8")
    assert seen.endswith(".dir")
    assert f"md5: {seen}" in (root / "dvc.lock").read_text(encoding="utf-8")


def test_library_versions_are_tags() -> None:
    tags = library_versions()
    assert {"version.python", "version.isogloss", "version.mlflow", "version.numpy"} <= set(tags)
    assert all(tags.values())
