"""What makes a run this run: its fingerprint, the same on every machine."""

from collections.abc import Mapping
from typing import Any

from isogloss.files import json_bytes, sha256_bytes


def fingerprint(kind: str, parts: Mapping[str, Any]) -> str:
    """Hash what a run's figures depend on: 32 hex digits.

    Args:
        kind: ``evaluation`` or ``comparison``; the two never meet.
        parts: For an evaluation the dataset version, the release, the evaluation settings and the
            version of the metric definitions (DESIGN, "Run identity"); JSON values only.
    """
    return sha256_bytes(json_bytes({"kind": kind, **parts}, indent=None))[:32]


def text_hash(text: str) -> str:
    """The hash that stands for a long text in a parameter: 16 hex digits."""
    return sha256_bytes(text.encode("utf-8"))[:16]
