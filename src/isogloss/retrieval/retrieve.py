"""From a manifest to a ranking, whatever the model is, and without loading any model."""

from dataclasses import dataclass

from isogloss.benchmark import Benchmark
from isogloss.engine import LOCAL, Engine
from isogloss.errors import StoreError, VersionMismatchError
from isogloss.progress import track
from isogloss.retrieval.block_search import search_blocks
from isogloss.retrieval.bm25 import search_text
from isogloss.retrieval.checked_blocks import CheckedBlocks, far_from_unit, refuse_other_lengths
from isogloss.retrieval.manifest import Manifest, SideManifest, rows_digest
from isogloss.retrieval.nearest import FloatMatrix, Nearest, nearest_on, search_device
from isogloss.retrieval.range_search import Table, search_ranges
from isogloss.retrieval.ranking import DEPTH, Ranking
from isogloss.retrieval.search import exact_scores, search
from isogloss.retrieval.sending import text_hash
from isogloss.retrieval.store import Stored, VectorStore
from isogloss.retrieval.stored_blocks import BLOCK_BYTES


@dataclass(frozen=True)
class Where:
    """Where vectors are searched; no ranking depends on it.

    Attributes:
        memory_mb: How many MiB of document vectors may be held at a time.
        engine: One with workers elsewhere searches ranges of rows, which its workers read from the
            store; words are searched in this process.
        device: A name, ``auto`` or None; see `isogloss.retrieval.nearest.search_device`.
    """

    memory_mb: int = 1024
    engine: Engine = LOCAL
    device: str | None = None

    def nearest(self, queries: FloatMatrix, documents: FloatMatrix) -> Nearest:
        """What finds candidates among vectors that are held."""
        return nearest_on(search_device(self.device, queries.size * len(documents)))


HERE = Where()


def retrieve(
    uri: str,
    manifest: Manifest,
    benchmark: Benchmark,
    depth: int = DEPTH,
    where: Where = HERE,
) -> Ranking:
    """Rank a benchmark's documents for its queries (ChemCLIR-Bench section 3).

    Document vectors of more than `where.memory_mb` are not held: they pass by in blocks, twice, and
    the ranking is the same.

    Args:
        uri: The vector store.
        manifest: Names tables, tag and versions.
        benchmark: Rows of the ranking follow its queries, indexes its documents.
        depth: How many documents to keep per query.
        where: Where vectors are searched.

    Returns:
        The ranking; its scores are exact and rounded to nine decimals, ready for a run file.

    Raises:
        VersionMismatchError: The manifest is of another dataset version.
        StoreError: The store lacks the tag, or holds other texts than the manifest says.
        UsageError: The device has no name, or the engine cannot place work on it.
        EncoderError: The device is not there.
    """
    store = VectorStore(uri, manifest.model)
    held = not where.engine.elsewhere and _document_bytes(manifest) <= where.memory_mb << 20
    queries, documents = stored_sides(store, manifest, benchmark, document_vectors=held)
    if queries.vectors is None:
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
    block_bytes = min(BLOCK_BYTES, where.memory_mb << 20)
    device = search_device(where.device, queries.vectors.size * len(documents.ids))
    if where.engine.elsewhere:
        table = Table(uri, manifest.model, manifest.documents.table, manifest.tag)
        return search_ranges(
            where.engine, table, queries.vectors, documents.ids, depth, block_bytes, device=device
        )
    nearest = nearest_on(device)
    if documents.vectors is None:
        blocks = store.blocks(manifest.documents.table, manifest.tag, block_bytes)
        checked = CheckedBlocks(store, blocks, documents.ids)
        return search_blocks(queries.vectors, checked, depth, nearest=nearest)
    ranking = search(queries.vectors, documents.vectors, depth, nearest=nearest)
    scores = exact_scores(ranking, queries.vectors, documents.vectors)
    return Ranking(ranking.documents, scores)


def stored_sides(
    store: VectorStore,
    manifest: Manifest,
    benchmark: Benchmark,
    *,
    document_vectors: bool = True,
) -> tuple[Stored, Stored]:
    """What the store holds of a benchmark under a manifest: queries, then documents, checked.

    Args:
        store: The vector store.
        manifest: Names tables, tag and versions.
        benchmark: What must be stored.
        document_vectors: Whether the documents' vectors are read, all of them at once.

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
    ids = [document.id for document in benchmark.documents]
    documents = _read(store, manifest, manifest.documents, ids, vectors=document_vectors)
    queries = _read(store, manifest, manifest.queries, [q.id for q in benchmark.queries])
    return queries, documents


def is_stored(uri: str, manifest: Manifest) -> bool:
    """Whether a store holds a manifest's tag on both tables; a fresh clone's does not."""
    store = VectorStore(uri, manifest.model)
    sides = (manifest.documents, manifest.queries)
    return all(manifest.tag in store.tags(side.table) for side in sides)


def _document_bytes(manifest: Manifest) -> int:
    return 0 if manifest.dimension is None else 4 * manifest.dimension * manifest.documents.rows


def _read(
    store: VectorStore,
    manifest: Manifest,
    side: SideManifest,
    ids: list[str],
    *,
    vectors: bool = True,
) -> Stored:
    stored = store.read(side.table, manifest.tag, vectors=vectors)
    faults = []
    if stored.ids != ids or rows_digest(stored.ids, stored.hashes) != side.digest:
        faults.append("holds other texts than the manifest says")
    if side.rows != len(stored.ids):
        faults.append(f"holds {len(stored.ids)} rows, the manifest says {side.rows}")
    if stored.dimension != manifest.dimension:
        faults.append(f"its vectors' dimension is {stored.dimension}, not {manifest.dimension}")
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
        refuse_other_lengths(store, side.table, far_from_unit(stored.vectors), stored.ids)
    return stored
