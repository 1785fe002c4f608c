import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from isogloss.errors import BenchmarkError
from isogloss.qac.beir import Defaults, read_beir

META = {"language": "en", "family": "f"}
HEADER = "query-id\tcorpus-id\tscore\n"
ALONE = Defaults(language="en", family_is_id=True)


def lines(records: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


@pytest.fixture
def put(tmp_path: Path):
    def write(
        corpus: list[dict[str, Any]] | None = None,
        queries: list[dict[str, Any]] | None = None,
        qrels: str = "q\td\t1\n",
    ) -> Path:
        (tmp_path / "qrels").mkdir(exist_ok=True)
        corpus = corpus or [{"_id": "d", "title": "t", "text": "x", "metadata": META}]
        queries = queries or [{"_id": "q", "text": "x", "metadata": META}]
        (tmp_path / "corpus.jsonl").write_bytes(lines(corpus))
        (tmp_path / "queries.jsonl").write_bytes(lines(queries))
        (tmp_path / "qrels" / "test.tsv").write_text(HEADER + qrels, "utf-8")
        return tmp_path

    return write


def test_further_metadata_is_dropped_and_counted(put) -> None:
    corpus = [
        {"_id": "d", "text": "x", "metadata": META | {"url": "u", "office": "EP"}, "year": 1},
        {"_id": "e", "text": "y", "language": "zh-CN", "family": "g", "metadata": {"url": "u"}},
    ]
    found = read_beir(put(corpus), Defaults())
    first, second = found.documents
    assert (first.metadata.office, first.title) == ("EP", "")
    # Keys beside `metadata` count too, and tags become codes.
    assert (second.metadata.language, second.metadata.family) == ("zh", "g")
    assert found.counts["dropped_metadata"] == {"url": 2, "year": 1}


def test_plain_beir_loads_with_two_options(put) -> None:
    corpus = [{"_id": name, "title": "", "text": name, "metadata": {}} for name in "abc"]
    queries = [{"_id": f"q{name}", "text": "x", "metadata": None} for name in "abc"]
    found = read_beir(put(corpus, queries, "qa\ta\t1\nqb\ta\t1\nqb\tb\t2\nqb\tc\t0\n"), ALONE)
    assert [document.metadata.family for document in found.documents] == ["a", "b", "c"]
    # One gold family: that one. Two or none: the query stands alone.
    assert [query.metadata.family for query in found.queries] == ["a", "qb", "qc"]
    assert found.counts["language_from_option"] == 6


def test_another_field_may_hold_the_language(put) -> None:
    corpus = [{"_id": "d", "text": "x", "metadata": {"lang": "DE", "family": "f"}}]
    queries = [{"_id": "q", "text": "x", "metadata": {"lang": "fr", "family": "f"}}]
    found = read_beir(put(corpus, queries), Defaults(language_field="lang"))
    assert found.documents[0].metadata.language == "de"
    assert found.queries[0].metadata.language == "fr"
    assert found.counts["dropped_metadata"] == {}


def test_numbers_as_ids_are_their_digits(put) -> None:
    corpus = [{"_id": 12, "text": "x", "metadata": META | {"family": 3}}]
    found = read_beir(put(corpus, [{"_id": 7, "text": "x", "metadata": META}], "7\t12\t1\n"), ALONE)
    assert (found.documents[0].id, found.documents[0].metadata.family) == ("12", "3")
    assert found.qrels == [("7", "12", 1)]


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_packed_parts(put, ending) -> None:
    folder = put()
    for part in ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv"):
        plain = folder / part
        content = plain.read_bytes()
        pack = gzip.compress if ending == ".gz" else zstandard.ZstdCompressor().compress
        plain.with_name(plain.name + ending).write_bytes(pack(content))
        plain.unlink()
    assert read_beir(folder, Defaults()).qrels == [("q", "d", 1)]
    cut = folder / f"corpus.jsonl{ending}"
    cut.write_bytes(cut.read_bytes()[:-9])
    with pytest.raises(BenchmarkError, match=r"corpus\.jsonl\.(gz|zst)"):
        read_beir(folder, Defaults())


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"metadata": META}, "lacks '_id'"),
        ({"_id": 1.5, "metadata": META}, "_id must be text"),
        ({"_id": True, "metadata": META}, "_id must be text"),
        ({"_id": "a b", "metadata": META}, "_id 'a b': ids hold no white space"),
        ({"_id": "a\0", "metadata": META}, r"_id 'a.x00': ids hold no white space or control"),
        ({"_id": "d", "metadata": META}, "id d stands here a second time"),
        (
            {"_id": "e", "metadata": {"family": "f"}},
            r"\(e\): metadata lacks 'language'.*--language",
        ),
        ({"_id": "e", "metadata": {"language": "en"}}, r"\(e\): .*'family'.*--family-is-id"),
        ({"_id": "e", "metadata": META | {"language": "xx"}}, "'xx' is no language"),
        ({"_id": "e", "metadata": META | {"language": False}}, "language must be text"),
        ({"_id": "e", "metadata": "en"}, "metadata must be an object"),
        ({"_id": "e", "text": ["x"], "metadata": META}, "text must be text"),
    ],
)
def test_a_bad_record_is_named_by_line(put, record, message) -> None:
    good = {"_id": "d", "text": "x", "metadata": META}
    with pytest.raises(BenchmarkError, match=rf"corpus\.jsonl, line 2.*{message}"):
        read_beir(put([good, record]), Defaults())


def test_a_query_without_text_is_refused(put) -> None:
    with pytest.raises(BenchmarkError, match=r"queries\.jsonl, line 1 \(q\): .*no text"):
        read_beir(put(None, [{"_id": "q", "text": " ", "metadata": META}]), Defaults())


def test_a_missing_part_names_what_lies_there(put) -> None:
    folder = put()
    (folder / "qrels" / "test.tsv").rename(folder / "qrels" / "dev.tsv")
    with pytest.raises(BenchmarkError, match=r"qrels/test\.tsv is missing.*qrels/ holds dev\.tsv"):
        read_beir(folder, Defaults())
    (folder / "corpus.jsonl.gz").write_bytes(b"")
    with pytest.raises(BenchmarkError, match=r"corpus\.jsonl and corpus\.jsonl\.gz"):
        read_beir(folder, Defaults())


@pytest.mark.parametrize("content", [b"{", b"[]", b'"x"', b"\xff"])
def test_a_line_that_is_no_object(put, content) -> None:
    folder = put()
    (folder / "corpus.jsonl").write_bytes(b"\xef\xbb\xbf\n" + content)
    with pytest.raises(BenchmarkError, match=r"corpus\.jsonl, line 2: "):
        read_beir(folder, Defaults())
