"""A real project in git and DVC with tagged dataset versions, for the tests of this room."""

import os
import subprocess
from contextlib import chdir
from pathlib import Path

from isogloss.benchmark import Document, DocumentMetadata, Query, QueryMetadata, write_benchmark
from isogloss.files import write_json

DVC_YAML = """stages:
  dataset:
    foreach: [alpha]
    do:
      cmd: "true"
      outs:
        - benchmark/${item}:
            persist: true
"""
PARAMS = "run:\n  benchmarks: [alpha]\n  models: [stub]\nlancedb:\n  uri: lancedb\n"


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder and give its output."""
    environment = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        **{f"GIT_{who}_NAME": "tester" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": "t@example.org" for who in ("AUTHOR", "COMMITTER")},
    }
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=environment, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def dvc(folder: Path, *arguments: str) -> None:
    """Run DVC in a folder, in this process: starting it costs seconds."""
    from dvc.cli import main

    with chdir(folder):
        assert main([*arguments, "--quiet"]) == 0, arguments


def write_families(folder: Path, families: dict[str, dict[str, str]], stats: bool = True) -> None:
    """Write a benchmark: families of documents by language, an English query for each."""
    documents = [
        Document(f"{family}-{language}", DocumentMetadata(language, family), text=text)
        for family, versions in families.items()
        for language, text in versions.items()
    ]
    queries = [
        Query(f"q-{family}", f"about {family}", QueryMetadata("en", family)) for family in families
    ]
    qrels = [
        (f"q-{family}", f"{family}-{language}", 1)
        for family, versions in families.items()
        for language in versions
    ]
    write_benchmark(folder, documents, queries, qrels)
    if stats:
        from isogloss.benchmark import read_benchmark
        from isogloss.versions.described import describe_benchmark

        found = describe_benchmark(read_benchmark(folder))
        languages = {
            code: {"documents": docs, "queries": asked, "gold": docs}
            for code, (docs, asked) in found.languages.items()
        }
        write_json(
            folder / "stats.json",
            {
                "dataset_version": found.version,
                "corpus_docs": found.documents,
                "queries": found.queries,
                "languages": languages,
            },
        )


FIRST = {f"F{n}": {"en": f"english {n}", "de": f"deutsch {n}"} for n in range(4)}
SECOND = {**{k: v for k, v in FIRST.items() if k != "F0"}, "F9": {"en": "new", "zh": "新"}}
SECOND["F1"] = {"en": "english 1, corrected", "de": "deutsch 1"}


def make_project(root: Path, remote: str | None, *, options: dict[str, str] | None = None) -> None:
    """A project with versions v1 and v2, its remote configured and pushed to before the tags."""
    root.mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    dvc(root, "init")
    (root / "dvc.yaml").write_text(DVC_YAML, "utf-8")
    (root / "params.yaml").write_text(PARAMS, "utf-8")
    (root / ".gitignore").write_text("/lancedb/\n/mlruns/\n/mlflow.db*\n/benchmark/\n", "utf-8")
    if remote is not None:
        add_remote(root, remote, options)
    for tag, families in (("v1", FIRST), ("v2", SECOND)):
        write_families(root / "benchmark/alpha", families)
        pin(root, tag, push=remote is not None)


def add_remote(root: Path, remote: str, options: dict[str, str] | None = None) -> None:
    dvc(root, "remote", "add", "-d", "store", remote)
    for key, value in (options or {}).items():
        dvc(root, "remote", "modify", "store", key, value)


def pin(root: Path, tag: str, *, push: bool) -> None:
    """Commit what DVC says of the outputs, and tag it."""
    dvc(root, "commit", "-f")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", tag)
    git(root, "tag", tag)
    if push:
        dvc(root, "push")
