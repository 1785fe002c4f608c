"""dvc.yaml names every drawing and printing module that a stage uses, and not the whole room."""

import ast
from pathlib import Path

import pytest
from ruamel.yaml import YAML

SOURCE = Path("src/isogloss")
# Which modules a stage starts from; the page is a stage of its own.
ENTRIES = {
    "corpus": ["stages/corpus.py"],
    "evaluate": ["stages/evaluate.py", "stages/evaluation_figures.py"],
    "compare": [
        "stages/compare.py", "stages/comparison_entries.py", "stages/comparison_figures.py",
    ],
}  # fmt: skip


def report_modules(root: Path, path: Path) -> set[str]:
    """Files of the room `report` that a module imports, at its top or inside a function."""
    found = set()
    for node in ast.walk(ast.parse((root / path).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("isogloss.report."):
            found.add(f"src/{(node.module or '').replace('.', '/')}.py")
    return found


@pytest.mark.parametrize("stage", ENTRIES)
def test_a_stage_depends_on_what_it_draws_with(root: Path, stage: str) -> None:
    declared = YAML(typ="safe").load((root / "dvc.yaml").read_text("utf-8"))["stages"][stage]
    named = {dep for dep in declared.get("do", declared)["deps"] if "isogloss/report" in dep}
    used: set[str] = set()
    waiting = {str(SOURCE / entry) for entry in ENTRIES[stage]}
    while waiting:
        reached = report_modules(root, Path(waiting.pop())) - used
        used |= reached
        waiting |= reached
    assert named == used
