"""identity.json: what an evaluation depends on, and the fingerprint of its MLflow run."""

from pathlib import Path
from typing import Any

import msgspec

from isogloss.files import read_json, write_json

IDENTITY_FILE = "identity.json"


class Identity(msgspec.Struct, frozen=True):
    """What one evaluation depends on.

    Attributes:
        benchmark: The benchmark's key.
        model: The model's key.
        dataset_version: The benchmark's version.
        release: The hash over what makes the model's vectors.
        metrics_version: The version of the metric definitions.
        settings: The evaluation settings.
        fingerprint: All of these, hashed; the MLflow run carries it as a tag.
        remarks: What a reader of its figures must know.
        prompts: The exact texts sent for one query and one document.
    """

    benchmark: str
    model: str
    dataset_version: str
    release: str
    metrics_version: str
    settings: dict[str, Any]
    fingerprint: str
    remarks: list[str]
    prompts: dict[str, str]


def write_identity(folder: Path, identity: Identity) -> None:
    """Write identity.json."""
    write_json(folder / IDENTITY_FILE, msgspec.to_builtins(identity))


def read_identity(folder: Path) -> Identity:
    """Read identity.json.

    Raises:
        DataError: It is missing or broken.
    """
    path = folder / IDENTITY_FILE
    return read_json(path, Identity, "run `isogloss evaluate` for this result")
