"""A benchmark in memory and on disk (BEIR layout): documents, queries and qrels, checked as one.

The dataset version is the first 32 hex digits of the SHA-256 over the bytes of corpus.jsonl,
queries.jsonl and qrels/test.tsv in this order, so ``cat`` and ``sha256sum`` repeat it.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from isogloss.errors import BenchmarkError, DataError
from isogloss.files import (
    BLOCK_BYTES,
    BOM,
    one_line,
    read_records,
    write_bytes,
    write_jsonl,
)
from isogloss.foreign_text import shown
from isogloss.ids import RULE, is_id
from isogloss.languages import normalise_language

CORPUS_FILE = "corpus.jsonl"
QUERIES_FILE = "queries.jsonl"
QRELS_FILE = "qrels/test.tsv"
_FIELDS = re.compile(r"[^ \t]+")
_INTEGER = re.compile(r"-?[0-9]{1,9}")
# The origin of documents that no person has translated: every figure can be read without them.
MACHINE_TRANSLATED = "machine-translated"
# The model name under which texts are recorded that the maintainers of isogloss wrote by hand.
MAINTAINERS = "maintainers"
QRELS_HEADER = ("query-id", "corpus-id", "score")
VERSION_DIGITS = 32


# gc=False: records hold text only and make no cycles, so the collector need not go through them.
class DocumentMetadata(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What is known of a document beside its text."""

    language: str
    family: str
    office: str = ""
    origin: str = ""
    cluster: str | None = None


class Document(msgspec.Struct, frozen=True, gc=False):
    """One language version of one family, as a line of corpus.jsonl."""

    id: str = msgspec.field(name="_id")
    metadata: DocumentMetadata
    title: str = ""
    text: str = ""

    @property
    def content(self) -> str:
        """The evidence block: title and text, each where there is one."""
        return "\n".join(part for part in (self.title, self.text) if part)

    @property
    def cluster(self) -> str:
        """The unit of resampling; the family where nothing else is said."""
        return self.metadata.cluster or self.metadata.family


class _Untexted(Document, frozen=True, gc=False):
    """A document whose title and text were passed over: they are most of a benchmark's memory."""

    # No writer has keys that begin with a blank: what stands under the real ones is not decoded.
    title: str = msgspec.field(default="", name=" title")
    text: str = msgspec.field(default="", name=" text")

    @property
    def content(self) -> str:
        raise LookupError(f"document {self.id} was read without its texts; read them, too")


class QueryMetadata(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What is known of a query beside its text."""

    language: str
    family: str
    setup: str = ""
    mode: str = ""
    cluster: str | None = None
    # Of the document that a generated query was asked of; known items name none.
    office: str = ""
    # The chat model that wrote it; known items name none.
    generator: str = ""


def by_maintainers(model: str) -> bool:
    """Whether a model's name says that the maintainers wrote what it replied, by hand."""
    return model == MAINTAINERS or model.startswith(f"{MAINTAINERS}-")


class Query(msgspec.Struct, frozen=True, gc=False):
    """One query, as a line of queries.jsonl."""

    id: str = msgspec.field(name="_id")
    text: str
    metadata: QueryMetadata

    @property
    def cluster(self) -> str:
        """The unit of resampling; the family where nothing else is said."""
        return self.metadata.cluster or self.metadata.family


@dataclass(frozen=True)
class Benchmark:
    """Documents and queries, each sorted by id as text, and the judged pairs between them.

    Index order is id order, so comparing indexes breaks ties as comparing ids would.

    Attributes:
        name: The benchmark's key.
        documents: Sorted by id.
        queries: Sorted by id.
        judged_queries: int32 (n_pairs,) indexes into `queries`, ascending.
        judged_documents: int32 (n_pairs,) indexes into `documents`, ascending within a query.
        judged_values: int32 (n_pairs,) qrel values; above 0 is gold, the rest is judged only.
        version: The dataset version, 32 hex digits.
    """

    name: str
    documents: tuple[Document, ...]
    queries: tuple[Query, ...]
    judged_queries: npt.NDArray[np.int32]
    judged_documents: npt.NDArray[np.int32]
    judged_values: npt.NDArray[np.int32]
    version: str

    @cached_property
    def document_index(self) -> dict[str, int]:
        """Document id to index."""
        return {document.id: index for index, document in enumerate(self.documents)}

    @cached_property
    def query_index(self) -> dict[str, int]:
        """Query id to index."""
        return {query.id: index for index, query in enumerate(self.queries)}

    @property
    def qrels(self) -> dict[str, dict[str, int]]:
        """Query id to document id to value, as pytrec_eval, ranx and others take them."""
        pairs: dict[str, dict[str, int]] = {}
        columns = (self.judged_queries, self.judged_documents, self.judged_values)
        for query, document, value in zip(*(one.tolist() for one in columns), strict=True):
            judged = pairs.setdefault(self.queries[query].id, {})
            judged[self.documents[document].id] = value
        return pairs


Qrels = Iterable[tuple[str, str, int]]
Record = TypeVar("Record", Document, Query)


def write_benchmark(
    folder: Path, documents: Iterable[Document], queries: Iterable[Query], qrels: Qrels
) -> None:
    """Write a benchmark in canonical form, sorted by id: equal content is equal bytes."""
    write_jsonl(folder / CORPUS_FILE, sorted(documents, key=lambda document: document.id))
    write_jsonl(folder / QUERIES_FILE, sorted(queries, key=lambda query: query.id))
    lines = ["\t".join(QRELS_HEADER)]
    lines += [f"{query}\t{document}\t{value}" for query, document, value in sorted(qrels)]
    write_bytes(folder / QRELS_FILE, ("\n".join(lines) + "\n").encode())


def read_benchmark(folder: Path, name: str | None = None, *, texts: bool = True) -> Benchmark:
    """Read and check a benchmark folder.

    Args:
        folder: Holds corpus.jsonl, queries.jsonl and qrels/test.tsv.
        name: The benchmark's key; the folder's name where none is given.
        texts: Whether titles and texts of documents are wanted; without them they are neither kept
            nor looked at, and asking for a document's content is an error.

    Raises:
        BenchmarkError: A file is missing or empty, an id is repeated is none, language or
            family are missing, or a qrel names an unknown query or document or contradicts
            another; file and line are named.
    """
    for part in (CORPUS_FILE, QUERIES_FILE, QRELS_FILE):
        if not (folder / part).is_file():
            raise BenchmarkError(f"{folder}: {part} is missing; a benchmark folder holds it")
    digest = hashlib.sha256()
    # Hashing lets go of the interpreter: it takes place while the records are decoded.
    with ThreadPoolExecutor(1) as beside:

        def seen(content: bytes) -> None:
            beside.submit(digest.update, content)

        kind = Document if texts else _Untexted
        documents = _read_records(folder / CORPUS_FILE, kind, seen)
        queries = _read_records(folder / QUERIES_FILE, Query, seen)
        judged = (folder / QRELS_FILE).read_bytes()
        seen(judged)
    document_index = {document.id: index for index, document in enumerate(documents)}
    query_index = {query.id: index for index, query in enumerate(queries)}
    qrels = _read_qrels(folder / QRELS_FILE, judged, query_index, document_index)
    pairs = np.array(sorted((*pair, value) for pair, value in qrels.items()), dtype=np.int32)
    return Benchmark(
        name=name or folder.resolve().name,
        documents=tuple(documents),
        queries=tuple(queries),
        judged_queries=pairs[:, 0],
        judged_documents=pairs[:, 1],
        judged_values=pairs[:, 2],
        version=digest.hexdigest()[:VERSION_DIGITS],
    )


def dataset_version(folder: Path) -> str:
    """The version of a benchmark folder: 32 hex digits over its three files."""
    digest = hashlib.sha256()
    for part in (CORPUS_FILE, QUERIES_FILE, QRELS_FILE):
        with (folder / part).open("rb") as content:
            while block := content.read(BLOCK_BYTES):
                digest.update(block)
    return digest.hexdigest()[:VERSION_DIGITS]


def _read_records(
    path: Path, record: type[Record], passing: Callable[[bytes], None]
) -> list[Record]:
    records: list[Record] = []
    try:
        for block in read_records(path, record, passing):
            records += block
    except DataError as error:
        raise BenchmarkError(str(error)) from error
    if not records:
        raise BenchmarkError(f"{path}: holds no record")
    if not _sound(records):
        seen: set[str] = set()
        for number, item in enumerate(records, start=1):
            _check_record(item, seen, f"{path}, record {number}")
    plain = {tag: normalise_language(tag) or tag for tag in {r.metadata.language for r in records}}
    if any(code != tag for tag, code in plain.items()):
        records = [_with_language(item, plain[item.metadata.language]) for item in records]
    return sorted(records, key=attrgetter("id"))


def _sound(records: Sequence[Document | Query]) -> bool:
    """Whether no record has a fault; all at once, because a pool has many of them."""
    ids = [item.id for item in records]
    return (
        all(ids)
        and is_id("".join(ids))
        and len(set(ids)) == len(ids)
        and all(item.metadata.language and item.metadata.family for item in records)
    )


def _check_record(item: Document | Query, seen: set[str], where: str) -> None:
    if not is_id(item.id):
        raise BenchmarkError(f"{where}: id '{shown(item.id)}' is empty, or no id: {RULE}")
    if item.id in seen:
        raise BenchmarkError(f"{where}: id {shown(item.id)} stands here a second time")
    for key in ("language", "family"):
        if not getattr(item.metadata, key):
            raise BenchmarkError(f"{where} ({shown(item.id)}): metadata.{key} is empty")
    seen.add(item.id)


def _with_language(item: Record, code: str) -> Record:
    # zh-CN and zh are one language: left apart, same-language gold would count as cross.
    return msgspec.structs.replace(
        item, metadata=msgspec.structs.replace(item.metadata, language=code)
    )


def _read_qrels(
    path: Path, read: bytes, queries: dict[str, int], documents: dict[str, int]
) -> dict[tuple[int, int], int]:
    try:
        content = read.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise BenchmarkError(f"{path}: is not UTF-8 ({one_line(error)})") from error
    lines = [line.removesuffix("\r") for line in content.split("\n")]
    if tuple(_FIELDS.findall(lines[0])) != QRELS_HEADER:
        raise BenchmarkError(f"{path}, line 1: must be the header {' '.join(QRELS_HEADER)} (tabs)")
    qrels: dict[tuple[int, int], int] = {}
    for number, line in enumerate(lines[1:], start=2):
        if not line:
            continue
        where = f"{path}, line {number}"
        pair, value = _read_qrel(line, queries, documents, where)
        if qrels.setdefault(pair, value) != value:
            raise BenchmarkError(f"{where}: this pair has two values, {qrels[pair]} and {value}")
    if not qrels:
        raise BenchmarkError(f"{path}: holds no qrel")
    return qrels


def _read_qrel(
    line: str, queries: dict[str, int], documents: dict[str, int], where: str
) -> tuple[tuple[int, int], int]:
    fields: Sequence[str] = _FIELDS.findall(line)
    if len(fields) != len(QRELS_HEADER):
        raise BenchmarkError(f"{where}: {len(fields)} fields where three are expected")
    query, document, value = fields
    if query not in queries:
        raise BenchmarkError(f"{where}: no query {shown(query)} in {QUERIES_FILE}")
    if document not in documents:
        raise BenchmarkError(f"{where}: no document {shown(document)} in {CORPUS_FILE}")
    if not _INTEGER.fullmatch(value):
        raise BenchmarkError(f"{where}: the value '{shown(value)}' is no integer")
    return (queries[query], documents[document]), int(value)
