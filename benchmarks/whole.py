"""From vectors on disk to every figure, and what the store adds to encoding."""

import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from benchmarks.pool import folder, pool
from benchmarks.vectors import DIMENSION, cache, documents, queries
from isogloss.retrieval.store import VectorStore
from isogloss.retrieval.tables import Computed, Rows, TableSpec

TAG = "bench"
TEXTS = 400


def _fill(store: VectorStore, side: str, ids: list[str], vectors: np.ndarray) -> None:
    places = {f"{place:064x}": place for place in range(len(ids))}

    def embed(pending: Rows) -> Iterable[Computed]:
        rows = [places[key] for key in pending.hashes]
        yield Computed(pending.hashes, [None] * len(rows), vectors[rows])

    rows = Rows(ids, list(places), ids)
    store.update(TableSpec(side, "seeded", DIMENSION, full_text=False), rows, embed, TAG)


def _store() -> VectorStore:
    store = VectorStore(str(cache() / "store"))
    if TAG not in store.tags("queries"):
        benchmark = pool()
        _fill(store, "documents", [document.id for document in benchmark.documents], documents())
        _fill(store, "queries", [query.id for query in benchmark.queries], queries())
    return store


def from_disk() -> Callable[[], object]:
    """Benchmark folder and vectors on disk to metrics, routes, slices and the per-query table."""
    from isogloss.benchmark import read_benchmark
    from isogloss.retrieval.evaluation import evaluate_ranking
    from isogloss.retrieval.manifest import rows_digest
    from isogloss.retrieval.search import search
    from isogloss.settings import EvaluationSettings

    _store()

    def evaluate() -> None:
        benchmark = read_benchmark(folder(), texts=False)
        store = VectorStore(str(cache() / "store"))
        found, asked = store.read("documents", TAG), store.read("queries", TAG)
        assert found.vectors is not None
        assert asked.vectors is not None
        # What `retrieve` checks of vectors that were stored before.
        assert found.ids == [document.id for document in benchmark.documents]
        rows_digest(found.ids, found.hashes)
        assert abs(np.einsum("ij,ij->i", found.vectors, found.vectors) - 1).max() < 1e-3
        ranking = search(asked.vectors, found.vectors)
        evaluate_ranking(benchmark, ranking, EvaluationSettings(), intervals=False)

    return evaluate


def _texts() -> Rows:
    texts = [
        f"{place} " + document.text[:300]
        for place, document in zip(range(TEXTS), pool().documents, strict=False)
    ]
    return Rows(
        [f"d{place:05d}" for place in range(TEXTS)], [f"{p:064x}" for p in range(TEXTS)], texts
    )


def bare_encode() -> Callable[[], object]:
    """sentence-transformers' own encode, texts in memory, vectors thrown away."""
    from isogloss.retrieval.declaration import read_declaration
    from isogloss.retrieval.packaged import load_transformer

    declaration = read_declaration(Path("models") / "minilm-l6-en.yaml")
    model = load_transformer(declaration, "cpu")  # type: ignore[arg-type]
    texts = _texts().texts
    return lambda: model.encode(texts, batch_size=32, show_progress_bar=False)


def embed_into_store() -> Callable[[], object]:
    """The same texts by the embed stage's own path: prompts, token counts, staging, merge, tag."""
    from isogloss.retrieval.declaration import read_declaration
    from isogloss.retrieval.embedding import embed_rows
    from isogloss.retrieval.encoders import load_encoder

    declaration = read_declaration(Path("models") / "minilm-l6-en.yaml")
    encoder = load_encoder(declaration, "cpu")
    rows = _texts()
    spec = TableSpec("documents", "minilm-l6-en", 384, full_text=False)

    def embed() -> None:
        place = tempfile.mkdtemp()
        try:
            VectorStore(place).update(
                spec, rows, lambda pending: embed_rows(encoder, pending, "document", "bench"), TAG
            )
        finally:
            shutil.rmtree(place)

    return embed
