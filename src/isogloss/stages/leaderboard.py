"""Print the leaderboard of the last comparison, and where to look further."""

from collections.abc import Iterator
from typing import Any

from isogloss.errors import DataError
from isogloss.files import read_json
from isogloss.progress import note
from isogloss.project import Project
from isogloss.stages.compare import COMPARISON_FILE, LEADERBOARD_FILE, NUMBERS_FILE
from isogloss.stages.identity import IDENTITY_FILE, read_identity

ADVICE = "run `isogloss compare` or `make run`"


def run(project: Project) -> None:
    """Print what `compare` wrote; what was evaluated on other data since is named.

    Raises:
        DataError: Nothing was compared yet.
    """
    path = project.comparison / f"{LEADERBOARD_FILE}.txt"
    if not path.is_file():
        raise DataError(f"{path}: no such file; {ADVICE} first")
    print(path.read_text(encoding="utf-8"), end="")
    print()
    print(f"Figures and tables: {project.comparison}")
    print(f"Each evaluation:    {project.comparison.parent / 'retrieval'}")
    print("Every run:          isogloss ui (serves MLflow, and says where the runs are)")
    for line in _outdated(project):
        note(line)


def _outdated(project: Project) -> Iterator[str]:
    if not (project.comparison / COMPARISON_FILE).is_file():
        return
    compared: dict[str, Any] = read_json(project.comparison / COMPARISON_FILE, dict, ADVICE)
    numbers: dict[str, Any] = read_json(project.comparison / NUMBERS_FILE, dict, ADVICE)
    for benchmark, one in compared["benchmarks"].items():
        then = one["dataset_version"]
        for model in numbers.get(benchmark, ()):
            folder = project.comparison.parent / "retrieval" / benchmark / model
            if not (folder / IDENTITY_FILE).is_file():
                continue
            now = read_identity(folder).dataset_version
            if now != then:
                yield (
                    f"{benchmark}: the leaderboard is of dataset version {then}, but {model} was "
                    f"evaluated on {now} since; {ADVICE}"
                )
                break
