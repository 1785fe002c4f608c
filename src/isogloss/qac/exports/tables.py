"""A benchmark as three flat tables, the columns of which every export shares."""

from dataclasses import dataclass

import pyarrow as pa

from isogloss.benchmark import Benchmark, Document, Query


@dataclass(frozen=True)
class Column:
    """One column: its name, its type, and what it holds in one sentence."""

    name: str
    type: pa.DataType
    description: str

    @property
    def field(self) -> pa.Field:
        """The column as a field of a schema; no column holds nulls."""
        return pa.field(self.name, self.type, nullable=False)


_SHARED = (
    Column("language", pa.string(), "ISO 639-1 code of the text's language."),
    Column("family", pa.string(), "Language versions of one text share a family."),
    Column(
        "cluster", pa.string(), "Unit of resampling: related families, or the family where alone."
    ),
)
CORPUS = (
    Column("_id", pa.string(), "Unique id of the document."),
    Column("title", pa.string(), "Title, empty where there is none."),
    Column("text", pa.string(), "Text; title and text in two lines are what a model is given."),
    *_SHARED,
    Column("office", pa.string(), "Patent office that published it, empty where there is none."),
    Column("origin", pa.string(), "How the text came about, such as published or synthetic."),
)
QUERIES = (
    Column("_id", pa.string(), "Unique id of the query."),
    Column("text", pa.string(), "The query."),
    *_SHARED,
    Column("setup", pa.string(), "How the query's language was chosen, or known-item."),
    Column("mode", pa.string(), "Kind of query, such as technical, general, title or cloze."),
    Column("office", pa.string(), "Patent office of the document that was asked of, or empty."),
    Column("generator", pa.string(), "Chat model that wrote it, empty where none did."),
)
QRELS = (
    Column("query-id", pa.string(), "Id of a query."),
    Column("corpus-id", pa.string(), "Id of a document that was judged for it."),
    Column("score", pa.int32(), "Above 0: gold; at or below 0: judged, not gold."),
)
COLUMNS = {"corpus": CORPUS, "queries": QUERIES, "qrels": QRELS}
DESCRIPTIONS = {
    "corpus": "Documents of all languages in one pool, one language version a row.",
    "queries": "Queries of all languages, one a row.",
    "qrels": "Judged pairs of a query and a document, one a row.",
}


def data_file(table: str) -> str:
    """Where a table lies in an export."""
    return f"data/{table}.parquet"


def tables(benchmark: Benchmark) -> dict[str, pa.Table]:
    """The corpus and queries by id, the qrels by query and document id."""
    documents, queries = benchmark.documents, benchmark.queries
    rows: dict[str, list[tuple[str | int, ...]]] = {
        "corpus": [
            (one.id, one.title, one.text, *_shared(one), one.metadata.office, one.metadata.origin)
            for one in documents
        ],
        "queries": [(one.id, one.text, *_shared(one), *_made(one)) for one in queries],
        "qrels": [
            (queries[query].id, documents[document].id, int(value))
            for query, document, value in zip(
                benchmark.judged_queries,
                benchmark.judged_documents,
                benchmark.judged_values,
                strict=True,
            )
        ],
    }
    return {name: _table(COLUMNS[name], rows[name]) for name in COLUMNS}


def _shared(one: Document | Query) -> tuple[str, str, str]:
    return one.metadata.language, one.metadata.family, one.cluster


def _made(one: Query) -> tuple[str, ...]:
    made = one.metadata
    return made.setup, made.mode, made.office, made.generator


def _table(columns: tuple[Column, ...], rows: list[tuple[str | int, ...]]) -> pa.Table:
    values = zip(*rows, strict=True)
    arrays = [pa.array(held, column.type) for held, column in zip(values, columns, strict=True)]
    return pa.table(arrays, schema=pa.schema([column.field for column in columns]))
