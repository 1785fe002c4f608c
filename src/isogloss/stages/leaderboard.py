"""Print the leaderboard of the last comparison, and where to look further."""

from isogloss.errors import DataError
from isogloss.project import Project
from isogloss.stages.compare import LEADERBOARD_FILE


def run(project: Project) -> None:
    """Print what `compare` wrote.

    Raises:
        DataError: Nothing was compared yet.
    """
    path = project.comparison / f"{LEADERBOARD_FILE}.txt"
    if not path.is_file():
        raise DataError(f"{path}: no such file; run `isogloss compare` or `make run` first")
    print(path.read_text(encoding="utf-8"), end="")
    print()
    print(f"Figures and tables: {project.comparison}")
    print(f"Each evaluation:    {project.comparison.parent / 'retrieval'}")
    print("Every run:          isogloss ui (serves MLflow, and says where the runs are)")
