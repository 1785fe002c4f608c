"""Medical scores as runs: one a model and arm, and one for the shifts between the arms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from isogloss.files import json_bytes
from isogloss.medical.panel import dataset_name, in_panel_order, model_name
from isogloss.medical.shares import ALL_LANGUAGES
from isogloss.project import Project
from isogloss.tracking.artifacts import folder_files
from isogloss.tracking.identity import fingerprint
from isogloss.tracking.medical_figures import interval_text, run_metrics, shift_metrics
from isogloss.tracking.provenance import git_tags, library_versions
from isogloss.tracking.runs import DatasetInput, Logged, RunRecord, log_run
from isogloss.tracking.store import open_store

SCORES = "medical"
SHIFTS = "medical-shifts"
LONGEST_NOTE = 7000
Table = dict[str, list[Any]]


@dataclass(frozen=True)
class ScoreFacts:
    """What the tracking room is told about one model in one arm.

    Attributes:
        model: Its key.
        arm: ``mt`` or ``reviewed``.
        scores: The content of scores.json.
        inputs: The content of inputs.json: digests of items, hashes of files.
        files: Answers, refusals and verdicts, by their name inside the run.
        notes: What a reader must know of the items.
    """

    model: str
    arm: str
    scores: Mapping[str, Any]
    inputs: Mapping[str, Any]
    files: Mapping[str, Path] = field(default_factory=dict)
    notes: Sequence[str] = ()

    @property
    def section(self) -> Mapping[str, Any]:
        """The arm in scores.json."""
        arm: Mapping[str, Any] = self.scores["arms"][self.arm]
        return arm

    @property
    def is_scored(self) -> bool:
        """Whether the model was asked anything in this arm."""
        return any(self.model in self.section[name].get("cells", {}) for name in ("accuracy", "qa"))


@dataclass(frozen=True)
class ShiftFacts:
    """What it is told about the shifts: the scores, what they rest on, and the results folder."""

    scores: Mapping[str, Any]
    inputs: Mapping[str, Any]
    folder: Path
    notes: Sequence[str] = ()


def log_scores(project: Project, runs: Sequence[ScoreFacts], *, force: bool = False) -> list[str]:
    """Log each model and arm once.

    Returns:
        A line a run, for the user; a model without an answer in an arm has no run, and a line.

    Raises:
        TrackingError: The store cannot be used or refused something.
    """
    store, provenance = open_store(project), _provenance(project)
    lines = []
    for facts in runs:
        if not facts.is_scored:
            lines.append(f"MLflow: {facts.model} has no answers in the {facts.arm} arm, so no run")
            continue
        record = score_record(facts, provenance)
        lines += [
            f"{line}: {record.name}" for line in log_run(store, record, force=force).lines(SCORES)
        ]
    return lines


def log_shifts(project: Project, facts: ShiftFacts, *, force: bool = False) -> Logged:
    """Log the shifts, once.

    Raises:
        TrackingError: The store cannot be used or refused something.
    """
    record = shift_record(facts, _provenance(project))
    return log_run(open_store(project), record, force=force)


def score_fingerprint(facts: ScoreFacts) -> str:
    """Items, the model's own files, options and definitions, hashed."""
    return fingerprint(
        "medical",
        {
            "model": facts.model,
            "arm": facts.arm,
            "items": facts.inputs["arms"][facts.arm]["digest"],
            "files": dict(facts.inputs["files"][facts.model][facts.arm]),
            **_settings(facts.scores),
        },
    )


def shift_fingerprint(facts: ShiftFacts) -> str:
    """Items and files of every model in both arms, options and definitions, hashed."""
    digests = {arm: held["digest"] for arm, held in facts.inputs["arms"].items()}
    files = {model: dict(arms) for model, arms in facts.inputs["files"].items()}
    return fingerprint(
        "medical-shifts", {"items": digests, "files": files, **_settings(facts.scores)}
    )


def score_record(facts: ScoreFacts, provenance: Mapping[str, str]) -> RunRecord:
    """Compose the run of a model in an arm."""
    identity = score_fingerprint(facts)
    group = facts.scores["models"][facts.model]
    held = facts.inputs["arms"][facts.arm]
    tables = {
        "languages.json": language_table(facts),
        "datasets.json": dataset_table(facts),
    }
    files: dict[str, Path | bytes] = {
        name: path for name, path in facts.files.items() if path.stat().st_size
    }
    return RunRecord(
        experiment=SCORES,
        name=f"{model_name(facts.model)} on {facts.arm} items ({identity[:8]})",
        fingerprint=identity,
        description=describe_scores(facts),
        metrics=run_metrics(facts.section, facts.model),
        params={
            "model": facts.model,
            "group": group,
            "arm": facts.arm,
            "items_version": held["digest"],
            "languages": ", ".join(facts.scores["languages"]),
            "datasets": ", ".join(in_panel_order(facts.scores["datasets"])),
            "definitions": facts.scores["definitions"],
            **{f"evaluation.{key}": value for key, value in facts.scores["options"].items()},
        },
        tags={
            **provenance,
            "model": facts.model,
            "group": group,
            "arm": facts.arm,
            "items.version": held["digest"],
            **_noted(facts.notes),
        },
        datasets=[_dataset(facts.arm, held)],
        files={**files, "scores.json": json_bytes(model_scores(facts))},
        tables={name: table for name, table in tables.items() if next(iter(table.values()))},
    )


def model_scores(facts: ScoreFacts) -> dict[str, Any]:
    """The part of scores.json that is about one model in one arm."""
    found: dict[str, Any] = {"model": facts.model, "arm": facts.arm}
    for name in ("accuracy", "qa"):
        section = facts.section[name]
        names = ("cells", "outcomes", "macro", "shift", "mean", "higher", "lower", "gap")
        found[name] = {
            key: section[key][facts.model] for key in names if facts.model in section.get(key, {})
        }
    for name in ("refusals", "traces"):
        found[name] = facts.section[name].get(facts.model, {})
    return found


def language_table(facts: ScoreFacts) -> Table:
    """Columns over languages: both scores with interval and shift, and what became of questions."""
    rows = []
    for score in ("accuracy", "qa"):
        section = facts.section[score]
        for language in facts.scores["languages"]:
            counts = section.get("outcomes", {}).get(facts.model, {}).get(language)
            if counts is not None:
                macro, shift = (section[key][facts.model][language] for key in ("macro", "shift"))
                rows.append(
                    {
                        "score": score, "language": language, **_flat(macro),
                        "shift": shift["value"], "shift_low": _bound(shift, 0),
                        "shift_high": _bound(shift, 1), **counts,
                    }
                )  # fmt: skip
    return _columns(rows)


def dataset_table(facts: ScoreFacts) -> Table:
    """Columns over languages and datasets: each cell with its interval and outcomes."""
    outcomes = ("asked", "answered", "unanswered", "refused", "failed", "missing")
    rows = []
    for score in ("accuracy", "qa"):
        section = facts.section[score]
        cells = section.get("cells", {}).get(facts.model, {})
        for language in facts.scores["languages"]:
            for dataset in in_panel_order(cells.get(language, {})):
                cell = cells[language][dataset]
                rows.append(
                    {
                        "score": score, "language": language, "dataset": dataset_name(dataset),
                        **_flat(cell), **{name: cell[name] for name in outcomes},
                    }
                )  # fmt: skip
    return _columns(rows)


def describe_scores(facts: ScoreFacts) -> str:
    """The note at the top of the run's page: who was asked what, and the headline."""
    held = facts.inputs["arms"][facts.arm]
    lines = [
        f"**{model_name(facts.model)}** ({facts.scores['models'][facts.model]}) answers"
        f" {held['items']} **{facts.arm}** items in {held['languages']} languages.",
        *(f"\n{note}" for note in facts.notes),
        "",
        "| score | macro mean | resource gap | unanswered | refused | failed |",
        "|---|---|---|---|---|---|",
    ]
    for score, name in (("accuracy", "accuracy (0-1)"), ("qa", "open-ended (1-5)")):
        section = facts.section[score]
        if facts.model in section.get("mean", {}):
            counts = section["outcomes"][facts.model][ALL_LANGUAGES]
            figures = (interval_text(section[key][facts.model]) for key in ("mean", "gap"))
            ends = (str(counts[key]) for key in ("unanswered", "refused", "failed"))
            lines.append(f"| {' | '.join([name, *figures, *ends])} |")
    lines += ["", f"Items version `{held['digest']}`; per language and dataset: the tables."]
    return "\n".join(lines)[:LONGEST_NOTE]


def shift_record(facts: ShiftFacts, provenance: Mapping[str, str]) -> RunRecord:
    """Compose the run of the shifts."""
    identity = shift_fingerprint(facts)
    compared = facts.scores["mt_against_reviewed"]
    models = {score: section.get("models", []) for score, section in compared.items()}
    count = len({model for names in models.values() for model in names})
    arms = facts.inputs["arms"]
    return RunRecord(
        experiment=SHIFTS,
        name=f"reviewed against mt, {count} model{'' if count == 1 else 's'} ({identity[:8]})",
        fingerprint=identity,
        description=describe_shifts(facts),
        metrics=shift_metrics(compared),
        params={
            **{f"models.{score}": ", ".join(names) for score, names in models.items() if names},
            **{f"items_version.{arm}": held["digest"] for arm, held in arms.items()},
            "definitions": facts.scores["definitions"],
            **{f"evaluation.{key}": value for key, value in facts.scores["options"].items()},
        },
        tags={**provenance, **_noted(facts.notes)},
        datasets=[_dataset(arm, held) for arm, held in sorted(arms.items())],
        files=dict(folder_files(facts.folder)),
        tables=_shift_tables(compared),
    )


def describe_shifts(facts: ShiftFacts) -> str:
    """The note at the top of the run's page, with the reason of what is undefined."""
    lines = ["Reviewed minus machine-translated items, English as the same-source control."]
    lines += [f"\n{note}" for note in facts.notes]
    for score, section in facts.scores["mt_against_reviewed"].items():
        if "cells" not in section:
            lines.append(f"\n**{score}**: {section['reason']}.")
            continue
        names = ", ".join(model_name(model) for model in section["models"])
        lines += ["", f"**{score}** of {names}", "", "| language | overall change |", "|---|---|"]
        lines += [
            f"| {language} | {interval_text(section['overall'][language])} |"
            for language in facts.scores["languages"]
            if language in section["overall"]
        ]
        lines.append(f"| en (control, signed) | {interval_text(section['english_overall'])} |")
    return "\n".join(lines)[:LONGEST_NOTE]


def _shift_tables(compared: Mapping[str, Any]) -> dict[str, Table]:
    tables = {}
    for score, section in compared.items():
        rows = [
            {
                "language": language, "dataset": dataset_name(dataset), **_flat(cell),
                "pairs": cell["pairs"], "p": cell["p"], "p_holm": cell["p_holm"],
            }
            for language, cells in section.get("cells", {}).items()
            for dataset, cell in cells.items()
        ]  # fmt: skip
        if rows:
            tables[f"{score}-cells.json"] = _columns(rows)
    return tables


def _dataset(arm: str, held: Mapping[str, Any]) -> DatasetInput:
    counts = {name: held[name] for name in ("items", "languages", "datasets")}
    return DatasetInput(f"medical-{arm}", held["digest"], {"arm": arm}, counts)


def _settings(scores: Mapping[str, Any]) -> dict[str, Any]:
    return {"options": dict(scores["options"]), "definitions": scores["definitions"]}


def _provenance(project: Project) -> dict[str, str]:
    return {**git_tags(project.root), **library_versions()}


def _noted(notes: Sequence[str]) -> dict[str, str]:
    return {"note": " ".join(notes)} if notes else {}


def _flat(found: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "value": found["value"], "low": _bound(found, 0), "high": _bound(found, 1), "n": found["n"],
    }  # fmt: skip


def _bound(found: Mapping[str, Any], end: int) -> float | None:
    return None if found["ci"] is None else found["ci"][end]


def _columns(rows: Sequence[Mapping[str, Any]]) -> Table:
    names = list(rows[0]) if rows else ["language"]
    return {name: [row[name] for row in rows] for name in names}
