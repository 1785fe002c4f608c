"""From a manifest to a ranking, whatever the model is, and without loading any model."""

import numpy as np

from isogloss.benchmark import Benchmark
from isogloss.errors import StoreError, VersionMismatchError
from isogloss.progress import track
from isogloss.retrieval.bm25 import search_text
from isogloss.retrieval.manifest import Manifest, SideManifest, rows_digest
from isogloss.retrieval.ranking import DEPTH, Ranking
from isogloss.retrieval.search import exact_scores, search
from isogloss.retrieval.sending import text_hash
from isogloss.retrieval.store import Stored, VectorStore
from isogloss.retrieval.vectors import name_some

UNIT_TOLERANCE = 1e-3
"""Every vector is stored at length 1 in float32; one that is further off was not written so."""


def retrieve(uri: str, manifest: Manifest, benchmark: Benchmark, depth: int = DEPTH) -> Ranking:
    """Rank a benchmark's documents for its queries (ChemCLIR-Bench section 3).

    Args:
        uri: The vector store.
        manifest: Names tables, tag and versions.
        benchmark: Rows of the ranking follow its queries, indexes its documents.
        depth: How many documents to keep per query.

    Returns:
        The ranking; its scores are exact and rounded to nine decimals, ready for a run file.

    Raises:
        VersionMismatchError: The manifest is of another dataset version.
        StoreError: The store lacks the tag, or holds other texts than the manifest says.
    """
    store = VectorStore(uri, manifest.model)
    queries, documents = stored_sides(store, manifest, benchmark)
    if documents.vectors is None or queries.vectors is None:
        texts = [query.text for query in benchmark.queries]
        label = f"searching {benchmark.name} by {manifest.model}"
        return search_text(
            store,
            manifest.documents.table,
            manifest.tag,
            texts,
            depth,
            progress=lambda items: track(items, label, len(texts)),
        )
    ranking = search(queries.vectors, documents.vectors, depth)
    scores = exact_scores(ranking, queries.vectors, documents.vectors)
    return Ranking(ranking.documents, scores)


def stored_sides(
    store: VectorStore, manifest: Manifest, benchmark: Benchmark
) -> tuple[Stored, Stored]:
    """What the store holds of a benchmark under a manifest: queries, then documents, checked.

    Raises:
        VersionMismatchError: The manifest is of another dataset version.
        StoreError: The store lacks the tag, or holds other texts than the manifest says.
    """
    if manifest.dataset_version != benchmark.version:
        raise VersionMismatchError(
            f"{benchmark.name}: vectors of {manifest.model} are of dataset version "
            f"{manifest.dataset_version}, the benchmark is {benchmark.version}; run isogloss embed "
            f"{benchmark.name} {manifest.model}"
        )
    documents = _read(store, manifest, manifest.documents, [d.id for d in benchmark.documents])
    queries = _read(store, manifest, manifest.queries, [q.id for q in benchmark.queries])
    return queries, documents


def is_stored(uri: str, manifest: Manifest) -> bool:
    """Whether a store holds a manifest's tag on both tables; a fresh clone's does not."""
    store = VectorStore(uri, manifest.model)
    sides = (manifest.documents, manifest.queries)
    return all(manifest.tag in store.tags(side.table) for side in sides)


def _read(store: VectorStore, manifest: Manifest, side: SideManifest, ids: list[str]) -> Stored:
    stored = store.read(side.table, manifest.tag)
    faults = []
    if stored.ids != ids or rows_digest(stored.ids, stored.hashes) != side.digest:
        faults.append("holds other texts than the manifest says")
    if side.rows != len(stored.ids):
        faults.append(f"holds {len(stored.ids)} rows, the manifest says {side.rows}")
    dimension = None if stored.vectors is None else stored.vectors.shape[1]
    if dimension != manifest.dimension:
        faults.append(f"its vectors' dimension is {dimension}, not {manifest.dimension}")
    if dict(zip(stored.ids, stored.hashes, strict=True)).get(side.sent.id) != text_hash(
        side.sent.text
    ):
        faults.append(f"another text was sent for {side.sent.id} than the manifest shows")
    if faults:
        raise StoreError(
            f"table {side.table} at tag {manifest.tag}: {'; '.join(faults)}; "
            f"run isogloss embed {manifest.benchmark} {manifest.model}"
        )
    if stored.vectors is not None:
        squares = np.einsum("ij,ij->i", stored.vectors, stored.vectors)
        bad = np.flatnonzero(~(np.abs(squares - 1) < UNIT_TOLERANCE))
        if len(bad):
            named = name_some([stored.ids[row] for row in bad.tolist()])
            raise store.damage(side.table, f"{len(bad)} vectors have not length 1 ({named})")
    return stored
