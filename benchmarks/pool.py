"""A benchmark of the published pool's size: 35,102 documents in five languages, 722 queries."""

from pathlib import Path

import numpy as np

from benchmarks.vectors import DOCUMENTS, LANGUAGES, QUERIES, cache
from isogloss.benchmark import (
    Benchmark,
    Document,
    DocumentMetadata,
    Query,
    QueryMetadata,
    read_benchmark,
    write_benchmark,
)

TEXT = "A catalyst comprises a zeolite and a binder for the oxidation of methane with steam. " * 12


def folder() -> Path:
    """The benchmark's folder, written once."""
    target = cache() / "pool"
    if (target / "qrels" / "test.tsv").exists():
        return target
    per_family = len(LANGUAGES)
    documents = []
    for number in range(DOCUMENTS):
        family, language = f"f{number // per_family:06d}", LANGUAGES[number % per_family]
        known = DocumentMetadata(language, family, office="EP", origin="synthetic")
        documents.append(Document(f"{family}:{language}", known, "Catalyst", f"{number} {TEXT}"))
    rng = np.random.default_rng(11)
    queries, qrels = [], []
    for place, family_number in enumerate(rng.choice(DOCUMENTS // per_family, QUERIES, False)):
        language, family = LANGUAGES[place % per_family], f"f{family_number:06d}"
        query = f"{family}:{language}:q"
        known_query = QueryMetadata(language, family, "all", "technical")
        queries.append(Query(query, "catalyst for methane oxidation", known_query))
        qrels += [(query, f"{family}:{other}", 1) for other in LANGUAGES]
    write_benchmark(target, documents, queries, qrels)
    return target


def pool() -> Benchmark:
    """The benchmark, read from disk."""
    return read_benchmark(folder())
