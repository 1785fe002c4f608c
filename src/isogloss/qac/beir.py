"""Read BEIR-layout folders as they are found elsewhere, and say what each lacks."""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from isogloss.benchmark import (
    CORPUS_FILE,
    QRELS_FILE,
    QUERIES_FILE,
    Document,
    DocumentMetadata,
    Query,
    QueryMetadata,
)
from isogloss.errors import BenchmarkError
from isogloss.foreign_text import shown
from isogloss.languages import normalise_language
from isogloss.qac.beir_lines import id_of, name_of, object_lines, text_of
from isogloss.qac.beir_qrels import Qrel, read_qrels

PACKINGS = ("", ".gz", ".zst")
_BASE = frozenset({"_id", "title", "text", "metadata"})
_DOCUMENT_KEYS = frozenset(DocumentMetadata.__struct_fields__)
_QUERY_KEYS = frozenset(QueryMetadata.__struct_fields__)
Record = TypeVar("Record", Document, Query)


@dataclass(frozen=True)
class Defaults:
    """What stands in for metadata that a folder lacks.

    Attributes:
        language: Language of records that name none; None = such a record is an error.
        language_field: The metadata key that names the language.
        family_is_id: A document without a family is a family of its own; a query without one takes
            that of its gold where all gold is one family, else it stands alone.
    """

    language: str | None = None
    language_field: str = "language"
    family_is_id: bool = False


@dataclass(frozen=True)
class Imported:
    """A folder's content in the project's own types; `counts` says what was changed or left."""

    documents: list[Document]
    queries: list[Query]
    qrels: list[Qrel]
    counts: dict[str, object]


def read_beir(folder: Path, defaults: Defaults) -> Imported:
    """Read corpus.jsonl, queries.jsonl and qrels/test.tsv, each plain or packed (.gz, .zst).

    Metadata is looked for under `metadata` and beside it; language tags become ISO 639-1 codes,
    whole numbers as ids become text, repeated equal qrels become one. Further metadata is dropped
    and counted by key. A query without gold stays.

    Raises:
        BenchmarkError: A file is missing or empty, or a record cannot be used; file, line, id and
            cure are named.
    """
    paths = {part: find_part(folder, part) for part in (CORPUS_FILE, QUERIES_FILE, QRELS_FILE)}
    reader = _Reader(defaults)
    documents = reader.records(paths[CORPUS_FILE], reader.document)
    queries = reader.records(paths[QUERIES_FILE], reader.query)
    known_queries, known_documents = {one.id for one in queries}, {one.id for one in documents}
    qrels, repeated = read_qrels(paths[QRELS_FILE], known_queries, known_documents)
    if defaults.family_is_id:
        queries = _families_from_gold(documents, queries, qrels)
    counts: dict[str, object] = {
        "documents": len(documents),
        "queries": len(queries),
        "qrels": len(qrels),
        "repeated_qrels": repeated,
        "language_from_option": reader.assumed,
        "dropped_metadata": dict(sorted(reader.dropped.items())),
    }
    return Imported(documents, queries, qrels, counts)


def find_part(folder: Path, part: str) -> Path:
    """Find one of the three files, plain or packed.

    Raises:
        BenchmarkError: It is missing or lies there in two packings; the message names what lies in
            its place.
    """
    found = [folder / f"{part}{end}" for end in PACKINGS if (folder / f"{part}{end}").is_file()]
    if len(found) == 1:
        return found[0]
    if found:
        names = " and ".join(path.name for path in found)
        raise BenchmarkError(f"{folder}: holds {names}; keep one of them")
    place = (folder / part).parent
    others = sorted(path.name for path in place.iterdir()) if place.is_dir() else []
    raise BenchmarkError(
        f"{folder}: {part} is missing (plain, .gz or .zst); "
        f"{place.name}/ holds {', '.join(others[:10]) or 'nothing'}"
    )


class _Reader:
    """Turns lines into records and keeps count of what was assumed and dropped."""

    def __init__(self, defaults: Defaults) -> None:
        self.defaults = defaults
        self.assumed = 0
        self.dropped: Counter[str] = Counter()

    def records(self, path: Path, build: Callable[[dict[str, Any], str], Record]) -> list[Record]:
        seen: set[str] = set()
        records = []
        for where, raw in object_lines(path):
            record = build(raw, where)
            if record.id in seen:
                raise BenchmarkError(f"{where}: id {shown(record.id)} stands here a second time")
            seen.add(record.id)
            records.append(record)
        if not records:
            raise BenchmarkError(f"{path}: holds no record")
        return records

    def document(self, raw: dict[str, Any], where: str) -> Document:
        name = id_of(raw, where)
        meta = self._metadata(raw, _DOCUMENT_KEYS, where)
        where = f"{where} ({shown(name)})"
        return Document(
            id=name,
            title=text_of(raw, "title", where),
            text=text_of(raw, "text", where),
            metadata=DocumentMetadata(
                language=self._language(meta, where),
                family=self._family(meta, name, where),
                office=text_of(meta, "office", where),
                origin=text_of(meta, "origin", where),
                cluster=name_of(meta, "cluster", where) or None,
            ),
        )

    def query(self, raw: dict[str, Any], where: str) -> Query:
        name = id_of(raw, where)
        meta = self._metadata(raw, _QUERY_KEYS, where)
        where = f"{where} ({shown(name)})"
        text = text_of(raw, "text", where)
        if not text.strip():
            raise BenchmarkError(f"{where}: the query has no text")
        return Query(
            id=name,
            text=text,
            metadata=QueryMetadata(
                language=self._language(meta, where),
                family=self._family(meta, "", where),
                setup=text_of(meta, "setup", where),
                mode=text_of(meta, "mode", where),
                office=text_of(meta, "office", where),
                cluster=name_of(meta, "cluster", where) or None,
                generator=text_of(meta, "generator", where),
            ),
        )

    def _metadata(self, raw: dict[str, Any], known: frozenset[str], where: str) -> dict[str, Any]:
        inner = raw.get("metadata")
        if not isinstance(inner, dict | None):
            raise BenchmarkError(f"{where}: metadata must be an object")
        meta = {key: value for key, value in raw.items() if key not in _BASE} | (inner or {})
        self.dropped.update(meta.keys() - known - {self.defaults.language_field})
        return meta

    def _language(self, meta: dict[str, Any], where: str) -> str:
        key = self.defaults.language_field
        tag = text_of(meta, key, where).strip()
        if not tag:
            if self.defaults.language is None:
                raise BenchmarkError(
                    f"{where}: metadata lacks {key!r}; add it, or name the key that holds it "
                    "with --language-field, or one language for all with --language"
                )
            self.assumed += 1
            return self.defaults.language
        code = normalise_language(tag)
        if code is None:
            raise BenchmarkError(
                f"{where}: '{shown(tag)}' is no language known by an ISO 639-1 code"
            )
        return code

    def _family(self, meta: dict[str, Any], own: str, where: str) -> str:
        family = name_of(meta, "family", where)
        if family or self.defaults.family_is_id:
            return family or own
        raise BenchmarkError(
            f"{where}: metadata lacks 'family'; add it, or pass --family-is-id if every document "
            "is a family of its own"
        )


def _families_from_gold(
    documents: list[Document], queries: list[Query], qrels: list[Qrel]
) -> list[Query]:
    family_of = {document.id: document.metadata.family for document in documents}
    gold: dict[str, set[str]] = defaultdict(set)
    for query_id, document_id, value in qrels:
        if value > 0:
            gold[query_id].add(family_of[document_id])
    return [_with_family(query, gold[query.id]) for query in queries]


def _with_family(query: Query, gold: set[str]) -> Query:
    if query.metadata.family:
        return query
    family = next(iter(gold)) if len(gold) == 1 else query.id
    metadata = msgspec.structs.replace(query.metadata, family=family)
    return msgspec.structs.replace(query, metadata=metadata)
