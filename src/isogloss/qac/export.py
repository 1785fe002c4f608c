"""Write a whole benchmark folder: the three BEIR files, their statistics and their card."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from isogloss.benchmark import Benchmark, Document, Qrels, Query, read_benchmark, write_benchmark
from isogloss.files import write_json, write_text
from isogloss.qac.card import card
from isogloss.qac.landing import landing
from isogloss.qac.provenance import Provenance
from isogloss.qac.table_one import describe, gold_pairs
from isogloss.qac.twins import (
    find_cluster_twins,
    find_leakage,
    find_repeated_queries,
    find_twins,
    queries_with_twins,
)

STATS_FILE = "stats.json"
CARD_FILE = "card.md"


def export(
    folder: Path,
    documents: Iterable[Document],
    queries: Iterable[Query],
    qrels: Qrels,
    provenance: Provenance,
) -> Benchmark:
    """Write a benchmark, read it back as every later stage will, and put it in place at once.

    Args:
        folder: benchmark/NAME. Other files in it stay.
        documents: In any order.
        queries: In any order.
        qrels: (query id, document id, value) triples in any order.
        provenance: What the card must say beside the counts.

    Returns:
        The benchmark as it was read back.

    Raises:
        BenchmarkError: What was made is no valid benchmark; the folder is left as it was.
    """
    with landing(folder) as staging:
        write_benchmark(staging, documents, queries, qrels)
        benchmark = read_benchmark(staging, folder.name)
        stats = statistics(benchmark) | {"made": provenance.counts}
        write_json(staging / STATS_FILE, stats)
        write_text(staging / CARD_FILE, card(folder.name, stats, provenance))
    return benchmark


def statistics(benchmark: Benchmark) -> dict[str, object]:
    """Table 1, twins and leakage of a benchmark, as stats.json holds them."""
    gold: dict[str, set[str]] = defaultdict(set)
    for query, document in gold_pairs(benchmark):
        gold[query.id].add(document.id)
    twins = find_twins(benchmark.documents)
    leakage = find_leakage(benchmark.documents, benchmark.queries, gold)
    return describe(benchmark) | {
        "benchmark": benchmark.name,
        "twins": {
            "exact": twins.exact,
            "normalised": twins.normalised,
            "queries": queries_with_twins(twins, gold),
            "repeated_queries": find_repeated_queries(benchmark.queries),
            "clusters": find_cluster_twins(benchmark.documents, benchmark.queries, gold),
        },
        "leakage": {"equal": leakage.equal, "contained": leakage.contained},
    }
