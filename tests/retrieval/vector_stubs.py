"""A stub encoder for the store's tests: vectors are a function of the text, and it keeps a list."""

import hashlib

import numpy as np

from isogloss.retrieval.sending import text_hash
from isogloss.retrieval.tables import Computed, Rows, TableSpec

DIMENSION = 8


def vector_of(text, dimension=DIMENSION):
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    vector = np.random.default_rng(seed).standard_normal(dimension)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


class StubEmbed:
    """Records the texts it was asked for."""

    def __init__(self, dimension=DIMENSION, batch=3):
        self.dimension, self.batch, self.seen = dimension, batch, []

    def __call__(self, rows):
        for at in range(0, len(rows.ids), self.batch):
            part = slice(at, at + self.batch)
            self.seen += rows.texts[part]
            vectors = np.array([vector_of(text, self.dimension) for text in rows.texts[part]])
            yield Computed(rows.hashes[part], [len(t) for t in rows.texts[part]], vectors)


def rows_of(texts):
    ids = sorted(texts)
    return Rows(ids, [text_hash(texts[key]) for key in ids], [texts[key] for key in ids])


def spec_of(name="b.r.documents", dimension=DIMENSION, full_text=False):
    return TableSpec(name, "stub", dimension, full_text)
