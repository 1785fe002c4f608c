"""Texts of an abstract's length through a model, with all that `embed` does."""

import random
from collections.abc import Callable

from benchmarks import export
from benchmarks.measure import ROOT


def texts(count: int) -> list[str]:
    """Seeded texts of 40 to 160 words in five languages."""
    rng = random.Random(3)
    return [export.text(rng, export.LANGUAGES[at % len(export.LANGUAGES)]) for at in range(count)]


def encode(model: str, count: str) -> Callable[[], object]:
    """Encode texts with a declared model on the processor; returns the mean length in tokens."""
    from isogloss.retrieval.declaration import read_declaration
    from isogloss.retrieval.embedding import embed_rows
    from isogloss.retrieval.encoders import load_encoder
    from isogloss.retrieval.tables import Rows

    encoder = load_encoder(read_declaration(ROOT / "models" / f"{model}.yaml"), "cpu")
    names = [f"d{at:06d}" for at in range(int(count))]
    rows = Rows(names, names, texts(int(count)))

    def run() -> float | None:
        done = list(embed_rows(encoder, rows, "document", "bench"))
        tokens = [length for part in done for length in part.tokens if length is not None]
        return sum(tokens) / len(tokens) if tokens else None

    return run
