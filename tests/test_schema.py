"""A table that drifted from its schema is refused by name, never filled with nulls."""

import pyarrow as pa
import pytest

from isogloss.errors import DataError
from isogloss.schema import conform

SCHEMA = pa.schema([pa.field("id", pa.string(), nullable=False), pa.field("n", pa.int64())])


def test_another_column_order_is_the_same_table() -> None:
    table = conform(pa.table({"n": [1], "id": ["a"]}), SCHEMA, "x")
    assert table.schema == SCHEMA
    assert table.to_pylist() == [{"id": "a", "n": 1}]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"id": ["a"]}, "lacks column n"),
        ({"id": ["a"], "n": [1], "lang": ["de"]}, "unknown column lang"),
        ({"id": ["a"], "n": ["1"]}, "column n is string, must be int64"),
        ({"id": ["a", None], "n": [1, 2]}, "row 2: column id is null"),
    ],
)
def test_drift_is_named(columns: dict[str, list[object]], message: str) -> None:
    with pytest.raises(DataError, match=message):
        conform(pa.table(columns), SCHEMA, "x")
