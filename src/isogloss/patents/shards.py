"""Bytes of one shard as blocks of whole lines, plain or unpacked, in constant memory."""

import codecs
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from isogloss.errors import DataError
from isogloss.files import BOM
from isogloss.patents.record import reason_of

# Small enough to stay in the processor's cache while it is split and decoded.
BLOCK_BYTES = 1 << 18
_PACKED_READ = 1 << 17


class CutShortError(DataError):
    """A shard ends early or is damaged inside; every whole line before that has been given."""


# How packed files begin; a zstd file may begin with a frame to be skipped.
_GZIP = re.compile(rb"\x1f\x8b")
_ZSTD = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")


def line_blocks(path: Path, start: int = 0, end: int | None = None) -> Iterator[bytes]:
    """Yield the lines of a shard, many at a time.

    Args:
        path: A plain, .gz or .zst file.
        start: Plain files only: lines that begin at this byte or later.
        end: Plain files only: lines that begin before this byte; None = to the end of the file.

    Yields:
        Blocks that end with a line feed; the last one may lack it.

    Raises:
        CutShortError: The shard is cut short or damaged; what stood before has been given.
        DataError: Nothing of the shard can be read: it is UTF-16, cannot be opened, or is not
            packed as its name says. Neither message names the shard, which the caller does.
    """
    rest: list[bytes] = []
    first = start == 0
    try:
        for chunk in _chunks(path, start, end):
            if first:
                first = False
                if chunk.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                    raise DataError("is UTF-16; export it as UTF-8")
                chunk = chunk.removeprefix(BOM)
            cut = chunk.rfind(b"\n") + 1
            if not cut:
                rest.append(chunk)
                continue
            yield b"".join((*rest, memoryview(chunk)[:cut]))
            rest = [chunk[cut:]] if cut < len(chunk) else []
    except (EOFError, zlib.error, OSError) as error:
        if first and start == 0:
            raise DataError(f"cannot be read ({reason_of(error, path)})") from error
        raise CutShortError(f"ends early or is damaged ({reason_of(error, path)})") from error
    if rest:
        yield b"".join(rest)


def _chunks(path: Path, start: int, end: int | None) -> Iterator[bytes]:
    suffix = path.suffix.lower()
    if suffix == ".gz":
        return _gzip_chunks(path)
    if suffix == ".zst":
        return _zstd_chunks(path)
    return _plain_chunks(path, start, path.stat().st_size if end is None else end)


def _plain_chunks(path: Path, start: int, end: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        if start:
            # The line that holds the byte before `start` belongs to the range before.
            file.seek(start - 1)
            file.readline()
        position = file.tell()
        chunk = b""
        while position < end and (chunk := file.read(min(BLOCK_BYTES, end - position))):
            position += len(chunk)
            yield chunk
        if chunk and not chunk.endswith(b"\n") and (tail := file.readline()):
            yield tail


def _packed_start(file: IO[bytes], magic: re.Pattern[bytes], kind: str) -> bytes:
    packed = file.read(_PACKED_READ)
    if magic.match(packed) is None:
        raise DataError(f"is no {kind} file" if packed else f"is empty and no {kind} file")
    return packed


def _gzip_chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        packed = _packed_start(file, _GZIP, "gzip")
        while packed:
            unpacker = zlib.decompressobj(wbits=31)
            while not unpacker.eof:
                chunk = unpacker.decompress(packed, BLOCK_BYTES)
                if chunk:
                    yield chunk
                packed = unpacker.unconsumed_tail
                if not packed and len(chunk) < BLOCK_BYTES and not unpacker.eof:
                    packed = file.read(_PACKED_READ)
                    if not packed:
                        raise EOFError("the gzip stream has no end")
            # Another member may follow; padding with zeros after the last one is allowed.
            packed = unpacker.unused_data.lstrip(b"\x00")
            while not packed and (more := file.read(_PACKED_READ)):
                packed = more.lstrip(b"\x00")


def _zstd_chunks(path: Path) -> Iterator[bytes]:
    import zstandard

    unpacker = zstandard.ZstdDecompressor().decompressobj()
    begun = False
    with path.open("rb") as file:
        packed = _packed_start(file, _ZSTD, "zstd")
        try:
            while packed:
                begun = True
                chunk = unpacker.decompress(packed)
                if chunk:
                    yield chunk
                if unpacker.eof:
                    packed = unpacker.unused_data or file.read(_PACKED_READ)
                    unpacker = zstandard.ZstdDecompressor().decompressobj()
                    begun = False
                else:
                    packed = file.read(_PACKED_READ)
        except zstandard.ZstdError as error:
            raise EOFError(str(error)) from error
    if begun:
        raise EOFError("the zstd stream has no end")
