"""dvc.yaml names the drawing and printing that a stage uses, and not the whole room."""

import ast
from pathlib import Path

import pytest
from ruamel.yaml import YAML

SOURCE = Path("src/isogloss")
# Which module a stage starts from; the page, which draws everything, depends on the whole room.
ENTRIES = {
    "corpus": "stages/corpus.py",
    "evaluate": "stages/evaluate.py",
    "evaluate-derived": "stages/evaluate.py",
    "compare": "stages/compare.py",
    "medical-score": "stages/medical_score.py",
    "medical-shifts": "stages/medical_shifts.py",
}


def imported(root: Path, path: Path) -> set[Path]:
    """Files of stages and of the room `report` that one imports, at its top or in a function."""
    found = set()
    for node in ast.walk(ast.parse((root / path).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            found |= {Path("src", *name.split(".")).with_suffix(".py") for name in names}
    rooms = (SOURCE / "report", SOURCE / "stages")
    return {
        file
        for file in found
        if (root / file).is_file() and any(file.is_relative_to(room) for room in rooms)
    }


def reached(root: Path, entry: Path) -> set[Path]:
    seen: set[Path] = set()
    waiting = {entry}
    while waiting:
        seen |= waiting
        waiting = {file for path in waiting for file in imported(root, path)} - seen
    return seen


@pytest.mark.parametrize("stage", ENTRIES)
def test_a_stage_depends_on_what_it_draws_with(root: Path, stage: str) -> None:
    declared = YAML(typ="safe").load((root / "dvc.yaml").read_text("utf-8"))["stages"][stage]
    named = {Path(dep) for dep in declared.get("do", declared)["deps"] if "isogloss/report" in dep}
    used = {path for path in reached(root, SOURCE / ENTRIES[stage]) if "report" in path.parts[2:-1]}
    assert SOURCE / "report" not in named
    for path in used:
        assert named & {path, path.parent}, f"{stage} draws with {path} and does not say so"
    for dep in named:
        assert any(path.is_relative_to(dep) for path in used), (
            f"{stage} draws with nothing of {dep}"
        )
