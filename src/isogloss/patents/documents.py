"""Publications that stay become rows of the corpus, cleaned text beside the original."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import pyarrow as pa

from isogloss.patents.cleaning import clean, dropped_characters
from isogloss.patents.record import Publication, Version
from isogloss.schema import CORPUS

BATCH = 2_000


def document_batches(
    publications: Iterable[Publication], origin: str, dropped: Counter[str], counts: Counter[str]
) -> Iterator[pa.RecordBatch]:
    """Yield the documents of publications as batches of the corpus schema.

    Args:
        publications: In document order, one version a language.
        origin: Where the text comes from, for instance ``published``.
        dropped: Takes what cleaning removed, by kind of character.
        counts: Takes the documents whose abstract the source marks as truncated.
    """
    rows = _rows(publications, origin, dropped, counts)
    while batch := list(islice(rows, BATCH)):
        yield pa.RecordBatch.from_pylist(batch, schema=CORPUS)


def _rows(
    publications: Iterable[Publication], origin: str, dropped: Counter[str], counts: Counter[str]
) -> Iterator[dict[str, Any]]:
    for publication in publications:
        for version in sorted(publication.versions, key=lambda version: version.language):
            counts["truncated_documents_kept"] += version.truncated
            yield _row(publication, version, origin, dropped)


def _row(
    publication: Publication, version: Version, origin: str, dropped: Counter[str]
) -> dict[str, Any]:
    originals = {name: getattr(version, name) for name in ("title", "abstract", "claim")}
    for text in originals.values():
        dropped.update(dropped_characters(text))
    segments = [{"id": part.id, "text": clean(part.text)} for part in version.segments]
    cleaned = {name: clean(text) for name, text in originals.items()}
    if segments:
        # The passage is its cleaned segments, so that one of them can be taken out of it.
        cleaned["abstract"] = " ".join(part["text"] for part in segments)
    return {
        "id": f"{publication.number}:{version.language}",
        "family": publication.number,
        "cluster": publication.cluster,
        "language": version.language,
        **cleaned,
        "segments": segments,
        "codes": publication.codes,
        "office": publication.office,
        "date": publication.date,
        "origin": origin,
        **{f"{name}_original": text for name, text in originals.items()},
    }
