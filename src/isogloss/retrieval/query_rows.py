"""Translated queries as rows of a table of their own, so that an encoder reads each once."""

from collections.abc import Mapping

from isogloss.benchmark import Benchmark
from isogloss.retrieval.declaration import DenseDeclaration
from isogloss.retrieval.sending import sent_text, text_hash
from isogloss.retrieval.tables import Rows


def translated_rows(
    inner: DenseDeclaration, benchmark: Benchmark, translations: Mapping[str, Mapping[str, str]]
) -> Rows:
    """The texts that the inner model has not read as queries of the benchmark.

    A query in its own language has a vector there; the others are rows ``query language``.

    Args:
        inner: Puts its query prompt on each text.
        benchmark: Its queries.
        translations: Texts by query id, by language.
    """
    texts = {
        f"{query.id} {target}": by_query[query.id]
        for target, by_query in translations.items()
        for query in benchmark.queries
        if query.metadata.language != target
    }
    ordered = dict(sorted(texts.items()))
    hashes = [text_hash(sent_text(inner, text, "query")) for text in ordered.values()]
    return Rows(list(ordered), hashes, list(ordered.values()))
