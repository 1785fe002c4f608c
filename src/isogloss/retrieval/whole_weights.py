"""A model whose weights were not all found is none: what is missing would be random numbers."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

from isogloss.errors import EncoderError

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_MISSING = re.compile(r"^(\S+)\s*\|\s*(?:MISSING|MISMATCH)\b", re.MULTILINE)
_POOLER = re.compile(r"(^|\.)pooler\.")
NAMED = 3


class _Reports(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.missing: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Take the names of missing weights out of a loading report; other records pass by."""
        self.missing += _MISSING.findall(_ANSI.sub("", record.getMessage()))


@contextmanager
def whole_weights(key: str, *, pooler: bool = False) -> Iterator[None]:
    """Refuse a model, loaded inside, that lacks weights its architecture needs.

    transformers fills them with random numbers and goes on; it happens where a library's own class
    takes the place of the code that a repository was made for, expert layers left out. The pooler
    is exempt: sentence encoders often ship without one, and no declared pooling reads it.

    Args:
        key: The model's key, for the error.
        pooler: Whether the pooler counts, as where a cross-encoder's score is read from it.

    Raises:
        EncoderError: Weights are missing, or have another shape than the architecture's.
    """
    reports = _Reports()
    logger = logging.getLogger("transformers.modeling_utils")
    level = logger.level
    logger.addHandler(reports)
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.removeHandler(reports)
        logger.setLevel(level)
    missing = [name for name in reports.missing if pooler or not _POOLER.search(name)]
    if missing:
        more = f" and {len(missing) - NAMED} more" if len(missing) > NAMED else ""
        raise EncoderError(
            f"{key}: its files lack weights that its architecture needs "
            f"({', '.join(missing[:NAMED])}{more}), which would be random numbers; check revision, "
            f"code_revision and trust_remote_code in models/{key}.yaml"
        )
