"""The leaderboard verb prints what compare wrote, and says where to look."""

from pathlib import Path

import pytest

from isogloss.errors import DataError
from isogloss.project import Project
from isogloss.settings import Settings
from isogloss.stages import leaderboard


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
