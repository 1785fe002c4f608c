"""A project whose answers, refusals and verdicts are there already, made by seeded chance."""

import json
from pathlib import Path
from typing import Any

from isogloss.project import Project
from isogloss.settings import Settings
from medical.synthetic import DATASETS, LANGUAGES, make

MODELS = ["gpt-5-4", "medgemma-27b", "majority"]
ARMS = ("mt", "reviewed")
NOTE = "Sample made by chance for a test."


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write(path: Path, content: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in content), "utf-8")


def answered_project(root: Path, size: int = 3, **over: Any) -> Project:
    """Write a project's files and params.yaml; floors take no open-ended items."""
    made = root / "made"
    made.mkdir()
    paths = make(made, MODELS, dict.fromkeys(DATASETS, size), seed=8)
    items = rows(paths["items"])
    write(root / "data/medical/items.jsonl", [row for row in items if row["language"] == "en"])
    for language in LANGUAGES[1:]:
        held = [row for row in items if row["language"] == language]
        machine = [{**row, "input": row["input"].replace("case", "the case")} for row in held]
        write(root / f"medical/reviewed/{language}.jsonl", held)
        write(root / f"medical/translations/{language}.jsonl", machine)
    for kind in ("answers", "refusals", "verdicts"):
        for model in MODELS:
            for arm in ARMS:
                mine = [
                    row for row in rows(paths[kind])
                    if (row["model"], row["arm"]) == (model, arm)
                    and not (model == "majority" and (kind != "answers" or "qa-" in row["id"][:3]))
                ]  # fmt: skip
                write(root / f"medical/{kind}/{model}.{arm}.jsonl", mine)
    experts = [row for row in rows(paths["experts"]) if row["model"] != "majority"]
    write(root / "data/medical/experts.jsonl", experts)
    medical = {
        "languages": list(LANGUAGES[1:]), "models": MODELS, "headline": ["reviewed"],
        "note": NOTE, **over,
    }  # fmt: skip
    evaluation = {"resamples": 100, "permutations": 100}
    settings = {"run": {}, "medical": medical, "evaluation": evaluation}
    (root / "params.yaml").write_text(json.dumps(settings), "utf-8")
    return Project(root, Settings.model_validate(settings))
