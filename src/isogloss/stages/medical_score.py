"""Scores of medical answers with every interval: anyone's files, or a project's own."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isogloss.errors import TrackingError, UsageError
from isogloss.files import write_json, write_text
from isogloss.progress import note, track
from isogloss.stages.medical_project import (
    SCORES_FILE,
    project_files,
    scored_settings,
    write_inputs,
)
from isogloss.stages.medical_results import SUMMARY, write_csv, write_results

if TYPE_CHECKING:
    from isogloss.medical.evaluation import Options
    from isogloss.medical.items import Item
    from isogloss.project import Project

NAMES = (
    *("board", "cells", "averages", "groups", "open_ended", "shares"),
    *("agreement", "agreement_parts"),
)


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
    """Read anyone's files, compute every figure, write them and print the headline.

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
        UsageError: `out` holds a project's results, which this would replace in part.
        DataError: A file cannot be used; file, line and id are named.
    """
    from isogloss.medical.evaluation import Options
    from isogloss.medical.items import read_items
    from isogloss.medical.tables import TABLES
    from isogloss.report.medical.medical_board import summary_text

    if (out / SUMMARY).exists():
        raise UsageError(
            f"{out}: holds the results of a project, which its own `isogloss medical score` "
            "writes; choose another folder for --out"
        )
    reviewed = read_items(items)
    scores = _scores(
        reviewed,
        read_items(items_mt) if items_mt else None,
        ([answers], [refusals] if refusals else [], [verdicts] if verdicts else []),
        experts,
        Options(resamples, permutations, seed),
    )
    write_csv(out, scores, TABLES)
    write_json(out / SCORES_FILE, scores)
    print(summary_text(scores), end="")
    print(f"\nWritten to {out}: scores.json and its tables as CSV")


def run_project(project: "Project", force: bool = False) -> None:
    """Score what params.yaml names: write, draw, print, and log one run a model and arm.

    Args:
        project: The project.
        force: Replace the tracked runs of these very scores.

    Raises:
        UsageError: params.yaml names no models.
        DataError: A file is missing or cannot be used.
        TrackingError: The results are whole, but could not be logged.
    """
    from isogloss.medical.evaluation import Options
    from isogloss.report.medical.medical_board import summary_text
    from isogloss.report.medical.medical_figures import score_figures

    medical, settings = scored_settings(project), project.settings.evaluation
    files = project_files(project)
    main, *others = (files.items[arm] for arm in ("reviewed", "mt") if arm in files.items)
    headline = (medical.headline or ["reviewed"])[0]
    options = Options(settings.resamples, settings.permutations, settings.seed, headline)
    paths = (files.paths["answers"], files.paths["refusals"], files.paths["verdicts"])
    scores = _scores(main, others[0] if others else None, paths, files.experts, options)
    notes = [medical.note] if medical.note else []
    folder = project.medical_results
    write_json(folder / SCORES_FILE, scores)
    write_inputs(folder, files.inputs)
    write_results(folder, scores, NAMES, score_figures(scores, notes), notes)
    text = summary_text(scores, notes)
    write_text(folder / SUMMARY, text)
    print(text, end="")
    print(f"\nFigures and tables: {folder}")
    _log(project, scores, notes, force)


def _scores(
    items: "Sequence[Item]",
    items_mt: "Sequence[Item] | None",
    paths: tuple[Sequence[Path], Sequence[Path], Sequence[Path]],
    experts: Path | None,
    options: "Options",
) -> dict[str, Any]:
    from isogloss.medical.evaluation import evaluate
    from isogloss.medical.experts import read_experts
    from isogloss.medical.loading import load_sheet

    def progress(rows: Iterable[Any], label: str) -> Iterable[Any]:
        return track(rows, label)

    sheet = load_sheet(items, items_mt, *paths, track=progress)
    judged = read_experts(experts, items) if experts else None
    return evaluate(sheet, judged, options, say=note)


def _log(project: "Project", scores: dict[str, Any], notes: list[str], force: bool) -> None:
    """One run a model and arm; the results are whole before the first is written."""
    import msgspec

    from isogloss.stages.medical_project import KINDS, read_inputs
    from isogloss.tracking.medical import SCORES, ScoreFacts, log_scores

    inputs = msgspec.to_builtins(read_inputs(project.medical_results))
    runs = [
        ScoreFacts(
            model=model,
            arm=arm,
            scores=scores,
            inputs=inputs,
            files={f"{kind}.jsonl": getattr(project, kind)(model, arm) for kind in KINDS},
            notes=notes,
        )
        for model in inputs["files"]
        for arm in scores["arms"]
    ]
    try:
        outcomes = log_scores(project, runs, force=force)
    except TrackingError as error:
        raise TrackingError(
            f"{project.medical_results} is whole, but was not logged: {error}"
        ) from error
    for line in outcomes:
        note(line)
    note(f"MLflow: experiment {SCORES} holds a run a model and arm")
