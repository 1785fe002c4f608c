"""The pair table: every gold pair with its rank, which all metrics are computed from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from isogloss.benchmark import Benchmark
from isogloss.errors import DataError
from isogloss.retrieval.ranking import DEPTH, Ranking

Texts = npt.NDArray[np.str_]
Ranks = npt.NDArray[np.int32]

BEYOND = DEPTH + 1
"""The rank of a gold that is not among the top documents; it sorts after every rank."""

PAIRS_PER_CHUNK = 1024


@dataclass(frozen=True)
class PairTable:
    """Queries, and their gold pairs with ranks.

    Attributes:
        query_ids: (n_queries,) ids.
        query_language: (n_queries,) language codes.
        query_family: (n_queries,) families.
        query_cluster: (n_queries,) units of resampling.
        setup: (n_queries,) how the language was chosen; may be empty.
        mode: (n_queries,) technical or general; may be empty.
        query: int32 (n_pairs,) index of each pair's query.
        document_ids: (n_pairs,) ids.
        document_language: (n_pairs,) language codes.
        office: (n_pairs,) the documents' offices; may be empty.
        rank: int32 (n_pairs,) from 1; `BEYOND` when not among the top documents.
    """

    query_ids: Texts
    query_language: Texts
    query_family: Texts
    query_cluster: Texts
    setup: Texts
    mode: Texts
    query: Ranks
    document_ids: Texts
    document_language: Texts
    office: Texts
    rank: Ranks

    @cached_property
    def same(self) -> npt.NDArray[np.bool_]:
        """Bool (n_pairs,): the gold has the query's language; cross otherwise."""
        return np.asarray(self.query_language[self.query] == self.document_language)

    def only(self, pairs: npt.NDArray[np.bool_]) -> "PairTable":
        """The table with some of its pairs; a query left without pairs enters no figure."""
        return replace(
            self,
            query=self.query[pairs],
            document_ids=self.document_ids[pairs],
            document_language=self.document_language[pairs],
            office=self.office[pairs],
            rank=self.rank[pairs],
        )


def pair_table(benchmark: Benchmark, ranking: Ranking) -> PairTable:
    """Look up the rank of every gold document. The qrels decide what is gold.

    Raises:
        DataError: The ranking has another number of rows than the benchmark has queries.
    """
    gold = benchmark.judged_values > 0
    query = benchmark.judged_queries[gold]
    document = benchmark.judged_documents[gold]
    questions = [question.metadata for question in benchmark.queries]
    golds = [benchmark.documents[index] for index in document]
    return PairTable(
        query_ids=texts([question.id for question in benchmark.queries]),
        query_language=texts([question.language for question in questions]),
        query_family=texts([question.family for question in questions]),
        query_cluster=texts([question.cluster for question in benchmark.queries]),
        setup=texts([question.setup for question in questions]),
        mode=texts([question.mode for question in questions]),
        query=query,
        document_ids=texts([document.id for document in golds]),
        document_language=texts([document.metadata.language for document in golds]),
        office=texts([document.metadata.office for document in golds]),
        rank=ranks_of(benchmark, ranking, query, document),
    )


def ranks_of(benchmark: Benchmark, ranking: Ranking, query: Ranks, document: Ranks) -> Ranks:
    """The rank of each (query, document) pair, `BEYOND` where it is not in the top documents.

    Raises:
        DataError: The ranking has another number of rows than the benchmark has queries.
    """
    if len(ranking.documents) != len(benchmark.queries):
        raise DataError(
            f"{benchmark.name}: the ranking has {len(ranking.documents)} rows, "
            f"the benchmark {len(benchmark.queries)} queries"
        )
    top = ranking.documents[:, :DEPTH]
    rank = np.full(len(query), BEYOND, dtype=np.int32)
    if not top.shape[1]:
        return rank
    for start in range(0, len(query), PAIRS_PER_CHUNK):
        part = slice(start, start + PAIRS_PER_CHUNK)
        hit = top[query[part]] == document[part, None]
        column = hit.argmax(axis=1)
        found = np.flatnonzero(hit[np.arange(len(hit)), column])
        rank[start + found] = column[found] + 1
    return rank


def pool(tables: Sequence[PairTable], names: Sequence[str]) -> PairTable:
    """Put the queries of several benchmarks into one table; ids become ``benchmark/id``.

    A cluster named alike in two benchmarks is one cluster: they may share publications (our
    reading).
    """

    def joined(column: str) -> Texts:
        return np.concatenate([getattr(table, column) for table in tables])

    starts = np.cumsum([0, *(len(table.query_ids) for table in tables)])
    qualified = [
        f"{name}/{id_}"
        for name, table in zip(names, tables, strict=True)
        for id_ in table.query_ids
    ]
    return PairTable(
        query_ids=texts(qualified),
        query=np.concatenate(
            [table.query + np.int32(start) for table, start in zip(tables, starts, strict=False)]
        ),
        rank=np.concatenate([table.rank for table in tables]),
        query_language=joined("query_language"),
        query_family=joined("query_family"),
        query_cluster=joined("query_cluster"),
        setup=joined("setup"),
        mode=joined("mode"),
        document_ids=joined("document_ids"),
        document_language=joined("document_language"),
        office=joined("office"),
    )


def texts(values: Sequence[str]) -> Texts:
    """An array of texts; of no text, too."""
    return np.array(values, dtype=np.str_)
