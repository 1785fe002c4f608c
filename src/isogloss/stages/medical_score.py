"""Score anyone's answers to medical items: scores.json, tables, and a page of text."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from isogloss.files import write_json, write_text
from isogloss.progress import note, track


def run(
    items: Path,
    answers: Path,
    out: Path,
    *,
    items_mt: Path | None = None,
    refusals: Path | None = None,
    verdicts: Path | None = None,
    experts: Path | None = None,
    resamples: int = 10_000,
    permutations: int = 10_000,
    seed: int = 0,
) -> None:
    """Read the files, compute every figure, write them and print the headline.

    Args:
        items: Reviewed items, a JSONL file or a folder of them.
        answers: Replies, one JSON object a line.
        out: Folder for scores.json and the CSV tables.
        items_mt: Machine-translated items; without it the `mt` arm is read against `items`.
        refusals: Refusal records.
        verdicts: The judge's raw texts.
        experts: Expert scores beside the judge's.
        resamples: Bootstrap draws.
        permutations: Sign flips per test.
        seed: Of both.

    Raises:
        DataError: A file cannot be used; file, line and id are named.
    """
    from isogloss.medical.evaluation import Options, evaluate
    from isogloss.medical.experts import read_experts
    from isogloss.medical.items import read_items
    from isogloss.medical.loading import load_sheet
    from isogloss.medical.tables import TABLES, csv_text, page

    def progress(rows: Iterable[Any], label: str) -> Iterable[Any]:
        return track(rows, label)

    reviewed = read_items(items)
    sheet = load_sheet(
        reviewed,
        read_items(items_mt) if items_mt else None,
        answers,
        refusals,
        verdicts,
        track=progress,
    )
    judged = read_experts(experts, reviewed) if experts else None
    scores = evaluate(sheet, judged, Options(resamples, permutations, seed), say=note)
    for name, rows in TABLES.items():
        table = csv_text(rows(scores))
        if table is not None:
            write_text(out / f"{name}.csv", table)
    write_json(out / "scores.json", scores)
    print(page(scores))
    print(f"\nWritten to {out}: scores.json and its tables as CSV")
