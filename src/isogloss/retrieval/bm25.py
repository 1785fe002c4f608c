"""BM25 by the store's full-text index: words of any script, no query syntax, one order."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from lancedb.query import MatchQuery

from isogloss.errors import StoreError
from isogloss.retrieval.ranking import DECIMALS, DEPTH, Ranking, rank_candidates
from isogloss.retrieval.store import VectorStore

MARGIN = 64
"""Hits asked for beyond the depth, so that a tie across the cut is usually seen whole."""

Progress = Callable[[Iterable[str]], Iterator[str]]


def search_text(
    store: VectorStore,
    name: str,
    tag: str,
    queries: Sequence[str],
    depth: int = DEPTH,
    *,
    margin: int = MARGIN,
    progress: Progress = iter,
) -> Ranking:
    """Rank the documents of a tagged version for every query by BM25 over ICU words.

    Args:
        store: Holds the table.
        name: A table with a full-text index.
        tag: The dataset version.
        queries: Their texts; every word counts, operators and quotes mean nothing.
        depth: How many documents to keep per query.
        margin: Hits fetched beyond the depth; changes speed only.
        progress: Wraps the queries, for a progress bar.

    Returns:
        The ranking over the table's documents in id order. A document that shares no word with a
        query is not ranked, so rows end in padding.

    Raises:
        StoreError: Table, tag or index are missing.
    """
    table = store.at(name, tag)
    with store.faults(name):
        indexed = any(index.columns == ["text"] for index in table.list_indices())
    if not indexed:
        raise StoreError(f"table {name}: has no full-text index at tag {tag}; embed it again")
    index = {key: at for at, key in enumerate(store.read(name, tag, vectors=False).ids)}
    hits = []
    for query in progress(queries):
        with store.faults(name):
            hits.append(_hits(table, query, depth, margin))
    width = max((len(ids) for ids, _ in hits), default=0)
    documents = np.full((len(queries), width), -1, dtype=np.int64)
    scores = np.zeros((len(queries), width), dtype=np.float64)
    for row, (ids, found) in enumerate(hits):
        documents[row, : len(ids)] = [index[key] for key in ids]
        scores[row, : len(ids)] = found
    return rank_candidates(documents, scores, depth)


def _hits(table: Any, query: str, depth: int, margin: int) -> tuple[list[str], list[float]]:
    """The best hits of one query, all that tie with the last one kept among them."""
    limit = depth + margin
    while True:
        words = MatchQuery(query, "text")  # type: ignore[call-arg]
        search = table.search(words, query_type="fts")
        found = search.select(["id", "_score"]).limit(limit).to_arrow()
        scores = found.column("_score").to_pylist()
        last_kept = scores[depth - 1] if len(scores) > depth else None
        tied = last_kept is not None and round(last_kept, DECIMALS) == round(scores[-1], DECIMALS)
        if len(scores) < limit or not tied:
            return found.column("id").to_pylist(), scores
        limit *= 2
