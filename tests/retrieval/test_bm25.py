import math
from collections import Counter

import numpy as np
import pytest
from vector_stubs import StubEmbed, rows_of, spec_of

from isogloss.errors import StoreError
from isogloss.retrieval.bm25 import search_text
from isogloss.retrieval.staging import without_vectors
from isogloss.retrieval.store import VectorStore

TAG = "1" * 32
SPEC = spec_of(dimension=None, full_text=True)
TEXTS = {
    "d1": "a catalyst for ammonia synthesis",
    "d2": "la synthèse de l'ammoniac sur un catalyseur",
    "d3": "用于合成氨的催化剂和反应器",
    "d4": "polymer film with a catalyst layer, a catalyst indeed",
    "d5": "NOT AND OR",
    "d6": "บทความภาษาไทยเรื่องตัวเร่งปฏิกิริยา",
}


@pytest.fixture
def store(tmp_path):
    return VectorStore(str(tmp_path / "lancedb"))


def ranked(store, query, depth=1000, texts=TEXTS, margin=64):
    store.update(SPEC, rows_of(texts), without_vectors, TAG)
    ids = sorted(texts)
    found = search_text(store, SPEC.name, TAG, [query], depth, margin=margin).documents[0]
    return [ids[at] for at in found if at >= 0]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("catalyst", ["d4", "d1"]),
        ("CATALYST", ["d4", "d1"]),
        ("synthèse", ["d2"]),
        ("催化剂", ["d3"]),
        ("ปฏิกิริยา", ["d6"]),
        ("polymer AND ammonia", ["d5", "d4", "d1"]),
        ("-catalyst", ["d4", "d1"]),
        ('text:"catalyst', ["d4", "d1"]),
        ("cataly*", []),
        ("?!", []),
    ],
)
def test_queries_are_words_and_no_syntax(store, query, expected):
    assert sorted(ranked(store, query)) == sorted(expected)


def test_scores_are_bm25_over_icu_words(store):
    k1, b = 1.2, 0.75
    store.update(SPEC, rows_of(TEXTS), without_vectors, TAG)
    table = store.at(SPEC.name, TAG)
    counts = [
        Counter(token.text for token in table.tokenize(TEXTS[key], column="text"))
        for key in sorted(TEXTS)
    ]
    assert "催化" in counts[2]
    mean = sum(sum(count.values()) for count in counts) / len(counts)
    for query in ("a catalyst for ammonia", "催化剂和反应器", "polymer catalyst catalyst"):
        expected = np.zeros(len(counts))
        for token in table.tokenize(query, column="text"):
            holding = sum(token.text in count for count in counts)
            idf = math.log(1 + (len(counts) - holding + 0.5) / (holding + 0.5))
            for row, count in enumerate(counts):
                tf = count[token.text]
                length = 1 - b + b * sum(count.values()) / mean
                expected[row] += idf * tf * (k1 + 1) / (tf + k1 * length)
        ranking = search_text(store, SPEC.name, TAG, [query])
        found = ranking.documents[0]
        assert set(found.tolist()) == set(np.flatnonzero(expected).tolist())
        np.testing.assert_allclose(ranking.scores[0], expected[found], rtol=1e-5)


@pytest.mark.parametrize("margin", [1, 2, 64])
def test_ties_across_the_cut_go_to_the_lowest_ids(store, margin):
    texts = {f"d{i:03d}": "same words here" for i in range(300)}
    texts["e"] = "other"
    assert ranked(store, "words", 20, texts, margin) == [f"d{i:03d}" for i in range(20)]


def test_more_than_ten_hits_and_each_document_once(store):
    texts = {f"d{i:04d}": f"word {i}" for i in range(1500)}
    found = ranked(store, "word", texts=texts)
    assert len(found) == len(set(found)) == 1000


def test_deterministic_after_an_update(store, tmp_path):
    later = {**TEXTS, "d7": "ammonia again", "d1": "nothing of that kind"}
    ranked(store, "ammonia")
    store.update(SPEC, rows_of(later), without_vectors, "2" * 32)
    fresh = VectorStore(str(tmp_path / "other"))
    fresh.update(SPEC, rows_of(later), without_vectors, "2" * 32)
    queries = ["ammonia catalyst", "催化剂 polymer", "a"]
    one, two = (search_text(s, SPEC.name, "2" * 32, queries) for s in (store, fresh))
    np.testing.assert_array_equal(one.documents, two.documents)
    np.testing.assert_allclose(one.scores, two.scores)
    # The tag before still answers from its own index.
    assert search_text(store, SPEC.name, TAG, ["ammonia"]).documents[0].tolist() == [0]


def test_a_table_without_index_is_refused(store):
    store.update(spec_of(), rows_of(TEXTS), StubEmbed(), TAG)
    with pytest.raises(StoreError, match="no full-text index"):
        search_text(store, "b.r.documents", TAG, ["x"])
