"""What a table's name in the vector store says: whose vectors it holds."""

from typing import NamedTuple

from isogloss.retrieval.declaration import Side


class StoredTable(NamedTuple):
    """One table of the store."""

    benchmark: str
    release: str
    side: Side


def parse_table_name(name: str) -> StoredTable | None:
    """The reverse of `table_name`; None for a table that is none of ours."""
    parts = name.split(".")
    if len(parts) != 3 or parts[2] not in ("documents", "queries"):
        return None
    return StoredTable(parts[0], parts[1], "document" if parts[2] == "documents" else "query")
