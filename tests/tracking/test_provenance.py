"""Where a run came from, read from a real git repository and a real dvc.lock."""

import subprocess
from pathlib import Path

import pytest

from isogloss.tracking.provenance import dvc_tags, git_tags, library_versions

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


def git(root: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    done = subprocess.run(
        ["git", "-C", str(root), *identity, *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "dvc.lock").write_text(LOCK.format(md5="1" * 32), encoding="utf-8")
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
    folder = "benchmark/tico19-cloze"
    commit = git(repository, "rev-parse", "HEAD")
    md5 = "1" * 32 + ".dir"
    assert dvc_tags(repository, folder) == {"dvc.md5": md5, "dvc.rev": commit}
    git(repository, "tag", "data-v1")
    assert dvc_tags(repository, folder) == {"dvc.md5": md5, "dvc.rev": "data-v1"}
    assert dvc_tags(repository, "benchmark/other") == {}


def test_a_dataset_that_no_commit_holds_has_no_revision(repository: Path) -> None:
    (repository / "dvc.lock").write_text(LOCK.format(md5="2" * 32), encoding="utf-8")
    tags = dvc_tags(repository, "benchmark/tico19-cloze")
    assert tags == {"dvc.md5": "2" * 32 + ".dir"}


def test_library_versions_are_tags() -> None:
    tags = library_versions()
    assert {"version.python", "version.isogloss", "version.mlflow", "version.numpy"} <= set(tags)
    assert all(tags.values())
