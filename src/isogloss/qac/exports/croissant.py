"""Croissant 1.0 metadata (JSON-LD): the files with their digests, the tables and their fields."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from isogloss.files import sha256_bytes
from isogloss.qac.exports.finished import Finished
from isogloss.qac.exports.licences import ATTRIBUTION_FILE, Licence
from isogloss.qac.exports.tables import COLUMNS, DESCRIPTIONS, Column, data_file

CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
# The specification's own context; a reader refuses or warns of any other.
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_KEYS = {"corpus": ("_id",), "queries": ("_id",), "qrels": ("query-id", "corpus-id")}
_REFERENCES = {"query-id": "queries/_id", "corpus-id": "corpus/_id"}


@dataclass(frozen=True)
class Publication:
    """What Croissant wants to know and no benchmark folder tells; None = not given, left out.

    Attributes:
        url: Page of the dataset.
        creator: Who made it.
        published: ISO date of its publication.
    """

    url: str | None = None
    creator: str | None = None
    published: str | None = None


def croissant(
    finished: Finished, licence: Licence, publication: Publication, files: Mapping[str, bytes]
) -> dict[str, Any]:
    """Describe an export.

    Args:
        finished: The benchmark.
        licence: Its licence.
        publication: What the caller declares.
        files: The export's data files by the name of their table.

    Returns:
        The JSON-LD document. Required keys that nobody declared are absent: see `undeclared`.
    """
    known = {
        "creator": publication.creator
        and {"@type": "sc:Organization", "name": publication.creator},
        "datePublished": publication.published,
        "license": licence.url or (f"See {ATTRIBUTION_FILE}." if licence.attributed else None),
        "url": publication.url,
    }
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": finished.name,
        "description": finished.description,
        # The version is a digest; the specification wants three numbers before it.
        "version": f"1.0.0+{finished.benchmark.version}",
        "inLanguage": finished.languages,
        "keywords": ["text-retrieval", "cross-lingual-retrieval", *finished.labels],
        **{key: value for key, value in known.items() if value},
        **({"creditText": finished.attribution} if finished.attribution else {}),
        "distribution": [_file(name, files[name]) for name in COLUMNS],
        "recordSet": [_record_set(name, columns) for name, columns in COLUMNS.items()],
    }


def undeclared(document: Mapping[str, Any]) -> list[str]:
    """Keys that Croissant 1.0 requires of a dataset and this document lacks."""
    return [key for key in ("creator", "datePublished", "license", "url") if key not in document]


def _file(table: str, content: bytes) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": f"{table}.parquet",
        "name": f"{table}.parquet",
        "description": DESCRIPTIONS[table],
        "contentUrl": data_file(table),
        "contentSize": f"{len(content)} B",
        "encodingFormat": "application/x-parquet",
        "sha256": sha256_bytes(content),
    }


def _record_set(table: str, columns: tuple[Column, ...]) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": table,
        "name": table,
        "description": DESCRIPTIONS[table],
        "key": [{"@id": f"{table}/{name}"} for name in _KEYS[table]],
        "field": [_field(table, column) for column in columns],
    }


def _field(table: str, column: Column) -> dict[str, Any]:
    described = {
        "@type": "cr:Field",
        "@id": f"{table}/{column.name}",
        "name": column.name,
        "description": column.description,
        "dataType": "sc:Integer" if pa.types.is_integer(column.type) else "sc:Text",
        "source": {"fileObject": {"@id": f"{table}.parquet"}, "extract": {"column": column.name}},
    }
    if column.name in _REFERENCES:
        described["references"] = {"field": {"@id": _REFERENCES[column.name]}}
    return described
