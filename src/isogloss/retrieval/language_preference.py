"""Which languages a ranking prefers: their share of the top k against their share of the pool.

A retriever that is blind to language fills the top k of every query as it would by drawing from
the pool: every preference is 1. A value of 3 says that documents of that language stand there
three times as often as that. Gold is not looked at, so a preference is no fault by itself.
"""

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from isogloss.benchmark import Benchmark
from isogloss.errors import DataError
from isogloss.retrieval.ranking import Ranking
from isogloss.settings import EvaluationSettings
from isogloss.statistics.bootstrap import NO_DATA, Interval, bca_intervals

CUTOFFS = (10, 100)

COLUMNS = pa.schema(
    [
        ("query_language", pa.string()),
        ("document_language", pa.string()),
        ("k", pa.int64()),
        # Queries of the language that got any document.
        ("n", pa.int64()),
        ("share", pa.float64()),
        ("pool_share", pa.float64()),
        ("preference", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        # Why a value is missing, or says nothing.
        ("note", pa.string()),
    ]
)

Floats = npt.NDArray[np.float64]


def language_preference(
    benchmark: Benchmark, ranking: Ranking, options: EvaluationSettings, intervals: bool = True
) -> pa.Table:
    """Preference of every query language for every document language, at k = 10 and 100.

    The share of a language is its mean share of the documents a query got in its top k, over the
    queries that got any; the preference divides it by the language's share of the pool (our
    reading: the papers ask for no such figure). The interval resamples clusters of queries, the
    pool being what it is.

    Args:
        benchmark: What was searched; all its queries count, with gold or without.
        ranking: Rows follow its queries.
        options: Confidence, resamples and seed.
        intervals: False leaves them out.

    Returns:
        A table of `COLUMNS`, one row a query language, k and document language.

    Raises:
        DataError: The ranking has another number of rows than the benchmark has queries.
    """
    if len(ranking.documents) != len(benchmark.queries):
        raise DataError(
            f"{len(ranking.documents)} ranked queries for {len(benchmark.queries)} of the benchmark"
        )
    held = [document.metadata.language for document in benchmark.documents]
    names = sorted(set(held))
    code_of = {name: code for code, name in enumerate(names)}
    codes = np.array([code_of[name] for name in held])
    pool_shares = np.bincount(codes) / len(codes)
    asked = np.array([query.metadata.language for query in benchmark.queries])
    clusters = np.unique([query.cluster for query in benchmark.queries], return_inverse=True)[1]
    rows = []
    for k in CUTOFFS:
        shares, answered = top_shares(ranking, codes, len(names), k)
        note = "" if len(codes) > k else f"a pool of {len(codes)} documents: 1 wherever all are got"
        for language in np.unique(asked):
            chosen = answered & (asked == language)
            preferences = shares[chosen] / pool_shares
            found = _intervals(preferences, clusters[chosen], options, intervals)
            for code, name in enumerate(names):
                rows.append(
                    _row(
                        (str(language), name, k),
                        preferences[:, code],
                        float(pool_shares[code]),
                        found[code],
                        note,
                    )
                )
    rows.sort(key=lambda row: (row["query_language"], row["k"], row["document_language"]))
    return pa.Table.from_pylist(rows, schema=COLUMNS)


def top_shares(
    ranking: Ranking, codes: npt.NDArray[np.integer], n_languages: int, k: int
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Share of each language among the documents that each query got in its top k.

    Args:
        ranking: Rows are queries.
        codes: (n_documents,) language codes from 0.
        n_languages: How many there are.
        k: The cut.

    Returns:
        float64 (n_queries, n_languages), and bool (n_queries,) the queries that got any document;
        the others' rows are 0.
    """
    top = ranking.documents[:, :k]
    held = top >= 0
    rows = np.nonzero(held)[0]
    cells = rows * n_languages + codes[top[held]]
    counts = np.bincount(cells, minlength=len(top) * n_languages).reshape(len(top), n_languages)
    got = held.sum(axis=1)
    return counts / np.maximum(got, 1)[:, None], got > 0


def own_language_preference(table: pa.Table) -> dict[int, float]:
    """Mean over query languages of the preference for the query's own language, by k."""
    values: dict[int, list[float]] = {}
    for row in table.to_pylist():
        if row["query_language"] == row["document_language"] and row["preference"] is not None:
            values.setdefault(row["k"], []).append(row["preference"])
    return {k: float(np.mean(found)) for k, found in sorted(values.items())}


def _intervals(
    preferences: Floats,
    clusters: npt.NDArray[np.integer],
    options: EvaluationSettings,
    wanted: bool,
) -> list[Interval]:
    if not wanted:
        return [Interval(None, None)] * preferences.shape[1]
    return bca_intervals(
        preferences,
        groups=np.zeros(len(preferences), dtype=np.int64),
        clusters=clusters,
        confidence=options.confidence,
        resamples=options.resamples,
        seed=options.seed,
    )


def _row(
    names: tuple[str, str, int],
    preferences: Floats,
    pool_share: float,
    interval: Interval,
    note: str,
) -> dict[str, object]:
    query_language, document_language, k = names
    mean = float(preferences.mean()) if len(preferences) else None
    reasons = [text for text in (note, interval.reason if mean is not None else NO_DATA) if text]
    return {
        "query_language": query_language,
        "document_language": document_language,
        "k": k,
        "n": len(preferences),
        "share": None if mean is None else mean * pool_share,
        "pool_share": pool_share,
        "preference": mean,
        "low": interval.low,
        "high": interval.high,
        "note": "; ".join(reasons),
    }
