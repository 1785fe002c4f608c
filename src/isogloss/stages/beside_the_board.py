"""What the leaderboard says beside its columns: preferred languages, and re-rankers' ceilings."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from isogloss.errors import DataError, UsageError
from isogloss.files import one_line
from isogloss.project import Project
from isogloss.report.evaluation.reranking_text import reranking_line
from isogloss.retrieval.declaration import read_declaration
from isogloss.retrieval.derived import DerivedDeclaration
from isogloss.stages.results import PREFERENCE_FILE, RERANKING_FILE

SHOWN_K = 10


def beside_the_board(project: Project, chosen: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Lines by benchmark, read from the tables of its evaluations.

    Args:
        project: Its results.
        chosen: Models by benchmark.

    Raises:
        DataError: A table is broken.
    """
    lines: dict[str, list[str]] = {}
    for benchmark, models in chosen.items():
        own = [
            f"{model} {value:.2f}"
            for model in models
            if (value := own_preference(project.results(benchmark, model), SHOWN_K)) is not None
        ]
        found = [
            f"own language in the top {SHOWN_K}, times its share of the pool: {', '.join(own)}"
        ]
        ceilings = [_ceiling(project.results(benchmark, model), model) for model in models]
        lines[benchmark] = [
            *(found if own else []),
            *(line for line in ceilings if line),
            *(line for model in models if (line := _made_of(project, model))),
        ]
    return lines


def _made_of(project: Project, model: str) -> str | None:
    """What a retriever made of others is; nothing of one whose declaration has gone since."""
    try:
        declaration = read_declaration(project.model(model))
    except UsageError:  # SettingsError is one.
        return None
    if not isinstance(declaration, DerivedDeclaration):
        return None
    made = f"{model} ({declaration.kind} of {', '.join(declaration.parts)})"
    return f"{made}: {declaration.note}" if declaration.note else made


def own_preference(folder: Path, k: int) -> float | None:
    """Mean over query languages of the preference for the query's own; None where none is known."""
    values = [
        float(row["preference"])
        for row in _rows(folder / PREFERENCE_FILE)
        if row["query_language"] == row["document_language"]
        and row["k"] == str(k)
        and row["preference"]
    ]
    return sum(values) / len(values) if values else None


def _ceiling(folder: Path, model: str) -> str | None:
    names = ("first", "reranked", "ceiling", "share", "headroom")
    rows: list[dict[str, Any]] = [
        {
            "figure": row["figure"],
            **{name: float(row[name]) if row[name] else None for name in names},
            **{name: value for name, value in row.items() if name.endswith("_gate")},
        }
        for row in _rows(folder / RERANKING_FILE)
    ]
    return reranking_line(model, rows)


def _rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table; none where an evaluation wrote none."""
    if not path.is_file():
        return []
    try:
        with path.open(encoding="utf-8", newline="") as content:
            return list(csv.DictReader(content, strict=True))
    except (csv.Error, UnicodeDecodeError) as error:
        raise DataError(f"{path}: {one_line(error)}; evaluate again") from error
