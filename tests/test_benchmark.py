"""The BEIR layout: canonical when written, strict when read."""

import hashlib
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.benchmark import (
    CORPUS_FILE,
    QRELS_FILE,
    QUERIES_FILE,
    Document,
    DocumentMetadata,
    Query,
    QueryMetadata,
    read_benchmark,
    write_benchmark,
)  # fmt: skip
from isogloss.errors import BenchmarkError

DOCUMENTS = [
    Document("d2", DocumentMetadata("de", "f"), "Titel", "Text"),
    Document("d1", DocumentMetadata("en", "f", office="EP", cluster="c"), "", "text"),
]
QUERIES = [Query("q1", "what", QueryMetadata("en", "f", "known-item", "title", "c"))]
GOOD_LINE = '{"_id":"d1","metadata":{"language":"de","family":"f"}}\n'
QRELS = [("q1", "d2", 1), ("q1", "d1", 0)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_benchmark(tmp_path / "b", DOCUMENTS, QUERIES, QRELS)
    return tmp_path / "b"


def test_round_trip(folder: Path) -> None:
    benchmark = read_benchmark(folder)
    assert [document.id for document in benchmark.documents] == ["d1", "d2"]
    assert benchmark.documents[0] == DOCUMENTS[1]
    assert benchmark.queries[0] == QUERIES[0]
    assert benchmark.documents[0].cluster == "c"
    assert benchmark.documents[1].cluster == "f"
    assert benchmark.documents[1].content == "Titel\nText"
    assert benchmark.judged_documents.tolist() == [0, 1]
    assert benchmark.judged_values.tolist() == [0, 1]
    assert benchmark.qrels == {"q1": {"d1": 0, "d2": 1}}
    assert benchmark.name == "b"


def test_the_version_is_what_sha256sum_says(folder: Path) -> None:
    parts = (CORPUS_FILE, QUERIES_FILE, QRELS_FILE)
    content = b"".join((folder / part).read_bytes() for part in parts)
    assert read_benchmark(folder).version == hashlib.sha256(content).hexdigest()[:32]


def test_without_texts_all_else_is_the_same(folder: Path) -> None:
    whole, light = read_benchmark(folder), read_benchmark(folder, texts=False)
    assert light.version == whole.version
    for one, other in zip(light.documents, whole.documents, strict=True):
        assert (one.id, one.metadata, one.cluster) == (other.id, other.metadata, other.cluster)
        with pytest.raises(LookupError, match=f"{one.id} was read without its texts"):
            _ = one.content
    assert light.queries == whole.queries
    assert light.judged_values.tolist() == whole.judged_values.tolist()
    (folder / CORPUS_FILE).write_text(GOOD_LINE + GOOD_LINE)
    with pytest.raises(BenchmarkError, match="d1 stands here a second time"):
        read_benchmark(folder, texts=False)


@given(seed=st.integers(0, 1000))
def test_the_order_of_writing_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    base = tmp_path_factory.mktemp("order")
    shuffled = [random.Random(seed).sample(part, len(part)) for part in (DOCUMENTS, QUERIES, QRELS)]  # type: ignore[type-var]
    write_benchmark(base / "a", DOCUMENTS, QUERIES, QRELS)
    write_benchmark(base / "b", *shuffled)  # type: ignore[arg-type]
    assert read_benchmark(base / "a").version == read_benchmark(base / "b").version


@pytest.mark.parametrize(
    ("part", "content", "message"),
    [
        (CORPUS_FILE, '{"_id":"d1","title":"x"}\n', "line 1: .*metadata"),
        (CORPUS_FILE, '{"_id":"d1","metadata":{"language":"de"}}\n', "family"),
        (CORPUS_FILE, '{"_id":"d 1","metadata":{"language":"de","family":"f"}}\n', "white space"),
        (CORPUS_FILE, '{"_id":"d\\u0000","metadata":{"language":"de","family":"f"}}\n', "control"),
        (
            QUERIES_FILE,
            '{"_id":"q\\u0007","text":"x","metadata":{"language":"de","family":"f"}}\n',
            "control",
        ),
        (CORPUS_FILE, GOOD_LINE.replace('"de"', '""'), "language is empty"),
        (CORPUS_FILE, GOOD_LINE * 2, "second time"),
        (CORPUS_FILE, "", "holds no record"),
        (QUERIES_FILE, '{"_id":"q1","text":3}\n', "line 1"),
        (QRELS_FILE, "q1\td1\t1\n", "header"),
        (QRELS_FILE, "query-id\tcorpus-id\tscore\n", "holds no qrel"),
        (QRELS_FILE, "query-id\tcorpus-id\tscore\nq9\td1\t1\n", "line 2: no query q9"),
        (QRELS_FILE, "query-id\tcorpus-id\tscore\nq1\td9\t1\n", "line 2: no document d9"),
        (QRELS_FILE, "query-id\tcorpus-id\tscore\nq1\td1\tx\n", "no integer"),
        (QRELS_FILE, "query-id\tcorpus-id\tscore\nq1 d1\n", "2 fields"),
        (QRELS_FILE, "query-id\tcorpus-id\tscore\nq1\td1\t1_0\n", "no integer"),
        (QRELS_FILE, "query-id\tcorpus-id\tscore\nq1\td1\t1.0\n", "no integer"),
        (QRELS_FILE, "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td1\t2\n", "two values"),
    ],
)  # fmt: skip
def test_faults_are_named(folder: Path, part: str, content: str, message: str) -> None:
    (folder / part).write_text(content, encoding="utf-8")
    with pytest.raises(BenchmarkError, match=message) as caught:
        read_benchmark(folder)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / QRELS_FILE).unlink()
    with pytest.raises(BenchmarkError, match=r"qrels/test\.tsv is missing"):
        read_benchmark(folder)


@pytest.mark.parametrize(("tag", "code"), [("DE", "de"), ("de-AT", "de"), ("yue", "yue")])
def test_a_language_in_any_spelling_is_one_language(folder: Path, tag: str, code: str) -> None:
    line = (
        (folder / CORPUS_FILE).read_text("utf-8").replace('"language":"de"', f'"language":"{tag}"')
    )
    (folder / CORPUS_FILE).write_text(line, encoding="utf-8")
    assert read_benchmark(folder).documents[1].metadata.language == code
