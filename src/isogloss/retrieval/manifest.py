"""embeddings/BENCHMARK/MODEL.json: which vectors belong to a dataset version and a release.

The vectors themselves lie in the store; this file is what DVC tracks of them. It says the same on
every machine, so it holds no counts of what a run had to compute.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from isogloss.errors import DataError
from isogloss.files import one_line, write_json


class SentText(msgspec.Struct, frozen=True):
    """The exact text sent to the model for one id: what shows a wrong or missing prompt."""

    id: str
    text: str


class SideManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one table holds at the tag.

    Attributes:
        table: Its name in the store.
        rows: How many.
        digest: See `rows_digest`.
        sent: For the first id.
        truncated: Share of texts with more tokens than the model reads, by language; None where
            the model has no limit.
    """

    table: str
    rows: int
    digest: str
    sent: SentText
    truncated: dict[str, float] | None


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The vectors of one model on one dataset version.

    Attributes:
        benchmark: Its key.
        model: Its key.
        release: The model's exact state.
        dataset_version: The benchmark's exact state.
        tag: Of both tables.
        dimension: None for full-text search.
        declaration: The model's file as it was read.
        documents: The document table.
        queries: The query table.
    """

    benchmark: str
    model: str
    release: str
    dataset_version: str
    tag: str
    dimension: int | None
    declaration: dict[str, Any]
    documents: SideManifest
    queries: SideManifest


def rows_digest(ids: Sequence[str], hashes: Sequence[str]) -> str:
    """SHA-256, 64 hex digits, over the lines ``id TAB hash`` of rows sorted by id."""
    lines = (f"{key}\t{text_hash}\n" for key, text_hash in zip(ids, hashes, strict=True))
    return hashlib.sha256("".join(lines).encode("utf-8")).hexdigest()


def truncated_shares(
    languages: Sequence[str], tokens: Sequence[int | None], max_length: int | None
) -> dict[str, float] | None:
    """Share of texts, by language, that the model cuts; None where it has no length limit.

    Args:
        languages: Of the texts.
        tokens: Lengths of the texts sent, special tokens included.
        max_length: What the model reads.
    """
    if max_length is None or any(count is None for count in tokens):
        return None
    pairs = list(zip(languages, tokens, strict=True))
    cut = Counter(language for language, count in pairs if count is not None and count > max_length)
    return {
        language: cut[language] / total for language, total in sorted(Counter(languages).items())
    }


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Write a manifest; the same vectors give the same bytes."""
    write_json(path, msgspec.to_builtins(manifest))


def read_manifest(path: Path) -> Manifest:
    """Read a manifest.

    Raises:
        DataError: There is none, or it is not one.
    """
    if not path.is_file():
        raise DataError(f"{path}: no such manifest; run isogloss embed first")
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except msgspec.DecodeError as error:
        raise DataError(f"{path}: {one_line(error)}; run isogloss embed again") from error
