import subprocess
import sys
import threading
import time
from itertools import permutations

import numpy as np
import pyarrow as pa
import pytest
from filelock import FileLock
from vector_stubs import StubEmbed, rows_of, spec_of, vector_of

from isogloss.errors import EncoderError, StoreError
from isogloss.retrieval.bm25 import search_text
from isogloss.retrieval.search import search
from isogloss.retrieval.staging import without_vectors
from isogloss.retrieval.store import Counts, VectorStore

V1, V2, V3 = "1" * 32, "2" * 32, "3" * 32
TEXTS = {f"F{i // 2}-{'de' if i % 2 else 'en'}": f"text {i}" for i in range(10)}


@pytest.fixture
def store(tmp_path):
    return VectorStore(str(tmp_path / "lancedb"))


def test_what_was_written_is_read_in_id_order(store):
    assert store.update(spec_of(), rows_of(TEXTS), StubEmbed(), V1) == Counts(10, 0, 0)
    stored = store.read("b.r.documents", V1)
    assert stored.ids == sorted(TEXTS)
    assert stored.tokens == [len(TEXTS[key]) for key in sorted(TEXTS)]
    expected = np.array([vector_of(TEXTS[key]) for key in sorted(TEXTS)])
    np.testing.assert_array_equal(stored.vectors, expected)
    assert stored.vectors.dtype == np.float32


def test_only_new_and_changed_texts_are_embedded_and_old_tags_still_read(store):
    store.update(spec_of(), rows_of(TEXTS), StubEmbed(), V1)
    later = {**TEXTS, "F9-en": "new", "F9-de": "neu", "F1-en": "changed"}
    del later["F0-en"]
    embed = StubEmbed()
    assert store.update(spec_of(), rows_of(later), embed, V2) == Counts(3, 8, 1)
    assert sorted(embed.seen) == ["changed", "neu", "new"]
    assert store.read("b.r.documents", V1).ids == sorted(TEXTS)
    stored = store.read("b.r.documents", V2)
    assert stored.ids == sorted(later)
    np.testing.assert_array_equal(
        stored.vectors, np.array([vector_of(later[key]) for key in sorted(later)])
    )


def test_nothing_changed_is_only_a_tag(store):
    store.update(spec_of(full_text=True), rows_of(TEXTS), StubEmbed(), V1)
    embed = StubEmbed()
    assert store.update(spec_of(full_text=True), rows_of(TEXTS), embed, V2) == Counts(0, 10, 0)
    assert embed.seen == []
    tags = store.tags("b.r.documents")
    assert tags[V1] == tags[V2]


def test_going_back_to_a_tagged_version_computes_nothing(store):
    store.update(spec_of(), rows_of(TEXTS), StubEmbed(), V1)
    store.update(spec_of(), rows_of({"only": "one"}), StubEmbed(), V2)
    embed = StubEmbed()
    assert store.update(spec_of(), rows_of(TEXTS), embed, V1) == Counts(0, 10, 0)
    assert embed.seen == []
    assert store.read("b.r.documents", V2).ids == ["only"]


def test_a_tag_moves_when_its_texts_were_others(store):
    store.update(spec_of(), rows_of(TEXTS), StubEmbed(), V1)
    other = {**TEXTS, "F0-en": "sent in another way"}
    assert store.update(spec_of(), rows_of(other), StubEmbed(), V1) == Counts(1, 9, 0)
    stored = store.read("b.r.documents", V1)
    np.testing.assert_array_equal(stored.vectors[1], vector_of("sent in another way"))


def test_only_deletions(store):
    store.update(spec_of(), rows_of(TEXTS), StubEmbed(), V1)
    fewer = {key: TEXTS[key] for key in sorted(TEXTS)[:4]}
    assert store.update(spec_of(), rows_of(fewer), StubEmbed(), V2) == Counts(0, 4, 6)
    assert store.read("b.r.documents", V2).ids == sorted(fewer)


def test_equal_texts_are_embedded_once_and_get_equal_vectors(store):
    embed = StubEmbed()
    counts = store.update(spec_of(), rows_of({"a": "x", "b": "y", "c": "x"}), embed, V1)
    assert counts == Counts(2, 0, 0, repeats=1)
    renamed = rows_of({"b": "y", "z's": "x"})
    assert store.update(spec_of(), renamed, embed, V2) == Counts(0, 2, 2)
    assert sorted(embed.seen) == ["x", "y"]
    np.testing.assert_array_equal(store.read("b.r.documents", V2).vectors[1], vector_of("x"))


def test_ids_with_quotes_can_leave(store):
    store.update(spec_of(), rows_of({"a'b": "x", "c": "y"}), StubEmbed(), V1)
    assert store.update(spec_of(), rows_of({"c": "y"}), StubEmbed(), V2) == Counts(0, 1, 1)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 0.0])
def test_a_bad_vector_stops_the_update_and_is_named(store, bad):
    class Broken(StubEmbed):
        def __call__(self, rows):
            for computed in super().__call__(rows):
                for row, text in enumerate(self.seen[-len(computed.hashes) :]):
                    if text == "text 4":
                        computed.vectors[row] = bad
                yield computed

    with pytest.raises(EncoderError, match=r"stub: 1 of \d vectors are .*\(F2-en\)"):
        store.update(spec_of(), rows_of(TEXTS), Broken(), V1)
    assert store.tags("b.r.documents") == {}
    # What was computed before is kept; the good retry completes all ten.
    store.update(spec_of(), rows_of(TEXTS), StubEmbed(), V1)
    assert len(store.read("b.r.documents", V1).ids) == 10


def test_an_encoder_that_loses_a_text_is_caught(store):
    class Losing(StubEmbed):
        def __call__(self, rows):
            yield from list(super().__call__(rows))[:-1]

    with pytest.raises(StoreError, match="1 of 10 texts came back without vectors"):
        store.update(spec_of(), rows_of(TEXTS), Losing(), V1)


def test_another_dimension_is_refused_with_both_numbers_and_the_model(store):
    store.update(spec_of(), rows_of(TEXTS), StubEmbed(), V1)
    with pytest.raises(StoreError, match="dimension 8, stub declares 3"):
        store.update(spec_of(dimension=3), rows_of(TEXTS), StubEmbed(3), V2)
    with pytest.raises(EncoderError, match=r"stub: gave vectors of shape 3x2 .* 3x8"):
        store.update(spec_of("b.s.documents"), rows_of(TEXTS), StubEmbed(2), V1)


@pytest.mark.parametrize(
    ("columns", "fault"),
    [
        (["id", "hash", "text", "vector"], "lacks column tokens"),
        (["id", "hash", "text", "tokens", "vector", "lang"], "has unknown column lang"),
    ],
)
def test_schema_drift_is_refused_and_names_the_column(store, columns, fault):
    spec = spec_of()
    full = pa.schema([*spec.schema, pa.field("lang", pa.string())])
    spoiled = pa.schema([full.field(name) for name in columns]).empty_table()
    store._database.create_table(spec.name, spoiled)
    with pytest.raises(StoreError, match=fault):
        store.update(spec, rows_of(TEXTS), StubEmbed(), V1)


def test_another_order_of_columns_is_the_same_table(store):
    spec = spec_of()
    reordered = pa.schema(list(spec.schema)[::-1]).empty_table()
    store._database.create_table(spec.name, reordered)
    assert store.update(spec, rows_of(TEXTS), StubEmbed(), V1) == Counts(10, 0, 0)
    assert store.read(spec.name, V1).ids == sorted(TEXTS)


@pytest.mark.parametrize(("count", "expected"), [(2000, 1000), (300, 300)])
def test_no_default_limit_of_ten(store, count, expected):
    texts = {f"d{i:05d}": f"text {i}" for i in range(count)}
    store.update(spec_of(), rows_of(texts), StubEmbed(batch=500), V1)
    stored = store.read("b.r.documents", V1)
    assert len(stored.ids) == count
    assert search(stored.vectors[:3], stored.vectors).documents.shape == (3, expected)


def test_ties_rank_alike_whatever_the_order_they_came_in(store):
    texts = {f"d{i}": "the same" for i in range(1, 7)}
    ranks = set()
    for number, arrival in enumerate(list(permutations(texts))[::90]):
        spec = spec_of(f"b.{number}.documents")
        for step in range(1, 7):
            part = {key: texts[key] for key in arrival[:step]}
            store.update(spec, rows_of(part), StubEmbed(), f"{step}")
        stored = store.read(spec.name, "6")
        ranking = search(stored.vectors[:1], stored.vectors)
        ranks.add([stored.ids[at] for at in ranking.documents[0]].index("d5") + 1)
    assert ranks == {5}


def test_what_is_missing_is_said(store):
    with pytest.raises(StoreError, match=r"no table b\.r\.documents; run isogloss embed"):
        store.read("b.r.documents", V1)
    store.update(spec_of(), rows_of(TEXTS), StubEmbed(), V1)
    with pytest.raises(StoreError, match=f"no tag {V2}"):
        store.read("b.r.documents", V2)


def test_full_text_tables_hold_no_vectors(store):
    spec = spec_of(dimension=None, full_text=True)
    assert store.update(spec, rows_of(TEXTS), without_vectors, V1).deleted == 0
    assert store.read(spec.name, V1).vectors is None


def test_prune_keeps_what_is_named(store):
    for tag, texts in ((V1, {"a": "x"}), (V2, {"a": "y"}), (V3, {"a": "z"})):
        store.update(spec_of(), rows_of(texts), StubEmbed(), tag)
    with pytest.raises(StoreError, match="still names"):
        store.prune("b.r.documents", named=[V2, V3], drop=[V2])
    with pytest.raises(StoreError, match="has no tag"):
        store.prune("b.r.documents", named=[], drop=["x"])
    assert store.prune("b.r.documents", named=[V2, V3]) == [V1]
    np.testing.assert_array_equal(store.read("b.r.documents", V2).vectors[0], vector_of("y"))
    np.testing.assert_array_equal(store.read("b.r.documents", V3).vectors[0], vector_of("z"))
    assert store.names() == ["b.r.documents"]
    assert store.prune("b.r.documents", named=[]) == [V2, V3]
    assert store.names() == []


def files_with(folder, words):
    files = (path for path in folder.rglob("*.lance") if path.is_file())
    return [path for path in files if words in path.read_bytes()]


def test_what_a_dropped_version_alone_held_is_gone_from_the_disk(store, tmp_path):
    """Also where older versions stay, one between two of them, and the newest is dropped."""
    spec = spec_of(full_text=True)
    grown = {"a": "first kept words"}
    for tag, more in (
        (V1, {}),
        (V2, {"b": "withdrawn between words"}),
        (V3, {"c": "second kept words"}),
        ("4" * 32, {"d": "withdrawn newest words"}),
    ):
        rows = {name: text for name, text in (grown | more).items() if name != "b" or tag == V2}
        store.update(spec, rows_of(rows), StubEmbed(), tag)
        grown = rows
    before = {tag: store.read("b.r.documents", tag) for tag in (V1, V3)}
    assert files_with(tmp_path, b"withdrawn")
    time.sleep(1.2)  # Lance tells ages by the second.
    assert store.prune("b.r.documents", named=[V1, V3]) == [V2, "4" * 32]
    assert not files_with(tmp_path, b"withdrawn")
    assert set(store.tags("b.r.documents")) == {V1, V3}
    for tag, was in before.items():
        now = store.read("b.r.documents", tag)
        assert (now.ids, now.hashes) == (was.ids, was.hashes)
        np.testing.assert_array_equal(now.vectors, was.vectors)
        found = search_text(store, "b.r.documents", tag, ["kept"], 10)
        assert (found.documents[0] >= 0).sum() == len(now.ids)
    # Embedding goes on from what is kept.
    store.update(spec, rows_of({"a": "first kept words", "e": "new"}), StubEmbed(), V2)
    assert store.read("b.r.documents", V2).ids == ["a", "e"]


@pytest.mark.parametrize("step", ["_index_text", "_set_tag"])
def test_a_run_that_died_after_the_merge_is_finished_by_the_next(store, monkeypatch, step):
    def die(*_):
        raise KeyboardInterrupt

    spec = spec_of(full_text=True)
    store.update(spec, rows_of({"a": "x"}), StubEmbed(), V1)
    with monkeypatch.context() as patch:
        patch.setattr(f"isogloss.retrieval.store.{step}", die)
        with pytest.raises(KeyboardInterrupt):
            store.update(spec, rows_of(TEXTS), StubEmbed(), V2)
    assert sorted(store.tags(spec.name)) == [V1]
    assert store.read(spec.name, V1).ids == ["a"]
    embed = StubEmbed()
    assert store.update(spec, rows_of(TEXTS), embed, V2) == Counts(0, 10, 0)
    assert embed.seen == []
    assert store.read(spec.name, V2).ids == sorted(TEXTS)
    (index,) = store.at(spec.name, V2).list_indices()
    assert index.num_unindexed_rows == 0


def test_a_second_writer_says_so_and_waits(store, tmp_path, capsys):
    folder = tmp_path / "lancedb" / ".locks"
    folder.mkdir()
    lock = FileLock(folder / "b.r.documents.lock")
    lock.acquire()
    writer = threading.Thread(
        target=store.update, args=(spec_of(), rows_of(TEXTS), StubEmbed(), V1)
    )
    writer.start()
    time.sleep(0.5)
    assert store.tags("b.r.documents") == {}
    lock.release()
    writer.join(10)
    assert "another process is writing" in capsys.readouterr().err
    assert len(store.read("b.r.documents", V1).ids) == 10


KILLED = """
import sys, time
from isogloss.retrieval import staging
from isogloss.retrieval.store import VectorStore
from vector_stubs import StubEmbed, rows_of, spec_of
staging.FLUSH_SECONDS = 0.0

class Slow(StubEmbed):
    def __call__(self, rows):
        for computed in super().__call__(rows):
            yield computed
            print(len(self.seen), flush=True)
            time.sleep(0.2)

texts = {f"d{i:03d}": f"text {i}" for i in range(60)}
VectorStore(sys.argv[1]).update(spec_of(), rows_of(texts), Slow(), "1" * 32)
"""


@pytest.mark.slow
def test_a_killed_run_goes_on_from_its_staging_rows(tmp_path, root):
    uri = str(tmp_path / "lancedb")
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, uri],
        stdout=subprocess.PIPE,
        text=True,
        cwd=root / "tests" / "retrieval",
    ) as process:
        for line in process.stdout:
            if int(line) >= 30:
                process.kill()
                break
    store = VectorStore(uri)
    assert store.tags("b.r.documents") == {}
    with pytest.raises(StoreError):
        store.read("b.r.documents", V1)
    texts = {f"d{i:03d}": f"text {i}" for i in range(60)}
    embed = StubEmbed()
    counts = store.update(spec_of(), rows_of(texts), embed, V1)
    assert counts.embedded == len(embed.seen) == 30
    stored = store.read("b.r.documents", V1)
    np.testing.assert_array_equal(
        stored.vectors, np.array([vector_of(texts[key]) for key in sorted(texts)])
    )
    assert store.names() == ["b.r.documents"]
