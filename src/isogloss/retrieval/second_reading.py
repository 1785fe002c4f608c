"""A benchmark and its ranking read again as if no document had been translated by machine.

Taking documents out of an exact ranking leaves the order of the others as it is, so nothing is
searched twice (BM25 weighs words by how many documents of the whole pool hold them, in both
readings: **our reading**). What must be ranked deeper is the list: with machine-translated
documents among its first thousand, a list of a thousand is too short once they have left.
"""

from dataclasses import replace

import numpy as np

from isogloss.benchmark import MACHINE_TRANSLATED, Benchmark
from isogloss.retrieval.ranking import DEPTH, Ranking
from isogloss.retrieval.recall import Mask

# How the second reading is called in the names of folders, files and benchmarks.
WITHOUT = f"without-{MACHINE_TRANSLATED}"


def translated(benchmark: Benchmark) -> Mask:
    """Bool (n_documents,): the documents that a machine has translated."""
    return np.array(
        [document.metadata.origin == MACHINE_TRANSLATED for document in benchmark.documents],
        dtype=bool,
    )


def search_depth(benchmark: Benchmark) -> int:
    """How many documents to rank a query, so that `DEPTH` are left in the second reading."""
    return DEPTH + int(translated(benchmark).sum())


def trimmed(ranking: Ranking, benchmark: Benchmark) -> Ranking:
    """Cut each row behind its `DEPTH`-th document that no machine has translated.

    Args:
        ranking: `search_depth` columns wide, or as wide as there are documents.
        benchmark: What was ranked.

    Returns:
        The shortest lists that give both readings; without machine-translated documents that is
        the top `DEPTH`.
    """
    listed = ranking.documents >= 0
    plain = listed & ~translated(benchmark)[ranking.documents]
    wanted = listed & (np.cumsum(plain, axis=1) - plain < DEPTH)
    width = int(wanted.sum(axis=1).max(initial=0))
    return Ranking(
        np.where(wanted, ranking.documents, np.int32(-1))[:, :width],
        np.where(wanted, ranking.scores, -np.inf)[:, :width],
    )


def without_translations(
    benchmark: Benchmark, ranking: Ranking
) -> tuple[Benchmark, Ranking] | None:
    """Take machine-translated documents out of pool, gold and ranking.

    Queries stay, those that were asked of such a document among them (our reading): their gold is
    what is left of their family. The dataset version stays that of the whole benchmark.

    Args:
        benchmark: The whole benchmark.
        ranking: Rows follow its queries.

    Returns:
        The benchmark and the ranking without them; None where there are none, or nothing else.
    """
    gone = translated(benchmark)
    if not gone.any() or gone.all():
        return None
    places = np.where(gone, -1, np.cumsum(~gone) - 1).astype(np.int32)
    judged = ~gone[benchmark.judged_documents]
    documents = zip(benchmark.documents, gone.tolist(), strict=True)
    left = replace(
        benchmark,
        documents=tuple(document for document, is_gone in documents if not is_gone),
        judged_queries=benchmark.judged_queries[judged],
        judged_documents=places[benchmark.judged_documents[judged]],
        judged_values=benchmark.judged_values[judged],
    )
    # -1 pads and would look up the last document.
    kept = (ranking.documents >= 0) & ~gone[ranking.documents]
    # Stable: those that stay move to the left in their order.
    order = np.argsort(~kept, axis=1, kind="stable")
    width = int(kept.sum(axis=1).max(initial=0))
    found = np.take_along_axis(np.where(kept, places[ranking.documents], -1), order, axis=1)
    scores = np.take_along_axis(np.where(kept, ranking.scores, -np.inf), order, axis=1)
    return left, Ranking(found[:, :width].astype(np.int32), scores[:, :width])
