"""Random benchmarks with ties, misses, no-home queries, shared clusters and unjudged queries."""

import numpy as np

from isogloss.benchmark import Benchmark, Document, DocumentMetadata, Query, QueryMetadata
from isogloss.retrieval.ranking import Ranking, rank_candidates

LANGUAGES = ("de", "en", "es", "fr", "zh")
OFFICES = ("CN", "EP", "US")


def random_benchmark(seed: int, n_families: int = 40, n_queries: int = 30) -> Benchmark:
    """A benchmark of families in two to five languages, some of them sharing a cluster."""
    rng = np.random.default_rng(seed)
    documents, members = [], []
    for family in range(n_families):
        versions = rng.choice(LANGUAGES, size=rng.integers(2, 6), replace=False)
        cluster = f"c{rng.integers(0, max(1, n_families // 2))}"
        office = str(rng.choice(OFFICES))
        members.append((sorted(map(str, versions)), cluster))
        documents += [
            Document(
                id=f"f{family:05d}-{language}",
                metadata=DocumentMetadata(str(language), f"f{family}", office, "", cluster),
                text="text",
            )
            for language in versions
        ]
    documents.sort(key=lambda document: document.id)
    index = {document.id: place for place, document in enumerate(documents)}
    queries, judged = [], []
    for number in range(n_queries):
        family = int(rng.integers(0, n_families))
        versions, cluster = members[family]
        language = str(rng.choice(LANGUAGES))
        setup = "random-existing" if language in versions else "random-missing"
        mode = str(rng.choice(["technical", "general"]))
        queries.append(
            Query(
                f"q{number:05d}",
                "text",
                QueryMetadata(language, f"f{family}", setup, mode, cluster),
            )
        )
        for version in versions:
            place = index[f"f{family:05d}-{version}"]
            judged.append((number, place, int(number % 17 != 3)))
    pairs = np.array(sorted(judged), dtype=np.int32).reshape(-1, 3)
    return Benchmark(
        name="random",
        documents=tuple(documents),
        queries=tuple(queries),
        judged_queries=pairs[:, 0],
        judged_documents=pairs[:, 1],
        judged_values=pairs[:, 2],
        version=f"{seed:032x}",
    )


def random_ranking(
    benchmark: Benchmark, seed: int, depth: int = 1000, pull: float = 1.0, grain: int = 2
) -> Ranking:
    """A ranking in which gold tends to the top, coarse scores tie, and some golds are missing."""
    rng = np.random.default_rng(seed)
    shape = (len(benchmark.queries), len(benchmark.documents))
    scores = rng.normal(size=shape)
    gold = benchmark.judged_values > 0
    where = benchmark.judged_queries[gold], benchmark.judged_documents[gold]
    scores[where] += pull * rng.exponential(2.0, size=gold.sum())
    documents = np.broadcast_to(np.arange(shape[1], dtype=np.int32), shape).copy()
    documents[rng.random(shape) < 0.1] = -1
    documents[rng.random(shape[0]) < 0.05] = -1
    return rank_candidates(documents, np.round(scores, grain), depth)
