"""The result files of a medical evaluation: tables as CSV and LaTeX, figures, the text."""

import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from isogloss.files import write_bytes, write_text

TABLES = "tables"
FIGURES = "figures"
NOTE = "NOTE.txt"
SUMMARY = "summary.txt"


def write_csv(folder: Path, scores: Mapping[str, Any], names: Iterable[str]) -> None:
    """Write some of the CSV tables; an empty one is left out."""
    from isogloss.medical.tables import TABLES as ROWS
    from isogloss.medical.tables import csv_text

    for name in names:
        table = csv_text(ROWS[name](dict(scores)))
        if table is not None:
            write_text(folder / f"{name}.csv", table)


def write_results(
    folder: Path,
    scores: Mapping[str, Any],
    names: Sequence[str],
    pngs: Mapping[str, bytes],
    notes: Sequence[str],
) -> None:
    """Write tables/ (CSV and LaTeX) and figures/ anew.

    Args:
        folder: Where.
        scores: The content of scores.json.
        names: Which of the tables.
        pngs: By name without suffix.
        notes: What a reader must know of the items.
    """
    from isogloss.report.medical.medical_tables import latex_tables

    for part in (TABLES, FIGURES):
        shutil.rmtree(folder / part, ignore_errors=True)
        (folder / part).mkdir(parents=True, exist_ok=True)
    write_csv(folder / TABLES, scores, [name for name in names if name != "board"])
    # A CSV file has no caption to say it in.
    said = [*notes, *scores["notes"]]
    if said:
        write_text(folder / TABLES / NOTE, "".join(f"{one}\n" for one in said))
    for name, text in latex_tables(scores, notes).items():
        if name in names:
            write_text(folder / TABLES / f"{name}.tex", text)
    for name, png in pngs.items():
        write_bytes(folder / FIGURES / f"{name}.png", png)
