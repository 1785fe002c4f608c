"""Ranked lists of ids and references of gold as the pair table that all metrics read."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from isogloss.errors import DataError
from isogloss.retrieval.gold import BEYOND, PairTable, texts
from isogloss.retrieval.ranking import DEPTH


def pair_table(
    predictions: Sequence[Sequence[str]], references: Sequence[Mapping[str, Any]]
) -> PairTable:
    """Look up the rank of every gold document in its query's list.

    Gold is a set: a document named twice counts once. Every query is its own cluster.

    Raises:
        DataError: A list holds a document twice, or a reference has not one language a document.
    """
    query: list[int] = []
    golds: list[tuple[str, str]] = []
    rank: list[int] = []
    for index, (listed, reference) in enumerate(zip(predictions, references, strict=True)):
        places = {document: place for place, document in enumerate(listed[:DEPTH], start=1)}
        if len(set(listed)) != len(listed):
            raise DataError(f"query {index}: a document stands twice in its list")
        if len(reference["documents"]) != len(reference["languages"]):
            raise DataError(f"query {index}: documents and languages differ in number")
        pairs = zip(reference["documents"], reference["languages"], strict=True)
        for document, language in sorted(set(pairs)):
            query.append(index)
            golds.append((document, language))
            rank.append(places.get(document, BEYOND))
    ids = texts([str(index) for index in range(len(references))])
    blank = texts([""] * len(references))
    return PairTable(
        query_ids=ids,
        query_language=texts([reference["language"] for reference in references]),
        query_family=ids,
        query_cluster=ids,
        setup=blank,
        mode=blank,
        query=np.array(query, dtype=np.int32),
        document_ids=texts([document for document, _ in golds]),
        document_language=texts([language for _, language in golds]),
        office=texts([""] * len(golds)),
        rank=np.array(rank, dtype=np.int32),
    )


def checked_cutoff(k: int) -> int:
    """A cutoff between 1 and 1000.

    Raises:
        DataError: It is another number.
    """
    if not 1 <= k <= DEPTH:
        raise DataError(f"k = {k}: must lie between 1 and {DEPTH}")
    return k
