"""Items under review, and reviewers who fill in sheets."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from openpyxl import load_workbook

from isogloss.medical.items import parse_options
from isogloss.review.reading import read_return
from isogloss.review.translation_items import TranslatedItem
from isogloss.review.translation_merge import Merged, merge
from isogloss.review.translation_sheets import first_workbook, second_workbook
from isogloss.review.workbook import workbook_bytes


def question(text: str, *options: str) -> str:
    lines = [f"{label}: {option}" for label, option in zip("ABCDE", options, strict=False)]
    return "\n".join([f"Question: {text}", "Options:", *lines])


ITEMS = [
    TranslatedItem(
        "mcqa-headqa-0001", "MCQA", "headqa",
        question("A dose of 400 mg for 3 days?", "yes", "no"), "A",
        question("Eine Dosis von 400 mg über 3 Tage?", "ja", "nein"), "A",
    ),
    TranslatedItem(
        "mcqa-headqa-0002", "MCQA", "headqa",
        question("Which one?", "first", "second", "third"), "B",
        question("Welche?", "erste", "zweite", "dritte"), "B",
    ),
    TranslatedItem(
        "nli-mednli-0001", "NLI", "mednli",
        "Premise: P\nHypothesis: H\nOptions:\nA: Entailment\nB: Neutral", "B",
        "Premise: P\nHypothesis: H\nOptions:\nA: Folgerung\nB: Neutral", "B",
    ),
    TranslatedItem(
        "qa-liveqa-0001", "QA", "liveqa", "What is gout?", "=Arthritis by 1 acid.",
        "Was ist Gicht?", "=Arthritis durch 1 Säure.",
    ),
]  # fmt: skip
HEADINGS = {
    "accuracy": "Accuracy (1-5)", "fluency": "Fluency (1-5)",
    "completeness": "Completeness (1-5)", "comment": "Comment",
}  # fmt: skip
TEXTS = {1: ("Reviewed text", "Reviewed reference"), 2: ("Final text", "Final reference")}


def fill(path: Path, stage: int, filled: dict[str, dict[str, Any]]) -> None:
    """Fill rows by item id: scores as a triple, `input`, `target`, `comment`."""
    book = load_workbook(io.BytesIO(path.read_bytes()))
    titles = {**HEADINGS, "input": TEXTS[stage][0], "target": TEXTS[stage][1]}
    for page in book.worksheets[:-3]:
        places = {cell.value: cell.column for cell in page[1]}
        for row in page.iter_rows(min_row=2):
            values = dict(filled.get(str(row[1].value), {}))
            if "scores" in values:
                triple = values.pop("scores")
                values |= dict(zip(("accuracy", "fluency", "completeness"), triple, strict=True))
            for key, value in values.items():
                cell = page.cell(row[0].row, places[titles[key]])
                cell.value = value
                if key in ("input", "target") and not str(value).startswith("=HYPERLINK"):
                    # What is typed into a cell of the format text stays text.
                    cell.data_type = "s"
    book.save(path)


def merged(paths: Sequence[Path], items: Sequence[TranslatedItem] = ITEMS) -> Merged:
    return merge("de", items, [read_return(path) for path in paths], parse_options)


def first_sheet(folder: Path, reviewer: str, filled: dict[str, dict[str, Any]]) -> Path:
    path = folder / f"de-1-{reviewer}.xlsx"
    path.write_bytes(workbook_bytes(first_workbook(ITEMS, "de", reviewer))[0])
    fill(path, 1, filled)
    return path


def second_sheet(
    folder: Path, reviewer: str, after: Sequence[Path], filled: dict[str, dict[str, Any]]
) -> Path:
    first = merged(after).first
    items = [item for item in ITEMS if item.id in first]
    path = folder / f"de-2-{reviewer}.xlsx"
    path.write_bytes(workbook_bytes(second_workbook(items, first, "de", reviewer))[0])
    fill(path, 2, filled)
    return path
