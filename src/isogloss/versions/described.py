"""What a table of dataset versions says of one: its digest and what it holds by language."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from isogloss.benchmark import Benchmark

STATS_FILE = "stats.json"


@dataclass(frozen=True)
class Described:
    """One dataset version.

    Attributes:
        version: 32 hex digits.
        documents: How many.
        queries: How many.
        languages: From language to (documents, queries), sorted.
    """

    version: str
    documents: int
    queries: int
    languages: dict[str, tuple[int, int]]


def describe_benchmark(benchmark: Benchmark) -> Described:
    """Count a benchmark's documents and queries by language."""
    documents = Counter(document.metadata.language for document in benchmark.documents)
    queries = Counter(query.metadata.language for query in benchmark.queries)
    return Described(
        version=benchmark.version,
        documents=len(benchmark.documents),
        queries=len(benchmark.queries),
        languages={
            code: (documents[code], queries[code]) for code in sorted({*documents, *queries})
        },
    )


def describe_stats(stats: Mapping[str, Any]) -> Described | None:
    """Read the same from a benchmark's stats.json; None where it does not say it all."""
    try:
        languages = {
            str(code): (int(counts["documents"]), int(counts["queries"]))
            for code, counts in sorted(stats["languages"].items())
        }
        return Described(
            version=str(stats["dataset_version"]),
            documents=int(stats["corpus_docs"]),
            queries=int(stats["queries"]),
            languages=languages,
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
