"""TREC run files: strict reading with errors that name the line, and byte-stable writing."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import numpy as np
import numpy.typing as npt

from isogloss.benchmark import Benchmark
from isogloss.errors import DataError, RunFileError
from isogloss.files import BOM, open_bytes, write_bytes, write_gzip
from isogloss.foreign_text import shown
from isogloss.retrieval.ranking import DECIMALS, Ranking
from isogloss.retrieval.second_reading import search_depth

FIELDS = 6
# Decimal digits only: float() also takes "nan", "inf", "1_0" and digits of other scripts. An
# exponent of more than nine digits is beyond what Decimal compares.
SCORE = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?0*[0-9]{1,9})?")
# White space at which bytes.split() parts fields and a run file does not.
OTHER_SPACE = re.compile(rb"[\v\f\r]")
TAG = re.compile(r"\S+")

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class _Lines:
    """The listed pairs in file order: indexes, scores as float and as written, line numbers."""

    query: Integers
    document: Integers
    score: npt.NDArray[np.float64]
    written: list[bytes]
    number: Integers


def read_run(path: Path, benchmark: Benchmark) -> Ranking:
    """Read a run file, plain or packed (.gz, .zst), against a benchmark.

    Six fields part at blanks and tabs; lines end at LF, a CR before it and a BOM are dropped. The
    order is the score as written, descending, then the document id ascending; the rank column is
    ignored. Documents beyond rank 1000 are cut, one further for each machine-translated document
    of the benchmark, so that both readings can be scored; absent queries retrieved nothing.

    Returns:
        One row for each of `benchmark.queries`.

    Raises:
        RunFileError: A line breaks the format, names what the benchmark does not hold or repeats a
            document for its query, or no line lists anything; file and line are named.
    """
    lines = _parse(path, benchmark)
    if not lines.written:
        raise RunFileError(f"{path}: lists no document; an empty run cannot be scored")
    n_documents = len(benchmark.documents)
    _refuse_duplicates(path, benchmark, lines, n_documents)
    order = np.lexsort((lines.document, -lines.score, lines.query))
    _order_equal_floats(order, lines)
    query = lines.query[order]
    starts = np.searchsorted(query, np.arange(len(benchmark.queries)))
    column = np.arange(len(query)) - starts[query]
    kept = column < search_depth(benchmark)
    shape = (len(benchmark.queries), int(column[kept].max()) + 1)
    documents = np.full(shape, -1, dtype=np.int32)
    scores = np.full(shape, -np.inf)
    documents[query[kept], column[kept]] = lines.document[order][kept]
    scores[query[kept], column[kept]] = lines.score[order][kept]
    return Ranking(documents, scores)


def write_run(path: Path, benchmark: Benchmark, ranking: Ranking, tag: str) -> None:
    """Write a ranking with nine decimals a score; packed without a time where the name ends in .gz.

    Raises:
        RunFileError: The tag is empty or holds white space, or scores as written are not in the
            ranking's order, so that reading the file would give another ranking.
    """
    if not TAG.fullmatch(tag):
        raise RunFileError(f"{path}: the tag {tag!r} is empty or holds white space")
    ids = [document.id for document in benchmark.documents]
    lines: list[str] = []
    for row, query in enumerate(benchmark.queries):
        documents = ranking.documents[row]
        n = int((documents >= 0).sum())
        written = [f"{score + 0.0:.{DECIMALS}f}" for score in ranking.scores[row, :n].tolist()]
        listed = documents[:n].tolist()
        keys = [(-float(score), index) for score, index in zip(written, listed, strict=True)]
        if keys != sorted(keys):
            raise RunFileError(
                f"{path}: query {query.id} is not ordered by score as written, then id"
            )
        lines += [
            f"{query.id} Q0 {ids[index]} {rank} {score} {tag}\n"
            for rank, (index, score) in enumerate(zip(listed, written, strict=True), start=1)
        ]
    content = "".join(lines).encode()
    (write_gzip if path.suffix == ".gz" else write_bytes)(path, content)


def _content(path: Path) -> bytes:
    try:
        with open_bytes(path) as packed:
            return packed.read().removeprefix(BOM)
    except DataError as error:
        raise RunFileError(str(error)) from error


def _fields(content: bytes) -> Callable[[bytes], list[bytes]]:
    """How to part lines: at any ASCII white space where that is the same, which is faster."""
    if not OTHER_SPACE.search(content):
        return bytes.split
    return lambda line: [field for field in re.split(rb"[ \t]+", line) if field]


def _numbered_lines(content: bytes) -> Iterator[tuple[int, list[bytes]]]:
    content = content.replace(b"\r\n", b"\n").removesuffix(b"\r")
    fields = _fields(content)
    for number, line in enumerate(content.split(b"\n"), start=1):
        parts = fields(line)
        if parts:
            yield number, parts


def _parse(path: Path, benchmark: Benchmark) -> _Lines:
    queries = {id_.encode(): index for id_, index in benchmark.query_index.items()}
    documents = {id_.encode(): index for id_, index in benchmark.document_index.items()}
    is_score = SCORE.fullmatch
    query: list[int] = []
    document: list[int] = []
    written: list[bytes] = []
    numbers: list[int] = []
    for number, parts in _numbered_lines(_content(path)):
        if len(parts) != FIELDS:
            raise RunFileError(f"{path}, line {number}: {len(parts)} fields where six are expected")
        query_index, document_index = queries.get(parts[0]), documents.get(parts[2])
        if query_index is None:
            raise RunFileError(
                f"{path}, line {number}: no query {_text(parts[0])} in the benchmark"
            )
        if document_index is None:
            raise RunFileError(
                f"{path}, line {number}: no document {_text(parts[2])} in the benchmark"
            )
        if not is_score(parts[4]):
            raise RunFileError(
                f"{path}, line {number}: the score '{_text(parts[4])}' is no finite decimal number"
            )
        query.append(query_index)
        document.append(document_index)
        written.append(parts[4])
        numbers.append(number)
    scores = np.array([float(score) for score in written], dtype=np.float64)
    beyond = np.flatnonzero(np.isinf(scores))
    if len(beyond):
        first = int(beyond[0])
        raise RunFileError(
            f"{path}, line {numbers[first]}: the score '{_text(written[first])}' is beyond"
            " 1.8e308, the largest number that is taken"
        )
    return _Lines(
        np.array(query, dtype=np.int64),
        np.array(document, dtype=np.int64),
        scores,
        written,
        np.array(numbers, dtype=np.int64),
    )


def _text(field: bytes) -> str:
    return shown(field.decode("utf-8", errors="replace"))


def _refuse_duplicates(path: Path, benchmark: Benchmark, lines: _Lines, n_documents: int) -> None:
    pairs = lines.query * n_documents + lines.document
    order = np.argsort(pairs, kind="stable")
    repeated = order[1:][pairs[order][1:] == pairs[order][:-1]]
    if len(repeated):
        line = int(repeated.min())
        document = shown(benchmark.documents[lines.document[line]].id)
        query = shown(benchmark.queries[lines.query[line]].id)
        raise RunFileError(
            f"{path}, line {lines.number[line]}: document {document} stands a second time under"
            f" query {query}"
        )


def _order_equal_floats(order: Integers, lines: _Lines) -> None:
    """Order, in place, scores that differ as written although they are one float.

    Rounding to a float keeps the order of decimals, so only runs of equal floats are looked at.
    """
    query, score = lines.query[order], lines.score[order]
    tied = (query[1:] == query[:-1]) & (score[1:] == score[:-1])
    edges = np.flatnonzero(np.diff(np.concatenate([[False], tied, [False]])))
    for start, stop in zip(edges[::2].tolist(), (edges[1::2] + 1).tolist(), strict=True):
        run = order[start:stop].tolist()
        if len({lines.written[line] for line in run}) > 1:
            # Stable, so equal decimals ("0.5", "0.50") stay in the order of their ids.
            run.sort(key=lambda line: Decimal(lines.written[line].decode()), reverse=True)
            order[start:stop] = run
