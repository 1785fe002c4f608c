"""Paths of a project are asked for by keys, which cannot lead out of it."""

from pathlib import Path

import pytest

from isogloss.errors import UsageError
from isogloss.project import Project
from isogloss.settings import RunSettings, Settings, is_key
from isogloss.stages import evaluate


@pytest.mark.parametrize("odd", ["", "a\n", "../a", "a/b", "A", "a b", "-a", "a\x00", "é"])
def test_what_is_no_key_is_no_path(tmp_path: Path, odd: str) -> None:
    project = Project(tmp_path, Settings(run=RunSettings()))
    assert not is_key(odd)
    for ask in (
        lambda: project.benchmark(odd),
        lambda: project.model(odd),
        lambda: project.manifest("a", odd),
        lambda: project.manifest(odd, "a"),
        lambda: evaluate.run(project, odd, "a"),
        lambda: evaluate.run(project, "a", odd),
    ):
        with pytest.raises(UsageError, match="a key holds only a-z, 0-9 and hyphens") as caught:
            ask()
        assert str(caught.value).isprintable()


def test_a_key_is_one() -> None:
    assert all(is_key(text) for text in ("a", "0", "bge-m3", "epo-llm"))
