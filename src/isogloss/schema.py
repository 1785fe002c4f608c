"""The record types that cross stage borders, each once, and their validation."""

import pyarrow as pa

from isogloss.errors import DataError

SEGMENT = pa.struct([pa.field("id", pa.string(), False), pa.field("text", pa.string(), False)])

# One row a document: one language version of one family. Cleaned text beside the original.
CORPUS = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("family", pa.string(), nullable=False),
        pa.field("cluster", pa.string(), nullable=False),
        pa.field("language", pa.string(), nullable=False),
        pa.field("title", pa.string(), nullable=False),
        pa.field("abstract", pa.string(), nullable=False),
        pa.field("claim", pa.string(), nullable=False),
        # Aligned segments of a parallel source; empty for patents.
        pa.field("segments", pa.list_(SEGMENT), nullable=False),
        pa.field("codes", pa.list_(pa.string()), nullable=False),
        pa.field("office", pa.string(), nullable=False),
        # ISO date; null = unknown.
        pa.field("date", pa.string(), nullable=True),
        pa.field("origin", pa.string(), nullable=False),
        pa.field("title_original", pa.string(), nullable=False),
        pa.field("abstract_original", pa.string(), nullable=False),
        pa.field("claim_original", pa.string(), nullable=False),
    ]
)


def conform(table: pa.Table, schema: pa.Schema, where: str) -> pa.Table:
    """Return the table with the schema's columns in the schema's order, or say what is wrong.

    Args:
        table: Any table; the order of its columns does not matter.
        schema: What it must hold, neither more nor less.
        where: The file or stage named in errors.

    Raises:
        DataError: A column is missing, unknown or of another type, or holds nulls it must not hold.
    """
    missing = [name for name in schema.names if name not in table.column_names]
    unknown = [name for name in table.column_names if name not in schema.names]
    if missing or unknown:
        faults = [f"lacks column {name}" for name in missing]
        faults += [f"has unknown column {name}" for name in unknown]
        raise DataError(f"{where}: {'; '.join(faults)}")
    table = table.select(schema.names)
    for field in schema:
        column = table.column(field.name)
        if column.type != field.type:
            raise DataError(f"{where}: column {field.name} is {column.type}, must be {field.type}")
        if not field.nullable and column.null_count:
            row = column.is_null().to_pylist().index(True)
            raise DataError(f"{where}, row {row + 1}: column {field.name} is null")
    return table.cast(schema)
