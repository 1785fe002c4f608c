"""The leaderboard verb prints what compare wrote, and says where to look."""

import json
from pathlib import Path

import pytest

from isogloss.errors import DataError
from isogloss.project import Project
from isogloss.settings import Settings
from isogloss.stages import leaderboard
from isogloss.stages.identity import Identity, write_identity


def test_it_prints_the_last_comparison(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = Project(tmp_path, Settings.model_validate({"run": {}}))
    with pytest.raises(DataError, match="isogloss compare"):
        leaderboard.run(project)
    project.comparison.mkdir(parents=True)
    (project.comparison / "leaderboard.txt").write_text("tico19-cloze: 再\n", encoding="utf-8")
    leaderboard.run(project)
    output = capsys.readouterr().out
    assert output.startswith("tico19-cloze: 再\n")
    assert str(project.comparison) in output
    assert "isogloss ui" in output


def test_what_was_evaluated_on_other_data_since_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = Project(tmp_path, Settings.model_validate({"run": {}}))
    project.comparison.mkdir(parents=True)
    compared = {
        "leaderboard.txt": "old and same\n",
        "comparison.json": json.dumps(
            {"benchmarks": {name: {"dataset_version": "v1"} for name in ("old", "same", "gone")}}
        ),
        "metrics.json": json.dumps({name: {"m": {}} for name in ("old", "same", "gone")}),
    }
    for name, text in compared.items():
        (project.comparison / name).write_text(text, encoding="utf-8")
    # A model that was not compared may be of any version.
    for benchmark, model, version in (("old", "m", "v2"), ("same", "m", "v1"), ("same", "n", "v0")):
        identity = Identity(benchmark, model, version, "r", "1", {}, "f", [], {})
        write_identity(project.results(benchmark, model), identity)
    leaderboard.run(project)
    said = capsys.readouterr()
    assert said.out.startswith("old and same\n")
    assert said.err.splitlines() == [
        "old: the leaderboard is of dataset version v1, but m was evaluated on v2 since; "
        "run `isogloss compare` or `make run`"
    ]
