"""Stage medical-shifts: a project's machine-translated items against its reviewed ones."""

from typing import Any

import msgspec

from isogloss.errors import DataError, TrackingError
from isogloss.files import read_json, write_json, write_text
from isogloss.progress import note
from isogloss.project import Project
from isogloss.stages.medical_project import SCORE, SCORES_FILE, read_inputs, scored_settings
from isogloss.stages.medical_results import SUMMARY, write_results

SHIFTS_FILE = "shifts.json"


def run(project: Project, force: bool = False) -> None:
    """Write, draw, print and log what `medical score` found.

    Args:
        project: The project.
        force: Replace the tracked run of these very shifts.

    Raises:
        DataError: Nothing was scored yet, or the scores are broken.
        TrackingError: The results are whole, but could not be logged.
    """
    from isogloss.report.medical.medical_board import shifts_text
    from isogloss.report.medical.medical_figures import shift_figures
    from isogloss.tracking.medical import SHIFTS, ShiftFacts, log_shifts

    medical = scored_settings(project)
    scores = read_scores(project)
    inputs = read_inputs(project.medical_results)
    notes = [medical.note] if medical.note else []
    folder = project.medical_shifts
    write_json(folder / SHIFTS_FILE, scores["mt_against_reviewed"])
    pngs = shift_figures(scores, notes)
    write_results(folder, scores, ["mt_against_reviewed"], pngs, notes)
    text = shifts_text(scores, notes)
    write_text(folder / SUMMARY, text)
    print(text, end="")
    print(f"\nFigures and tables: {folder}")
    facts = ShiftFacts(
        scores=scores, inputs=msgspec.to_builtins(inputs), folder=folder, notes=notes
    )
    try:
        logged = log_shifts(project, facts, force=force)
    except TrackingError as error:
        raise TrackingError(f"{folder} is whole, but was not logged: {error}") from error
    for line in logged.lines(SHIFTS):
        note(line)


def read_scores(project: Project) -> dict[str, Any]:
    """The content of the project's scores.json.

    Raises:
        DataError: It is missing or broken.
    """
    path = project.medical_results / SCORES_FILE
    scores = read_json(path, dict[str, Any], SCORE)
    if "mt_against_reviewed" not in scores:
        raise DataError(f"{path}: holds no mt_against_reviewed; {SCORE}")
    return scores
