"""From a manifest to a ranking, whatever the model is, and without loading any model."""

from isogloss.benchmark import Benchmark
from isogloss.errors import StoreError, VersionMismatchError
from isogloss.progress import track
from isogloss.retrieval.bm25 import search_text
from isogloss.retrieval.manifest import Manifest, SideManifest, rows_digest
from isogloss.retrieval.ranking import DEPTH, Ranking
from isogloss.retrieval.search import exact_scores, search
from isogloss.retrieval.store import Stored, VectorStore


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
    if manifest.dataset_version != benchmark.version:
        raise VersionMismatchError(
            f"{benchmark.name}: vectors of {manifest.model} are of dataset version "
            f"{manifest.dataset_version}, the benchmark is {benchmark.version}; run isogloss embed "
            f"{benchmark.name} {manifest.model}"
        )
    store = VectorStore(uri)
    documents = _read(store, manifest, manifest.documents, [d.id for d in benchmark.documents])
    queries = _read(store, manifest, manifest.queries, [q.id for q in benchmark.queries])
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


def is_stored(uri: str, manifest: Manifest) -> bool:
    """Whether a store holds a manifest's tag on both tables; a fresh clone's does not."""
    store = VectorStore(uri)
    sides = (manifest.documents, manifest.queries)
    return all(manifest.tag in store.tags(side.table) for side in sides)


def _read(store: VectorStore, manifest: Manifest, side: SideManifest, ids: list[str]) -> Stored:
    stored = store.read(side.table, manifest.tag)
    if stored.ids != ids or rows_digest(stored.ids, stored.hashes) != side.digest:
        raise StoreError(
            f"table {side.table} at tag {manifest.tag}: holds other texts than the manifest says; "
            f"run isogloss embed {manifest.benchmark} {manifest.model}"
        )
    return stored
