"""The ZIP around a workbook: written with the same bytes each time, opened with suspicion."""

import io
import re
import zipfile
from pathlib import Path

from isogloss.errors import DataError
from isogloss.files import one_line

# The earliest moment a ZIP can name. A workbook says when it was made in no place.
_EPOCH = (1980, 1, 1, 0, 0, 0)
_DATES = re.compile(
    rb"(<dcterms:(created|modified)[^>]*>)[^<]*(</dcterms:\2>)",
)
MAX_UNPACKED = 256 * 1024 * 1024


def stable(content: bytes) -> bytes:
    """Pack a workbook anew: parts by name, no times, fixed document dates."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as packed,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as repacked,
    ):
        # Programs expect the content types first; the rest follows in name order.
        names = sorted(packed.namelist(), key=lambda name: (name != "[Content_Types].xml", name))
        for name in names:
            part = packed.read(name)
            if name == "docProps/core.xml":
                part = _DATES.sub(rb"\g<1>2000-01-01T00:00:00Z\3", part)
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            entry.create_system = 3
            repacked.writestr(entry, part)
    return out.getvalue()


def checked_bytes(path: Path, max_unpacked: int = MAX_UNPACKED) -> bytes:
    """Read a workbook's bytes, refusing what no spreadsheet program writes.

    Raises:
        DataError: The file is missing or no .xlsx workbook, unpacks to more than `max_unpacked`
            bytes, or a part of it declares a document type (and with it entities).
    """
    if not path.is_file():
        raise DataError(f"{path}: no such file")
    content = path.read_bytes()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            parts = packed.infolist()
            if "[Content_Types].xml" not in packed.namelist():
                raise DataError(f"{path}: is a ZIP but no .xlsx workbook; save the sheet as .xlsx")
            # The sizes are the file's own claim; zipfile stops at a part that turns out larger.
            size = sum(part.file_size for part in parts)
            if size > max_unpacked:
                raise DataError(f"{path}: unpacks to {size} bytes, more than {max_unpacked}")
            for part in parts:
                text = packed.read(part)
                if part.filename.endswith((".xml", ".rels")) and _declares_type(text):
                    raise DataError(
                        f"{path}: part {part.filename} declares a document type; refused"
                    )
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError) as error:
        raise DataError(
            f"{path}: is no .xlsx workbook ({one_line(error)}); save the sheet as .xlsx, "
            "without a password"
        ) from error
    return content


def _declares_type(part: bytes) -> bool:
    # UTF-16 parts are legal; without their zero bytes they show the same letters.
    return b"<!DOCTYPE" in part.replace(b"\0", b"")
