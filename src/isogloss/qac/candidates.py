"""Candidates: what a generator made of a planned query, as rows of candidates.parquet."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

import pyarrow as pa

from isogloss.schema import conform

# Candidates for each planned query (ChemCLIR-Bench section 2).
CANDIDATES = 3

_TEXT = ("id", "language", "mode", "setup", "family", "document", "document_language")
CANDIDATE_FIELDS = [
    *(pa.field(name, pa.string(), nullable=False) for name in _TEXT),
    pa.field("candidate", pa.int32(), nullable=False),
    pa.field("generator", pa.string(), nullable=False),
    pa.field("generation", pa.string(), nullable=False),
    pa.field("generation_reason", pa.string(), nullable=True),
    pa.field("question", pa.string(), nullable=False),
    pa.field("answer", pa.string(), nullable=False),
    pa.field("evidence", pa.string(), nullable=False),
]
CANDIDATE = pa.schema(CANDIDATE_FIELDS)


@dataclass(frozen=True)
class Candidate:
    """One candidate of one planned query; its first seven fields are those of the plan.

    Attributes:
        candidate: Its index, from 0.
        generator: The model that was asked.
        generation: How its reply ended; only "answered" gives a question.
        generation_reason: Why there is no question; None where there is one.
        question: One line; empty where there is none.
        evidence: The span that the generator copied from the document.
    """

    id: str
    language: str
    mode: str
    setup: str
    family: str
    document: str
    document_language: str
    candidate: int
    generator: str
    generation: str
    generation_reason: str | None
    question: str
    answer: str
    evidence: str


def candidate_table(candidates: Iterable[Candidate]) -> pa.Table:
    """Candidates as a table, sorted by query and index."""
    ordered = sorted(candidates, key=lambda one: (one.id, one.candidate))
    return pa.Table.from_pylist([asdict(one) for one in ordered], schema=CANDIDATE)


def read_candidates(table: pa.Table, where: str) -> list[Candidate]:
    """A table as candidates.

    Raises:
        DataError: It has another schema.
    """
    return [Candidate(**row) for row in conform(table, CANDIDATE, where).to_pylist()]
