from pathlib import Path

import pytest

from isogloss.benchmark import (
    Benchmark,
    Document,
    DocumentMetadata,
    Query,
    QueryMetadata,
    read_benchmark,
    write_benchmark,
)
from isogloss.qac.table_one import describe


@pytest.fixture
def small(tmp_path: Path) -> Benchmark:
    def document(name: str, language: str, family: str, text: str) -> Document:
        metadata = DocumentMetadata(language=language, family=family, office="EP", origin="x")
        return Document(id=name, metadata=metadata, title="Acid", text=text)

    documents = [
        document("a:de", "de", "a", "Säure und SÄURE"),
        document("a:en", "en", "a", "acid, and acid."),
        document("b:zh", "zh", "b", "水"),
    ]
    queries = [
        Query("q1", "Acid here", QueryMetadata("en", "a", "known-item", "title")),
        Query("q2", "one two three four", QueryMetadata("fr", "b", "known-item", "title")),
        Query("q3", "none", QueryMetadata("en", "c")),
    ]
    qrels = [("q1", "a:de", 1), ("q1", "a:en", 1), ("q1", "b:zh", 0), ("q2", "b:zh", 1)]
    write_benchmark(tmp_path / "b", documents, queries, qrels)
    return read_benchmark(tmp_path / "b")


def test_the_columns_of_table_one(small: Benchmark) -> None:
    figures = describe(small)
    assert figures["corpus_docs"] == 3
    assert figures["queries"] == 3
    # The pair judged 0 is no gold.
    assert (figures["qrels"], figures["cross_qrels"]) == (3, 2)
    assert (figures["q_tokens_mean"], figures["q_vocab"]) == (2.3333, 7)
    assert figures["q_tokens_sd"] == 1.5275
    # Title and text together: 4, 4 and 2 words; acid, und, säure, and, 水.
    assert (figures["c_tokens_mean"], figures["c_tokens_sd"]) == (3.3333, 1.1547)
    assert figures["c_vocab"] == 5


def test_counts_by_language_route_and_gold(small: Benchmark) -> None:
    figures = describe(small)
    assert figures["languages"] == {
        "de": {"documents": 1, "queries": 0, "gold": 1},
        "en": {"documents": 1, "queries": 2, "gold": 1},
        "fr": {"documents": 0, "queries": 1, "gold": 0},
        "zh": {"documents": 1, "queries": 0, "gold": 1},
    }
    assert figures["routes"] == {"en>de": 1, "en>en": 1, "fr>zh": 1}
    assert figures["queries_dual_gold"] == 1
    assert figures["queries_same_gold_only"] == 0
    assert figures["queries_cross_gold_only"] == 1
    assert figures["modes"] == {"title": 2, "unknown": 1}


@pytest.mark.parametrize("case", ["M01"], indirect=True)
def test_a_query_without_gold_is_named(case, tmp_path: Path) -> None:
    check = case["recall_at_2"]
    qrels = [(q, d, 1) for q, gold in check["input"]["qrels"].items() for d in gold]
    documents = [Document(d, DocumentMetadata("en", d), text=d) for d in ("A", "B", "C", "D")]
    queries = [Query(q, q, QueryMetadata("en", q)) for q in check["input"]["qrels"]]
    write_benchmark(tmp_path / "b", documents, queries, qrels)
    figures = describe(read_benchmark(tmp_path / "b"))
    assert figures["queries_without_gold"] == check["expected"]["excluded_no_relevant"]


def test_one_query_has_no_spread(tmp_path: Path) -> None:
    documents = [Document("d", DocumentMetadata("en", "d"))]
    queries = [Query("q", "a b", QueryMetadata("en", "d"))]
    write_benchmark(tmp_path / "b", documents, queries, [("q", "d", 1)])
    figures = describe(read_benchmark(tmp_path / "b"))
    assert figures["q_tokens_sd"] is None
    assert figures["documents_without_text"] == ["d"]
