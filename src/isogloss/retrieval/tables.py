"""The tables of the vector store: names, schemas, and the rows a dataset version asks for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from isogloss.errors import StoreError

Content = Literal["document", "query", "score"]
TABLE_SUFFIXES: dict[Content, str] = {
    "document": "documents",
    "query": "queries",
    "score": "scores",
}


def table_name(benchmark: str, release: str, content: Content) -> str:
    """One table of documents, one of queries, one of pairs scored, by benchmark and release."""
    return f"{benchmark}.{release}.{TABLE_SUFFIXES[content]}"


@dataclass(frozen=True)
class TableSpec:
    """What a table is.

    Attributes:
        name: See `table_name`.
        model: The model's key, for errors.
        dimension: Of its vectors; None for full-text tables, which hold none.
        full_text: Whether its texts get a full-text index.
    """

    name: str
    model: str
    dimension: int | None
    full_text: bool = False

    @property
    def schema(self) -> pa.Schema:
        """Columns: id, hash of the text sent, text without prompt, its tokens, its vector."""
        fields = [
            pa.field("id", pa.string()),
            pa.field("hash", pa.string()),
            pa.field("text", pa.string()),
            pa.field("tokens", pa.int32()),
        ]
        if self.dimension is not None:
            fields.append(pa.field("vector", pa.list_(pa.float32(), self.dimension)))
        return pa.schema(fields)

    @property
    def staging_schema(self) -> pa.Schema:
        """What is computed, by the hash of the text it was computed from."""
        return pa.schema(
            [field for field in self.schema if field.name in ("hash", "tokens", "vector")]
        )

    def check(self, found: pa.Schema) -> None:
        """Compare with a schema found in the store; the order of columns does not matter.

        Raises:
            StoreError: Columns are missing, unknown or of other types, or the dimension differs.
        """
        expected = self.schema
        missing = [name for name in expected.names if name not in found.names]
        unknown = [name for name in found.names if name not in expected.names]
        if missing or unknown:
            faults = [f"lacks column {name}" for name in missing]
            faults += [f"has unknown column {name}" for name in unknown]
            raise StoreError(f"table {self.name}: {'; '.join(faults)}; another release made it")
        for field in expected:
            kind = found.field(field.name).type
            if field.name == "vector" and pa.types.is_fixed_size_list(kind):
                if kind.list_size != self.dimension:
                    raise StoreError(
                        f"table {self.name} holds vectors of dimension {kind.list_size}, "
                        f"{self.model} declares {self.dimension}: vectors of two models never "
                        "share a table"
                    )
            elif kind != field.type:
                raise StoreError(
                    f"table {self.name}: column {field.name} is {kind}, must be {field.type}"
                )


@dataclass(frozen=True)
class Rows:
    """The texts of one side of a dataset version, sorted by id, ids distinct.

    Attributes:
        ids: Document or query ids.
        hashes: Of the exact texts sent.
        texts: Without prompts.
    """

    ids: list[str]
    hashes: list[str]
    texts: list[str]

    def __post_init__(self) -> None:
        if any(low >= high for low, high in zip(self.ids, self.ids[1:], strict=False)):
            raise StoreError("rows must be sorted by id and their ids distinct")

    def take(self, positions: Sequence[int]) -> "Rows":
        """The rows at some positions, which ascend."""
        return Rows(
            [self.ids[at] for at in positions],
            [self.hashes[at] for at in positions],
            [self.texts[at] for at in positions],
        )


@dataclass(frozen=True)
class Computed:
    """What an encoder made of some texts.

    Attributes:
        hashes: Of the texts sent.
        tokens: Their lengths in tokens; None where the model has no limit.
        vectors: float32 (n, dimension); None for full-text tables.
    """

    hashes: list[str]
    tokens: list[int | None]
    vectors: npt.NDArray[np.float32] | None

    def table(self, spec: TableSpec) -> pa.Table:
        """As rows of the staging table."""
        columns = [pa.array(self.hashes, pa.string()), pa.array(self.tokens, pa.int32())]
        if self.vectors is not None and spec.dimension is not None:
            flat = pa.array(np.ascontiguousarray(self.vectors, dtype=np.float32).ravel())
            columns.append(pa.FixedSizeListArray.from_arrays(flat, spec.dimension))
        return pa.table(columns, schema=spec.staging_schema)
