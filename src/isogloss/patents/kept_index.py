"""Which publications stay, and in what order: sort keys in columns, texts on the disk."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from isogloss.patents.ingest import document_order
from isogloss.patents.record import Publication
from isogloss.patents.scan_files import Stored

Indexes = npt.NDArray[np.int64]


class StoredPublications(Sequence[Publication]):
    """Publications as files hold them, decoded as they are gone through."""

    def __init__(self, files: Sequence[Stored], kept: pa.Table, holder: object = None) -> None:
        """Look at some publications.

        Args:
            files: Of the parts.
            kept: Rows of `kept_table`, in the order wanted.
            holder: Whatever must live as long as the files do.
        """
        self._files, self._holder = files, holder
        self._spans = [kept.column(name).to_numpy() for name in ("part", "offset", "size")]
        self._decoder = msgspec.msgpack.Decoder(Publication)

    def __len__(self) -> int:
        return len(self._spans[0])

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        part, offset, size = (int(column[index]) for column in self._spans)
        return self._decoder.decode(self._files[part].blob(offset, size))

    def __iter__(self) -> Iterator[Publication]:
        return (self[place] for place in range(len(self)))


def kept_table(files: Sequence[Stored], offsets: Indexes, taken: Indexes) -> pa.Table:
    """Every row that survived on its own and was not read again.

    Args:
        files: Of the parts, in order.
        offsets: The place, among all rows, of each part's first one.
        taken: Ascending places of rows that were joined with others since.

    Returns:
        Columns number, date, documents, part, offset, size and conflicts: some 60 bytes a row.
    """
    tables = []
    for part, stored in enumerate(files):
        kept = stored.kept()
        ends = np.cumsum([one.size for one in kept], dtype=np.int64)
        sizes = np.array([one.size for one in kept], dtype=np.int64)
        columns = {
            "number": pa.array([one.number for one in kept], pa.string()),
            "date": pa.array([one.date for one in kept], pa.string()),
            "documents": np.array([one.documents for one in kept], dtype=np.int32),
            "part": np.full(len(kept), part, dtype=np.int32),
            "offset": ends - sizes,
            "size": sizes,
            "conflicts": pa.array(
                [msgspec.msgpack.encode(one.conflicts) if one.conflicts else None for one in kept],
                pa.binary(),
            ),
        }
        places = np.array([one.row for one in kept], dtype=np.int64) + offsets[part]
        # The last part holds what was joined: its rows have no places.
        stays = ~np.isin(places, taken) if part < len(offsets) - 1 else np.ones(len(kept), bool)
        tables.append(pa.table(columns).filter(pa.array(stays)))
    return pa.concat_tables(tables).combine_chunks()


def newest(kept: pa.Table, limit: int) -> pa.Table:
    """The newest publications: latest date first, ties by number ascending, unknown dates last."""
    order = pc.sort_indices(
        kept,
        sort_keys=[("date", "descending"), ("number", "ascending")],
        null_placement="at_end",
    )
    return kept.take(order[:limit])


def in_document_order(kept: pa.Table) -> pa.Table:
    """Publications in the order of their documents' ids."""
    end = document_order("")
    keys = pc.binary_join_element_wise(kept.column("number"), end, "")
    return kept.take(pc.array_sort_indices(keys))


def conflicts_of(kept: pa.Table) -> list[dict[str, Any]]:
    """What contradicts itself in the publications that stay."""
    packed = kept.column("conflicts").drop_null().to_pylist()
    return [conflict for blob in packed for conflict in msgspec.msgpack.decode(blob)]
