"""The manifest of a retriever that is made of others: what it was made of, and texts sent for it.

It lies where other manifests lie, and like them says the same on every machine.
"""

import hashlib
from pathlib import Path
from typing import Any

import msgspec

from isogloss.errors import DataError
from isogloss.files import json_bytes, one_line, write_json
from isogloss.retrieval.manifest import Manifest, SideManifest, read_manifest


class PartManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One model that a retriever is made of.

    Attributes:
        model: Its key.
        release: Its exact state.
        digest: Of what it made of the dataset version; see `content_digest`.
    """

    model: str
    release: str
    digest: str


class DerivedManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one derived retriever needs on one dataset version.

    Attributes:
        benchmark: Its key.
        model: Its key.
        release: The retriever's exact state, its parts' among it.
        dataset_version: The benchmark's exact state.
        declaration: The retriever's file as it was read.
        parts: The models it is made of.
        sent: Texts sent to models, by name, such as ``bm25.query``: what shows a wrong prompt.
        translations: The texts searched with, by language, by query id; None where none are.
        queries: The table of their vectors; None where the inner model takes texts.
        scores: Name of the table of second-stage scores; None where none are kept.
    """

    benchmark: str
    model: str
    release: str
    dataset_version: str
    declaration: dict[str, Any]
    parts: list[PartManifest]
    sent: dict[str, str]
    translations: dict[str, dict[str, str]] | None = None
    queries: SideManifest | None = None
    scores: str | None = None


AnyManifest = Manifest | DerivedManifest


def content_digest(manifest: AnyManifest) -> str:
    """SHA-256, 64 hex digits, over what a manifest says of vectors and texts, not of notes."""
    if isinstance(manifest, Manifest):
        content: dict[str, Any] = {
            "documents": manifest.documents.digest,
            "queries": manifest.queries.digest,
        }
    else:
        content = {
            "parts": [msgspec.to_builtins(part) for part in manifest.parts],
            "translations": manifest.translations,
            "queries": None if manifest.queries is None else manifest.queries.digest,
        }
    whole = {
        "dataset_version": manifest.dataset_version,
        "release": manifest.release,
        **content,
    }
    return hashlib.sha256(json_bytes(whole, indent=None)).hexdigest()


def sent_texts(manifest: AnyManifest) -> dict[str, str]:
    """The exact texts sent to models for one query and one document, by name."""
    if isinstance(manifest, DerivedManifest):
        return dict(manifest.sent)
    return {"query": manifest.queries.sent.text, "document": manifest.documents.sent.text}


def write_derived_manifest(path: Path, manifest: DerivedManifest) -> None:
    """Write a manifest; the same content gives the same bytes."""
    write_json(path, msgspec.to_builtins(manifest))


def read_any_manifest(path: Path) -> AnyManifest:
    """Read a manifest of either kind.

    Raises:
        DataError: There is none, or it is not one.
    """
    if path.is_file():
        try:
            content = msgspec.json.decode(path.read_bytes())
            if isinstance(content, dict) and "parts" in content:
                return msgspec.convert(content, DerivedManifest)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise DataError(f"{path}: {one_line(error)}; run isogloss embed again") from error
    return read_manifest(path)
