"""docs/retrievers.md shows whole files: each example is read as the declaration of its section."""

import re
from pathlib import Path

import pytest

from isogloss.retrieval.approximation import APPROXIMATION
from isogloss.retrieval.declaration import read_declaration
from isogloss.retrieval.language_preference import COLUMNS
from isogloss.retrieval.reranking import Reached

KINDS = ("fusion", "query-translation", "rerank", "centred", "approximate")


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "retrievers.md").read_text("utf-8")


def section(page: str, title: str) -> str:
    return page.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


@pytest.mark.parametrize("kind", KINDS)
def test_an_example_is_a_declaration(page: str, root: Path, tmp_path: Path, kind: str) -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", section(page, kind), re.DOTALL)
    for path in (root / "models").glob("*.yaml"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "example.yaml").write_text(f"{example}licence: mit\n", "utf-8")
    declared = read_declaration(tmp_path / "example.yaml")
    assert declared.model_dump()["kind"] == kind
    # Every setting of the kind is shown or told.
    own = set(type(declared).model_fields) - {"key", "kind", "licence", "note", "made_of"}
    for name in own - {"parameters_millions"}:
        assert re.search(rf"\b{name}\b", section(page, kind)), name


def test_the_columns_of_all_tables_are_told(page: str) -> None:
    for name in COLUMNS.names:
        assert f"`{name}`" in section(page, "Language preference")
    for name in Reached.__annotations__:
        assert f"`{name}`" in section(page, "rerank")
    for name in APPROXIMATION.names:
        assert f"`{name}`" in section(page, "approximate")
