"""Small corpora for query makers."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from isogloss.qac.versions import Family, families
from isogloss.schema import CORPUS


def row(family: str, language: str, abstract: str = "", **over: Any) -> dict[str, Any]:
    filled = {
        "id": f"{family}:{language}",
        "family": family,
        "cluster": family,
        "language": language,
        "title": "",
        "abstract": abstract,
        "claim": "",
        "segments": [],
        "codes": ["C07C"],
        "office": "EP",
        "date": "2020-01-31",
        "origin": "synthetic",
    } | over
    originals = {f"{key}_original": filled[key] for key in ("title", "abstract", "claim")}
    return originals | filled


def table(rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=CORPUS)


@pytest.fixture
def make_row() -> Callable[..., dict[str, Any]]:
    """One corpus row; everything but family and language may be left out."""
    return row


@pytest.fixture
def make_families() -> Callable[[list[dict[str, Any]]], list[Family]]:
    """Corpus rows, in any order, as families."""
    return lambda rows: families(table(rows))
