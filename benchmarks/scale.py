"""Pools of up to a million documents x 384: search and whole evaluation as they grow."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from benchmarks.vectors import LANGUAGES, cache

if TYPE_CHECKING:
    from isogloss.retrieval.manifest import Manifest
    from isogloss.retrieval.tables import TableSpec

DIMENSION, QUERIES, DEPTH = 384, 722, 1000
SMALLEST, CHUNK = 10_000, 50_000
TAG = "bench"
# A short abstract: the larger pools shall fit onto a small disk.
TEXT = "A catalyst comprises a zeolite and a binder for the oxidation of methane with steam. " * 3


def chunk(number: int) -> npt.NDArray[np.float32]:
    """Unit vectors around a few hundred topics; a smaller pool is the beginning of a larger one."""
    topics = np.random.default_rng(7).normal(size=(300, DIMENSION))
    rng = np.random.default_rng((3, number))
    vectors = topics[rng.integers(0, 300, CHUNK)] + rng.normal(size=(CHUNK, DIMENSION))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: npt.NDArray[np.float32] = vectors.astype(np.float32)
    return unit


def queries() -> npt.NDArray[np.float32]:
    """(722, 384): each in the middle of its family's documents, and some way off; in id order."""
    families = np.sort(_families())
    near = chunk(0)[: max(families + 1) * len(LANGUAGES)].reshape(-1, len(LANGUAGES), DIMENSION)
    vectors = near[families].sum(axis=1)
    vectors += np.random.default_rng(5).normal(scale=4 / DIMENSION**0.5, size=vectors.shape)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: npt.NDArray[np.float32] = vectors.astype(np.float32)
    return unit


def _families() -> npt.NDArray[np.int64]:
    """Families that are asked for: each pool has them."""
    return np.random.default_rng(11).choice(SMALLEST // len(LANGUAGES), QUERIES, replace=False)


def _ids(count: int) -> list[str]:
    per = len(LANGUAGES)
    return sorted(f"f{place // per:07d}:{LANGUAGES[place % per]}" for place in range(count))


def folder(count: int) -> Path:
    """The benchmark's folder, written once."""
    from isogloss.benchmark import (
        Document,
        DocumentMetadata,
        Query,
        QueryMetadata,
        write_benchmark,
    )

    target = cache() / f"pool-{count}"
    if (target / "qrels" / "test.tsv").exists():
        return target
    documents = []
    for number, key in enumerate(_ids(count)):
        family, language = key.split(":")
        known = DocumentMetadata(language, family, office="EP", origin="synthetic")
        documents.append(Document(key, known, "Catalyst", f"{number} {TEXT}"))
    asked, qrels = [], []
    for place, number in enumerate(_families()):
        language, family = LANGUAGES[place % len(LANGUAGES)], f"f{number:07d}"
        known_query = QueryMetadata(language, family, "all", "technical")
        asked.append(Query(f"{family}:{language}:q", "catalyst for methane", known_query))
        qrels += [(f"{family}:{language}:q", f"{family}:{other}", 1) for other in LANGUAGES]
    write_benchmark(target, documents, asked, qrels)
    return target


def fill(count: int) -> str:
    """Tables like those that `embed` writes, made once, without holding them whole."""
    import lancedb

    from isogloss.retrieval.store import FILE_FORMAT
    from isogloss.retrieval.tables import TableSpec

    uri = str(cache() / "scale")
    database = lancedb.connect(uri, storage_options=dict(FILE_FORMAT))
    there = set(database.table_names(limit=1000))
    for side in ("documents", "queries"):
        spec = TableSpec(table_name(count, side), "seeded", DIMENSION, full_text=False)
        if spec.name not in there:
            made = database.create_table(spec.name, _batches(count, side, spec), schema=spec.schema)
            made.tags.create(TAG, made.version)
    return uri


def _batches(count: int, side: str, spec: "TableSpec") -> Iterator[pa.RecordBatch]:
    from isogloss.benchmark import read_benchmark
    from isogloss.retrieval.sending import text_hash

    if side == "documents":
        ids = _ids(count)
    else:
        ids = [query.id for query in read_benchmark(folder(count)).queries]
    for start in range(0, len(ids), CHUNK):
        part = ids[start : start + CHUNK]
        made = queries() if side == "queries" else chunk(start // CHUNK)[: len(part)]
        flat, kind = pa.array(made.ravel()), spec.schema.field("vector").type
        columns = {
            "id": pa.array(part),
            "hash": pa.array([text_hash(str(start + place)) for place in range(len(part))]),
            "text": pa.array([TEXT] * len(part)),
            "tokens": pa.nulls(len(part), pa.int32()),
            "vector": pa.FixedSizeListArray.from_arrays(flat, type=kind),
        }
        yield pa.RecordBatch.from_arrays(
            [columns[field.name] for field in spec.schema], schema=spec.schema
        )


def table_name(count: int, side: str) -> str:
    """Of a pool's table."""
    return f"p{count}.seeded.{side}"


def manifest_of(count: int) -> "Manifest":
    """What `embed` would have written for a pool."""
    from isogloss.benchmark import read_benchmark
    from isogloss.retrieval.manifest import Manifest, SentText, SideManifest, rows_digest
    from isogloss.retrieval.store import VectorStore

    store = VectorStore(fill(count))
    sides = {}
    for side in ("documents", "queries"):
        read = store.read(table_name(count, side), TAG, vectors=False)
        digest = rows_digest(read.ids, read.hashes)
        sent = SentText(read.ids[0], "0")
        sides[side] = SideManifest(table_name(count, side), len(read.ids), digest, sent, None)
    return Manifest(
        benchmark=f"p{count}",
        model="seeded",
        release="seeded",
        dataset_version=read_benchmark(folder(count)).version,
        tag=TAG,
        dimension=DIMENSION,
        declaration={},
        **sides,
    )


def held(count: int) -> npt.NDArray[np.float32]:
    """A pool's vectors in memory, (count, 384)."""
    from isogloss.retrieval.store import VectorStore

    found = VectorStore(fill(count)).read(table_name(count, "documents"), TAG).vectors
    assert found is not None
    return found


def faiss_flat(count: str) -> Callable[[], object]:
    """Bare faiss over vectors in memory: float32 scores in the order faiss gives."""
    import faiss

    found = held(int(count))
    return partial(faiss.knn, queries(), found, DEPTH, metric=faiss.METRIC_INNER_PRODUCT)


def in_memory(count: str) -> Callable[[], object]:
    """Ours over vectors in memory: near-ties and every score in float64."""
    from isogloss.retrieval.search import exact_scores, search

    asked, found = queries(), held(int(count))
    return lambda: exact_scores(search(asked, found, DEPTH), asked, found)


def in_order(count: str) -> Callable[[], object]:
    """Ours over vectors in memory, without the score of every pair that a run file holds."""
    from isogloss.retrieval.search import search

    return partial(search, queries(), held(int(count)), DEPTH)


def by_blocks(count: str) -> Callable[[], object]:
    """Ours from Lance's files, block by block: the same order and scores."""
    from isogloss.retrieval.block_search import search_blocks
    from isogloss.retrieval.store import VectorStore
    from isogloss.retrieval.stored_blocks import BLOCK_BYTES

    uri, asked = fill(int(count)), queries()
    name = table_name(int(count), "documents")

    def search() -> object:
        return search_blocks(asked, VectorStore(uri).blocks(name, TAG, BLOCK_BYTES), DEPTH)

    return search


def made(count: str) -> Callable[[], object]:
    """Make a pool, so that none of it is measured."""
    return partial(fill, int(count))


def evaluate(count: str, intervals: str = "intervals") -> Callable[[], object]:
    """Benchmark folder and Lance tables to every figure, as `isogloss evaluate` does it.

    What it leaves out is drawing, the run file and MLflow. Returns cross-language recall@10.
    """
    from isogloss.benchmark import read_benchmark
    from isogloss.retrieval.evaluation import evaluate_ranking
    from isogloss.retrieval.retrieve import retrieve
    from isogloss.settings import EvaluationSettings

    uri, place, manifest = fill(int(count)), folder(int(count)), manifest_of(int(count))

    def run() -> object:
        read = read_benchmark(place, manifest.benchmark, texts=False)
        ranking = retrieve(uri, manifest, read)
        done = evaluate_ranking(
            read, ranking, EvaluationSettings(), intervals=intervals == "intervals"
        )
        return done.metrics["recall_at_10/cross"]

    return run


def stored(count: str) -> Callable[[], object]:
    """What `embed` does with vectors once they are computed: staging, merge, word index and tag."""
    import shutil
    import tempfile

    from isogloss.retrieval.sending import text_hash
    from isogloss.retrieval.store import VectorStore
    from isogloss.retrieval.tables import Computed, Rows, TableSpec

    ids = _ids(int(count))
    texts = [f"{place} {TEXT}" for place in range(len(ids))]
    rows = Rows(ids, [text_hash(text) for text in texts], texts)
    spec = TableSpec(table_name(int(count), "documents"), "seeded", DIMENSION, full_text=True)
    parts = [chunk(number) for number in range(-(-len(ids) // CHUNK))]

    def computed(pending: Rows) -> Iterator[Computed]:
        for number, vectors in enumerate(parts):
            hashes = pending.hashes[number * CHUNK : (number + 1) * CHUNK]
            yield Computed(hashes, [None] * len(hashes), vectors[: len(hashes)])

    def run() -> None:
        place = tempfile.mkdtemp(dir=cache())
        try:
            VectorStore(place).update(spec, rows, computed, TAG)
        finally:
            shutil.rmtree(place)

    return run
