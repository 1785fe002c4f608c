"""Atomic writes and reading with row-level errors: a file is whole or it is not there."""

import gzip
import hashlib
import io
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from isogloss.errors import DataError
from isogloss.write_faults import write_faults

if TYPE_CHECKING:
    # Imported where it is used: worker processes that only read lines start without it.
    import pyarrow as pa

BOM = b"\xef\xbb\xbf"
PACKED_SUFFIXES = (".gz", ".zst")
BLOCK_BYTES = 1 << 20
# The end of an unfinished file's name.
PART = ".part"
STALE_SECONDS = 24 * 60 * 60

# What decoding a line may raise; brackets nested a thousand deep are the last.
UNDECODABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)

T = TypeVar("T")


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Give a temporary path beside `path` and move it into place once the block has succeeded.

    Args:
        path: Where the finished file shall lie; missing parent folders are made.

    Raises:
        WriteError: It cannot be written; the path and what to do are named.

    Yields:
        The path to write to. After an exception it is removed and `path` is left as it was; what a
        killed process left of the same target is removed once it is a day old.
    """
    batch = _BATCH.get()
    with write_faults(path):
        if batch is not None:
            batch.made += [one for one in (path.parent, *path.parent.parents) if not one.exists()]
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(PART, f".{path.name}.", path.parent)
        os.close(handle)
        temporary = Path(name)
        kept = False
        try:
            yield temporary
            # mkstemp makes private files; outputs are shared through DVC and git like others.
            temporary.chmod(0o666 & ~_umask())
            with temporary.open("rb") as written:
                os.fsync(written.fileno())
            if batch is None:
                temporary.replace(path)
                _sweep(path)
            else:
                batch.written.append((temporary, path))
                kept = True
        finally:
            if not kept:
                temporary.unlink(missing_ok=True)


@dataclass
class _Batch:
    """What `all_or_none` holds back.

    Attributes:
        written: Finished files, and where each belongs.
        made: Folders made for them.
    """

    written: list[tuple[Path, Path]] = field(default_factory=list)
    made: list[Path] = field(default_factory=list)


_BATCH: ContextVar[_Batch | None] = ContextVar("_BATCH", default=None)


@contextmanager
def all_or_none() -> Iterator[None]:
    """Hold back every file that the block writes, and put them in place once it has succeeded.

    After an exception each is as it was before, and folders made for them are gone.
    """
    batch = _Batch()
    token = _BATCH.set(batch)
    try:
        yield
        for temporary, path in batch.written:
            with write_faults(path):
                temporary.replace(path)
            _sweep(path)
    except BaseException:
        for temporary, _ in batch.written:
            temporary.unlink(missing_ok=True)
        # The deepest first; one that holds something else stays.
        for folder in sorted(set(batch.made), reverse=True):
            with suppress(OSError):
                folder.rmdir()
        raise
    finally:
        _BATCH.reset(token)


def _sweep(path: Path) -> None:
    """Remove what writers of this file left behind when they were killed, a day ago or longer."""
    left = re.compile(rf"\.{re.escape(path.name)}\.[a-z0-9_]{{8}}{re.escape(PART)}")
    with suppress(OSError), os.scandir(path.parent) as entries:
        for entry in entries:
            # A living writer touches its file; a day is longer than any of them is silent.
            if left.fullmatch(entry.name) and time.time() - entry.stat().st_mtime > STALE_SECONDS:
                with suppress(OSError):
                    Path(entry.path).unlink()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_bytes(path: Path, content: bytes) -> None:
    """Write bytes atomically."""
    with atomic_write(path) as temporary:
        temporary.write_bytes(content)


def write_text(path: Path, content: str) -> None:
    """Write text atomically as UTF-8 with LF line ends, whatever the platform's defaults."""
    write_bytes(path, content.encode("utf-8"))


def json_bytes(value: Any, *, indent: int | None = 2) -> bytes:
    """Encode a value as JSON with sorted keys; NaN and infinity are refused.

    Raises:
        DataError: A number in `value` is not finite: nothing undefined is ever written as a number.
    """
    import json

    try:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, indent=indent, allow_nan=False)
    except ValueError as error:
        raise DataError(
            f"a number to be written as JSON is undefined ({error}); write null and a reason"
        ) from error
    return text.encode("utf-8")


def write_json(path: Path, value: Any) -> None:
    """Write a value as JSON: sorted keys, two blanks of indent, a newline at the end."""
    write_bytes(path, json_bytes(value) + b"\n")


def read_json(path: Path, kind: type[T], advice: str) -> T:
    """Read a JSON file that a stage has made.

    Args:
        path: The file.
        kind: What it must hold.
        advice: What to do where it cannot be used, such as "evaluate again".

    Raises:
        DataError: It is missing, no JSON, or holds something else.
    """
    if not path.is_file():
        raise DataError(f"{path}: no such file; {advice}")
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except UNDECODABLE as error:
        raise DataError(f"{path}: {one_line(error)}; {advice}") from error


def write_jsonl(path: Path, rows: Iterable[Any]) -> int:
    """Write one JSON object a line in the order given, keys sorted.

    Returns:
        The number of rows written.
    """
    count = 0
    encoder = msgspec.json.Encoder(order="sorted")
    with atomic_write(path) as temporary, temporary.open("wb") as out:
        for row in rows:
            out.write(encoder.encode(row) + b"\n")
            count += 1
    return count


def write_parquet(path: Path, table: "pa.Table") -> None:
    """Write a table atomically; the same table gives the same bytes under one pyarrow release."""
    import pyarrow.parquet as pq

    with atomic_write(path) as temporary:
        pq.write_table(table, temporary, compression="zstd")


def read_parquet(path: Path, schema: "pa.Schema | None" = None) -> "pa.Table":
    """Read a parquet file, checked against a schema where one is given.

    Raises:
        DataError: The file is missing, is no parquet file, or has another schema.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.is_file():
        raise DataError(f"{path}: no such file; run the stage that makes it")
    try:
        table = pq.read_table(path)
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"{path}: cannot be read as parquet ({one_line(error)})") from error
    if schema is not None:
        from isogloss.schema import conform

        table = conform(table, schema, str(path))
    return table


def write_gzip(path: Path, content: bytes) -> None:
    """Write gzip bytes without name or time inside, so that equal content gives equal files."""
    buffer = io.BytesIO()
    # Level 6 packs a run file to one per cent more than level 9, in a quarter of the time.
    with gzip.GzipFile("", "wb", compresslevel=6, fileobj=buffer, mtime=0) as packed:
        packed.write(content)
    write_bytes(path, buffer.getvalue())


@contextmanager
def open_bytes(path: Path) -> Iterator[io.BufferedIOBase]:
    """Open a plain, .gz or .zst file for reading bytes, unpacked as it is read.

    Raises:
        DataError: There is no such file, or what is packed in it is damaged or ends early.
    """
    if not path.is_file():
        raise DataError(f"{path}: no such file")
    import pyarrow as pa

    try:
        # Arrow's readers notice a stream that ends early, which zstandard's pass over in silence.
        with pa.input_stream(str(path), compression="detect") as unpacked:
            yield io.BufferedReader(unpacked)
    except OSError as error:
        if path.suffix not in PACKED_SUFFIXES:
            raise
        raise DataError(f"{path}: cannot be unpacked ({one_line(error)})") from error


def read_jsonl(path: Path, decode: Callable[[bytes], Any] = msgspec.json.decode) -> Iterator[Any]:
    """Yield one decoded value a line; blank lines are passed over, a BOM is dropped.

    Args:
        path: A file with one JSON value a line; lines end at LF, a CR before it is dropped.
        decode: Turns one line into a value, for instance ``msgspec.json.Decoder(Type).decode``.

    Raises:
        DataError: A line cannot be decoded; the message names file and line.
    """
    with open_bytes(path) as lines:
        for number, line in enumerate(lines, start=1):
            content = line.removeprefix(BOM) if number == 1 else line
            if not content.strip():
                continue
            try:
                yield decode(content)
            except UNDECODABLE as error:
                raise DataError(f"{path}, line {number}: {one_line(error)}") from error


def read_records(
    path: Path, record: type[T], seen: Callable[[bytes], object] | None = None
) -> Iterator[list[T]]:
    """Yield typed records, many at a time, from a file with one JSON object a line.

    Blocks of whole lines are decoded at once; only a block with a fault is gone through line by
    line, to name it. Blank lines are passed over, a BOM and CRs are dropped.

    Args:
        path: Plain, .gz or .zst.
        record: What every line must be.
        seen: Given every byte read, in order; a digest of the file then costs no second reading.

    Raises:
        DataError: A line is no such record; the message names file and line.
    """
    decoder = msgspec.json.Decoder(record)
    place = 0
    with open_bytes(path) as content:
        while block := content.read(BLOCK_BYTES) + content.readline():
            if seen is not None:
                seen(block)
            text = block if place else block.removeprefix(BOM)
            try:
                yield decoder.decode_lines(text)
            except UNDECODABLE:
                before = _lines_before(path, place)
                yield list(_decode_each(path, text.split(b"\n"), before, decoder))
            place += len(block)


def _lines_before(path: Path, place: int) -> int:
    """Counted only where a fault must be named: for all blocks it would be a tenth of the time."""
    lines = 0
    with open_bytes(path) as content:
        while place and (block := content.read(min(BLOCK_BYTES, place))):
            lines += block.count(b"\n")
            place -= len(block)
    return lines


def _decode_each(
    path: Path, lines: list[bytes], before: int, decoder: "msgspec.json.Decoder[T]"
) -> Iterator[T]:
    for number, line in enumerate(lines, start=before + 1):
        if not line.strip():
            continue
        try:
            yield decoder.decode(line)
        except UNDECODABLE as error:
            raise DataError(f"{path}, line {number}: {one_line(error)}") from error


def sha256_bytes(content: bytes) -> str:
    """Hex SHA-256 of some bytes."""
    return hashlib.sha256(content).hexdigest()


def one_line(error: BaseException) -> str:
    """The message of an exception folded into one line."""
    return " ".join(str(error).split()) or type(error).__name__
