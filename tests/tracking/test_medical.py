"""Medical scores become runs: what identifies them, which figures they hold, what is left out."""

from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from isogloss.project import Project
from isogloss.tracking.experiments import about
from isogloss.tracking.medical import (
    ScoreFacts,
    ShiftFacts,
    describe_scores,
    describe_shifts,
    log_scores,
    log_shifts,
    score_fingerprint,
    score_record,
    shift_fingerprint,
    shift_record,
)
from isogloss.tracking.names import metric_values
from isogloss.tracking.store import open_store

COUNTS = {"asked": 5, "answered": 3, "unanswered": 1, "refused": 0, "failed": 1, "missing": 0}


def figure(value: float | None, n: int = 4, **more: Any) -> dict[str, Any]:
    known = value is not None
    ci = [value - 0.1, value + 0.1] if value is not None else None
    return {"value": value, "ci": ci, "n": n, **({} if known else {"reason": "no data"}), **more}


def section() -> dict[str, Any]:
    return {
        "cells": {"own": {code: {"medqa": figure(0.5, **COUNTS)} for code in ("en", "sw")}},
        "outcomes": {"own": dict.fromkeys(("en", "sw", "all"), COUNTS)},
        "macro": {"own": {"en": figure(0.75), "sw": figure(0.5)}},
        "shift": {"own": {"en": figure(0.0), "sw": figure(-0.25)}},
        **{name: {"own": figure(0.625)} for name in ("mean", "higher", "lower")},
        "gap": {"own": figure(None)},
    }


@pytest.fixture
def facts(tmp_path: Path) -> ScoreFacts:
    for name, content in (("answers", b'{"id": "x"}\n'), ("refusals", b"")):
        (tmp_path / f"{name}.jsonl").write_bytes(content)
    arm = {"accuracy": section(), "qa": {}, "refusals": {}, "traces": {}}
    cell = figure(0.1, pairs=4, p=0.5, p_holm=0.01)
    compared = {
        "models": ["own"],
        "left_out": [],
        "cells": {"en": {"medqa": cell}, "sw": {"medqa": {**cell, "value": None, "ci": None}}},
        "overall": {"sw": figure(0.2)},
        "english_overall": figure(-0.1),
        "lower_in_reviewed": {"cells": 0, "of": 1},
    }
    scores = {
        "definitions": 1,
        "options": {"resamples": 100, "permutations": 100, "seed": 3},
        "models": {"own": "other"},
        "languages": ["en", "sw"],
        "datasets": {"medqa": "MCQA"},
        "arms": {"mt": arm, "reviewed": arm},
        "mt_against_reviewed": {"accuracy": compared, "qa": {"reason": "nothing was judged"}},
    }
    held = {"digest": "d" * 32, "items": 10, "languages": 2, "datasets": 1}
    inputs = {
        "arms": {"mt": {**held, "digest": "e" * 32}, "reviewed": held},
        "files": {
            "own": {arm: {"answers": "1" * 32, "refusals": "2" * 32} for arm in ("mt", "reviewed")}
        },
    }
    files = {name: tmp_path / name for name in ("answers.jsonl", "refusals.jsonl")}
    return ScoreFacts("own", "reviewed", scores, inputs, files, ["Sample items."])


@pytest.fixture
def shifts(facts: ScoreFacts, tmp_path: Path) -> ShiftFacts:
    folder = tmp_path / "shifts"
    folder.mkdir()
    (folder / "shifts.json").write_bytes(b"{}")
    return ShiftFacts(facts.scores, facts.inputs, folder, facts.notes)


def changed(facts: ScoreFacts, *path: str, to: Any) -> ScoreFacts:
    parts = {"scores": deepcopy(facts.scores), "inputs": deepcopy(facts.inputs)}
    place: Any = parts
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return replace(facts, scores=parts["scores"], inputs=parts["inputs"])


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("inputs", "arms", "reviewed", "digest"), "f" * 32),
        (("inputs", "files", "own", "reviewed", "answers"), "9" * 32),
        (("scores", "options", "seed"), 4),
        (("scores", "definitions"), 2),
    ],
)
def test_what_figures_depend_on_makes_another_run(
    facts: ScoreFacts, path: tuple[str, ...], to: Any
) -> None:
    other = changed(facts, *path, to=to)
    assert score_fingerprint(other) != score_fingerprint(facts)
    both = [ShiftFacts(one.scores, one.inputs, Path("x")) for one in (facts, other)]
    assert shift_fingerprint(both[0]) != shift_fingerprint(both[1])


def test_another_arm_s_items_do_not(facts: ScoreFacts) -> None:
    other = changed(facts, "inputs", "arms", "mt", "digest", to="f" * 32)
    assert score_fingerprint(other) == score_fingerprint(facts)
    assert score_fingerprint(replace(facts, arm="mt")) != score_fingerprint(facts)


def test_a_record_holds_chosen_figures_and_no_undefined_one(facts: ScoreFacts) -> None:
    record = score_record(facts, {"dirty": "false"})
    assert record.name.startswith("own on reviewed items (")
    metrics = metric_values(record.metrics)
    assert metrics == {
        "accuracy/macro": 0.625, "accuracy/higher": 0.625, "accuracy/lower": 0.625,
        **{f"ci/accuracy/{name}/low": 0.525 for name in ("macro", "higher", "lower")},
        **{f"ci/accuracy/{name}/high": 0.725 for name in ("macro", "higher", "lower")},
        "accuracy/en": 0.75, "accuracy/sw": 0.5, "accuracy/shift/sw": -0.25,
        **{f"accuracy/{name}": float(count) for name, count in COUNTS.items()},
    }  # fmt: skip
    assert set(record.files) == {"answers.jsonl", "scores.json"}, "an empty file is left out"
    assert record.tables["languages.json"]["shift"] == [0.0, -0.25]
    assert record.tables["datasets.json"]["dataset"] == ["MedQA", "MedQA"]
    assert record.datasets[0].profile == {"items": 10, "languages": 2, "datasets": 1}
    assert record.tags["note"] == "Sample items."
    said = describe_scores(facts)
    assert "Sample items." in said
    assert "| 0.625 [0.525, 0.725] | no data | 1 | 0 | 1 |" in said
    assert len(describe_scores(replace(facts, notes=["x" * 9000]))) <= 8000


def test_shifts_say_why_something_is_missing(shifts: ShiftFacts) -> None:
    record = shift_record(shifts, {})
    assert record.name.startswith("reviewed against mt, 1 model (")
    assert record.metrics["accuracy/overall/sw"] == 0.2
    assert record.metrics["accuracy/overall/en"] == -0.1
    assert record.metrics["accuracy/significant_cells"] == 2
    assert "accuracy/cell/sw/medqa" not in record.metrics
    assert not any(name.startswith("qa/") for name in record.metrics)
    assert record.tables["accuracy-cells.json"]["p_holm"] == [0.01, 0.01]
    assert [item.digest for item in record.datasets] == ["e" * 32, "d" * 32]
    assert "**qa**: nothing was judged." in describe_shifts(shifts)


def test_logged_once_replaced_by_force_and_no_run_without_answers(
    project: Project, facts: ScoreFacts, shifts: ShiftFacts
) -> None:
    stranger = replace(facts, model="never-asked")
    runs = [facts, replace(facts, arm="mt"), stranger]
    first = log_scores(project, runs)
    assert [line.count("(new)") for line in first] == [1, 1, 0]
    assert "never-asked has no answers in the reviewed arm" in first[2]
    assert all("(unchanged)" in line for line in log_scores(project, runs[:2]))
    assert "(replaced)" in log_scores(project, runs[:1], force=True)[0]
    logged = log_shifts(project, shifts)
    assert log_shifts(project, shifts).run_id == logged.run_id
    assert log_shifts(project, shifts, force=True).run_id != logged.run_id
    store = open_store(project)
    for name, count in (("medical", 2), ("medical-shifts", 1)):
        experiment = store.client.get_experiment_by_name(name)
        assert experiment is not None
        assert experiment.tags["mlflow.note.content"] == about(name)
        assert len(store.client.search_runs([experiment.experiment_id])) == count
