"""A project whose store holds planted releases: good, its equal under another name, and broken."""

import numpy as np

from isogloss.benchmark import read_benchmark, write_benchmark
from isogloss.retrieval.declaration import read_declaration
from isogloss.retrieval.staging import without_vectors
from isogloss.retrieval.store import VectorStore
from isogloss.retrieval.tables import Computed, Rows, TableSpec, table_name
from worlds import random_benchmark

DIMENSION = 24
PARAMS = """run:
  benchmarks: [world]
  models: [stub]
evaluation:
  resamples: 300
  depth_resamples: 100
  permutations: 1000
"""
MODEL = "kind: char-ngrams\nshortest: {n}\nlongest: {n}\ndimension: 24\nlicence: none\n"
# Not in the release's hash, so `stub` and `equal` are one release.
MODELS = {"stub": 2, "equal": 2, "broken": 3, "absent": 4}


def write_world(root, seed=5):
    """Write benchmark/world and give it back as read."""
    made = random_benchmark(seed, 120, 200)
    qrels = [
        (made.queries[q].id, made.documents[d].id, int(value))
        for q, d, value in zip(
            made.judged_queries, made.judged_documents, made.judged_values, strict=True
        )
    ]
    write_benchmark(root / "benchmark/world", made.documents, made.queries, qrels)
    return read_benchmark(root / "benchmark/world", "world")


def write_models(root):
    (root / "models").mkdir(parents=True, exist_ok=True)
    for key, n in MODELS.items():
        (root / f"models/{key}.yaml").write_text(MODEL.format(n=n), "utf-8")
    (root / "models/words.yaml").write_text("kind: full-text\nlicence: none\n", "utf-8")
    (root / "params.yaml").write_text(PARAMS, "utf-8")


def release_of(root, key):
    return read_declaration(root / f"models/{key}.yaml").release


def family_vectors(items, seed, noise=0.35):
    """Vectors near the direction of their family, whatever their language."""
    rng = np.random.default_rng(seed)
    centre = {f"f{n}": np.random.default_rng(n).normal(size=DIMENSION) for n in range(200)}
    made = np.array([centre[item.metadata.family] for item in items])
    made = made + noise * rng.normal(size=made.shape)
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


def plant(root, benchmark, release, *, scramble=None):
    """Put a release's vectors of a benchmark into the project's store."""
    documents = family_vectors(benchmark.documents, 1)
    if scramble is not None:
        rows = [
            at for at, one in enumerate(benchmark.documents) if one.metadata.language == scramble
        ]
        documents[rows] = documents[np.roll(rows, 7)]
    store = VectorStore(str(root / "lancedb"))
    for side, items, vectors in (
        ("document", benchmark.documents, documents),
        ("query", benchmark.queries, family_vectors(benchmark.queries, 2)),
    ):
        ids = [item.id for item in items]
        rows = Rows(ids, [f"{release}{key}" for key in ids], ["text"] * len(ids))

        def embed(pending, ids=ids, vectors=vectors):
            place = {key: at for at, key in enumerate(ids)}
            chosen = vectors[[place[key] for key in pending.ids]]
            yield Computed(pending.hashes, [None] * len(pending.ids), chosen)

        spec = TableSpec(table_name(benchmark.name, release, side), "stub", DIMENSION)
        store.update(spec, rows, embed, benchmark.version)


def plant_words(root, benchmark, release):
    """The same for a full-text release: documents are indexed, nothing is encoded."""
    store = VectorStore(str(root / "lancedb"))
    for side, items in (("document", benchmark.documents), ("query", benchmark.queries)):
        ids = [item.id for item in items]
        rows = Rows(ids, [f"{release}{key}" for key in ids], list(ids))
        spec = TableSpec(table_name(benchmark.name, release, side), "words", None, True)
        store.update(spec, rows, without_vectors, benchmark.version)


def make(root):
    """The whole project."""
    write_models(root)
    benchmark = write_world(root)
    plant(root, benchmark, release_of(root, "stub"))
    plant(root, benchmark, release_of(root, "broken"), scramble="zh")
    plant_words(root, benchmark, release_of(root, "words"))
    return benchmark
