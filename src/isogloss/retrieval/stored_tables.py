"""What a table's name in the vector store says: whose vectors it holds."""

from typing import NamedTuple

from isogloss.retrieval.tables import TABLE_SUFFIXES, Content


class StoredTable(NamedTuple):
    """One table of the store."""

    benchmark: str
    release: str
    side: Content


def parse_table_name(name: str) -> StoredTable | None:
    """The reverse of `table_name`; None for a table that is none of ours."""
    parts = name.split(".")
    if len(parts) != 3:
        return None
    for side, suffix in TABLE_SUFFIXES.items():
        if suffix == parts[2]:
            return StoredTable(parts[0], parts[1], side)
    return None
