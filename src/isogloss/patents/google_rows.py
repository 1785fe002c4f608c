"""Rows of Google's `publications` table: decoded with only the fields that are needed.

A BigQuery export leaves null and empty fields out and writes INT64 as a string; both are what a
row means here. Fields of the table that are not named here are skipped while parsing.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from isogloss.errors import DataError
from isogloss.files import one_line
from isogloss.patents.record import reason_of
from isogloss.patents.shards import CutShortError, line_blocks

if TYPE_CHECKING:
    # Imported where a shard is Parquet: processes that read lines start without it.
    import pyarrow as pa


class Localized(msgspec.Struct, gc=False):
    """A title or an abstract in one language."""

    text: str | None = None
    language: str | None = None
    truncated: bool | None = None


class Code(msgspec.Struct, gc=False):
    """A CPC or IPC code."""

    code: str | None = None


class Row(msgspec.Struct, gc=False):
    """One row of the table."""

    publication_number: str | None = None
    country_code: str | None = None
    family_id: int | str | float | None = None
    publication_date: int | str | float | None = None
    title_localized: list[Localized] | None = None
    abstract_localized: list[Localized] | None = None
    cpc: list[Code] | None = None
    ipc: list[Code] | None = None


FIELDS = Row.__struct_fields__
PARQUET_ROWS = 2_000
LINE_FEED = ord("\n")
_DECODER = msgspec.json.Decoder(Row)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_FAULTS = (msgspec.DecodeError, msgspec.ValidationError, ValueError, RecursionError)
# Dates beyond Python's overflow.
_CELL_FAULTS = (*_FAULTS, OverflowError)

Batch = tuple[range | list[int], list[Row]]


class RowReader:
    """Goes once through a shard, or a range of its bytes.

    Attributes:
        lines: Lines (or Parquet rows) gone through.
        faults: Line (from 1, within the range) and reason of each row refused.
        lone_surrogates: Halves of surrogate pairs that left while decoding.
        cut: Why the shard ends early; None when it does not.
    """

    def __init__(self, path: Path, start: int = 0, end: int | None = None) -> None:
        self.path, self.start, self.end = path, start, end
        self.lines = 0
        self.faults: list[tuple[int, str]] = []
        self.lone_surrogates = 0
        self.cut: str | None = None

    def batches(self) -> Iterator[Batch]:
        """Yield (line numbers, rows) many at a time, refused rows left out."""
        if self.path.suffix.lower() == ".parquet":
            yield from self._parquet_batches()
            return
        try:
            for block in line_blocks(self.path, self.start, self.end):
                yield self._decode(block)
        except CutShortError as error:
            self.cut = str(error)

    def _decode(self, block: bytes) -> Batch:
        # Twice as fast as block.count, and one of the larger costs of a valid block.
        ends = np.frombuffer(block, dtype=np.uint8) == LINE_FEED
        count = int(np.count_nonzero(ends)) + (not block.endswith(b"\n"))
        first = self.lines + 1
        try:
            rows = _DECODER.decode_lines(block)
        except _FAULTS:
            rows = []
        if len(rows) == count:
            self.lines += count
            return range(first, first + count), rows
        # A blank line, a value over several lines or a faulty one: line by line.
        return self._decode_one_by_one(block)

    def _decode_one_by_one(self, block: bytes) -> Batch:
        numbers, rows = [], []
        lines = block.split(b"\n")
        unfinished = lines.pop()
        if unfinished:
            lines.append(unfinished)
        for line in lines:
            self.lines += 1
            if not line.strip():
                continue
            try:
                row = self._decode_line(line)
            except _FAULTS as error:
                if unfinished and line is lines[-1]:
                    self.lines -= 1
                    self.cut = "ends inside a line"
                else:
                    self.faults.append((self.lines, one_line(error)))
                continue
            numbers.append(self.lines)
            rows.append(row)
        return numbers, rows

    def _decode_line(self, line: bytes) -> Row:
        try:
            return _DECODER.decode(line)
        except (msgspec.DecodeError, RecursionError):
            # Python's reader takes what msgspec refuses: lone surrogate escapes, raw control
            # characters, a number of another type.
            value = json.loads(line.decode("utf-8"), strict=False)
        return msgspec.convert(self._without_surrogates(value), Row, strict=False)

    def _without_surrogates(self, value: Any) -> Any:
        if isinstance(value, str):
            text, count = _LONE_SURROGATE.subn("", value)
            self.lone_surrogates += count
            return text
        if isinstance(value, list):
            return [self._without_surrogates(item) for item in value]
        if isinstance(value, dict):
            return {key: self._without_surrogates(value[key]) for key in value}
        return value

    def _parquet_batches(self) -> Iterator[Batch]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            with pq.ParquetFile(self.path) as file:
                columns = [name for name in FIELDS if name in file.schema_arrow.names]
                if "publication_number" not in columns:
                    raise DataError("has no column publication_number")
                for batch in file.iter_batches(PARQUET_ROWS, columns=columns, use_threads=False):
                    yield self._decode_batch(batch)
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            reason = f"cannot be read as parquet ({reason_of(error, self.path)})"
            raise DataError(reason) from error

    def _decode_batch(self, batch: "pa.RecordBatch") -> Batch:
        # Arrow does not check its text: a cell that is no UTF-8 fails where it becomes Python's.
        try:
            values = batch.to_pylist()
        except _CELL_FAULTS:
            return self._convert(batch.slice(index, 1) for index in range(batch.num_rows))
        return self._convert(values)

    def _convert(self, values: "Iterable[dict[str, Any] | pa.RecordBatch]") -> Batch:
        numbers, rows = [], []
        for value in values:
            self.lines += 1
            try:
                found = value if isinstance(value, dict) else value.to_pylist()[0]
                row = msgspec.convert(found, Row, strict=False)
            except _CELL_FAULTS as error:
                self.faults.append((self.lines, one_line(error)))
                continue
            numbers.append(self.lines)
            rows.append(row)
        return numbers, rows
