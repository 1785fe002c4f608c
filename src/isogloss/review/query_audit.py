"""The audit sheet of generated queries: eight criteria by mode, 0-10, no score of the model."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pyarrow as pa

from isogloss.errors import DataError
from isogloss.review.criteria import explanations, query_criteria, score_columns, task
from isogloss.review.design import Column, Remark, Sheet, Workbook
from isogloss.review.people import person
from isogloss.review.returns import Return
from isogloss.review.sampling import stratified_sample
from isogloss.schema import conform

MODES = ("technical", "general")
SCORE_KEYS = tuple(dict.fromkeys(key for mode in MODES for key in query_criteria(mode)))
MODEL_HIGHEST = 5

# One row a query. The verifier's scores on 0-5; the four keys of the other mode are null.
QUERY_AUDIT = pa.schema(
    [
        *(
            pa.field(name, pa.string(), nullable=False)
            for name in ("query", "language", "mode", "text", "evidence", "answer")
        ),
        *(pa.field(key, pa.int64(), nullable=True) for key in SCORE_KEYS),
    ]
)
_SHOWN = (
    Column("id", "Query", width=16),
    Column("language", "Language", width=10),
    Column("text", "Question", width=38),
    Column("answer", "Answer", width=32),
    Column("evidence", "Passage", width=70),
)


@dataclass(frozen=True)
class QueryRating:
    """One annotator's eight scores of one query, 0 to 10 each."""

    query: str
    annotator: str
    scores: dict[str, int]
    comment: str


def checked_queries(table: pa.Table, where: str) -> list[dict[str, Any]]:
    """The rows of an audit table, checked.

    Raises:
        DataError: The table breaks its schema, an id comes twice, or a row lacks one of its eight
            scores or has one that is not 0 to 5; the row and id are named.
    """
    rows: list[dict[str, Any]] = conform(table, QUERY_AUDIT, where).to_pylist()
    seen: set[str] = set()
    for number, row in enumerate(rows, start=1):
        place = f"{where}, row {number}, query {row['query']!r}"
        if row["query"] in seen:
            raise DataError(f"{place}: the id is there already; drop one")
        seen.add(row["query"])
        try:
            keys = query_criteria(row["mode"])
        except DataError as error:
            raise DataError(f"{place}: {error}") from error
        for key in SCORE_KEYS:
            value = row[key]
            if key in keys and (value is None or not 0 <= value <= MODEL_HIGHEST):
                raise DataError(f"{place}: {key} is {value}, must be 0 to {MODEL_HIGHEST}")
            if key not in keys and value is not None:
                raise DataError(f"{place}: {key} is no criterion of mode {row['mode']!r}")
    return rows


def sample_queries(rows: list[dict[str, Any]], size: int, seed: int) -> list[dict[str, Any]]:
    """Draw a seeded sample stratified by mode and language."""
    strata = [f"{row['mode']} {row['language']}" for row in rows]
    drawn = stratified_sample([row["query"] for row in rows], strata, size, seed)
    by_id = {row["query"]: row for row in rows}
    return [by_id[query] for query in drawn]


def query_workbook(sample: list[dict[str, Any]], benchmark: str, annotator: str) -> Workbook:
    """Lay a sample out for one annotator: one worksheet a mode, no score of the model in it."""
    sheets = []
    for mode in MODES:
        rows = tuple(
            {
                "id": row["query"],
                **{key: row[key] for key in ("language", "text", "answer", "evidence")},
            }
            for row in sample
            if row["mode"] == mode
        )
        scores = score_columns("query", query_criteria(mode))
        comment = Column("comment", "Comment", Remark(), 30)
        if rows:
            sheets.append(Sheet(mode.capitalize(), (*_SHOWN, *scores, comment), rows))
    return Workbook(
        f"query-audit/{benchmark}/{person(annotator)}",
        tuple(sheets),
        task("query")["introduction"],
        explanations("query"),
    )


def query_ratings(returned: Return, annotator: str) -> list[QueryRating]:
    """The ratings of a returned sheet, by query id."""
    ratings = []
    for query, values in sorted(returned.entries.items()):
        scores = {key: value for key, value in values.items() if isinstance(value, int)}
        ratings.append(QueryRating(query, annotator, scores, str(values["comment"] or "")))
    return ratings


def human_score(ratings: list[QueryRating]) -> Fraction:
    """A query's score on 0-10: the mean of its eight, over all who rated it (our reading)."""
    total = sum(sum(rating.scores.values()) for rating in ratings)
    return Fraction(total, sum(len(rating.scores) for rating in ratings))


def composite(row: dict[str, Any]) -> int:
    """The verifier's eight scores together, 0 to 40."""
    return sum(row[key] for key in query_criteria(row["mode"]))


def model_score(row: dict[str, Any]) -> Fraction:
    """The verifier's score on 0-10: the composite by four (ChemCLIR-Bench section 2)."""
    return Fraction(composite(row), 4)
