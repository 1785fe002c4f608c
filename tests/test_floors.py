"""Imports go one way: down the floors, never up, never between rooms of one floor."""

import ast
from pathlib import Path

import pytest

FLOORS = {
    "cli": 5,
    "stages": 4,
    "tracking": 3,
    "report": 3,
    "patents": 2,
    "qac": 2,
    "retrieval": 2,
    "review": 2,
    "metrics": 2,
    "versions": 2,
    "medical": 2,
    "statistics": 1,
    "llm": 1,
}
# Modules at the top of the package are floor 0. `tracking` may show what `report` draws.
SIDEWAYS: set[tuple[str, str]] = {("metrics", "retrieval")}
ONLY_IN = {
    "dvc": "versions",
    "httpx2": "llm",
    "lancedb": "retrieval",
    "mlflow": "tracking",
    "openai": "llm",
    "openpyxl": "review",
    "ray": "",
    "typer": "cli",
}
FORBIDDEN_NAMES = {"utils", "helpers", "util", "helper", "common", "misc"}
LONGEST = 400

PACKAGE = Path(__file__).parent.parent / "src" / "isogloss"
FILES = sorted(PACKAGE.rglob("*.py"))


# What `import isogloss` offers stands above all floors; nothing in the package imports it.
FACE = "__init__.py"


def room_of(parts: tuple[str, ...]) -> str:
    return parts[0] if parts and parts[0] in FLOORS else ""


def imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names |= {node.module or ""}
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_down(path: Path) -> None:
    parts = path.relative_to(PACKAGE).parts
    here = room_of(parts)
    floor = 6 if parts == (FACE,) else FLOORS.get(here, 0)
    for name in imports(path):
        top, _, rest = name.partition(".")
        assert ONLY_IN.get(top, here) == here, f"{path}: only {ONLY_IN[top]} knows {top}"
        if top != "isogloss" or not rest:
            continue
        there = room_of(tuple(rest.split(".")))
        allowed = there == here or (here, there) in SIDEWAYS
        assert allowed or FLOORS.get(there, 0) < floor, f"{path} imports {name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_file_is_one_idea(path: Path) -> None:
    assert path.stem not in FORBIDDEN_NAMES
    assert len(path.read_text("utf-8").splitlines()) <= LONGEST


def test_one_file_knows_ray() -> None:
    names = ("ray", "isogloss.ray_engine")
    knowing = {name: [path.stem for path in FILES if name in imports(path)] for name in names}
    assert knowing == {"ray": ["ray_engine"], "isogloss.ray_engine": ["engine"]}


def test_every_room_has_a_floor() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}
    assert rooms == set(FLOORS)


def test_no_cycles() -> None:
    graph: dict[str, set[str]] = {}
    modules = {
        ".".join(("isogloss", *path.relative_to(PACKAGE).with_suffix("").parts)) for path in FILES
    }
    for path in FILES:
        name = ".".join(("isogloss", *path.relative_to(PACKAGE).with_suffix("").parts))
        tree = ast.parse(path.read_text("utf-8"))
        # Imports inside functions are made late on purpose; cycles are those at import time.
        top = ast.Module(body=[n for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)])
        found = {
            f"{n.module}.{a.name}"
            for n in top.body
            if isinstance(n, ast.ImportFrom)
            for a in n.names
        }
        found |= {n.module or "" for n in top.body if isinstance(n, ast.ImportFrom)}
        graph[name] = (found & modules) - {name}
    while graph:
        leaves = {name for name, needs in graph.items() if not needs & graph.keys()}
        assert leaves, f"import cycle among {sorted(graph)}"
        graph = {name: needs for name, needs in graph.items() if name not in leaves}
