"""Rows in portions: the same table as in one, whatever the portions are and wherever a run dies."""

import numpy as np
import pytest
from vector_stubs import DIMENSION, StubEmbed, rows_of, spec_of, vector_of

from isogloss.retrieval import merging
from isogloss.retrieval.merging import portions
from isogloss.retrieval.store import Counts, VectorStore

V1, V2, V3 = "1" * 32, "2" * 32, "3" * 32
TEXTS = {f"d{number:03d}": f"text {number}" for number in range(60)}


@pytest.fixture
def small(monkeypatch):
    # A few rows a portion.
    monkeypatch.setattr(merging, "MERGE_BYTES", 1000)
    monkeypatch.setattr(merging, "NAMED_AT_ONCE", 3)


@pytest.fixture
def store(tmp_path):
    return VectorStore(str(tmp_path / "lancedb"), "stub")


def holds(store, texts, tag):
    found = store.read("b.r.documents", tag)
    assert found.ids == sorted(texts)
    expected = np.array([vector_of(texts[key]) for key in sorted(texts)])
    np.testing.assert_array_equal(found.vectors, expected)
    assert found.hashes == rows_of(texts).hashes


@pytest.mark.usefixtures("small")
def test_portions_are_the_rows_in_order():
    rows = rows_of(TEXTS)
    parts = list(portions(rows, spec_of()))
    assert len(parts) > 5
    assert [key for part in parts for key in part.ids] == rows.ids
    assert [text for part in parts for text in part.texts] == rows.texts
    assert list(portions(rows_of({}), spec_of())) == []


def test_a_long_text_is_a_portion_of_its_own(monkeypatch):
    monkeypatch.setattr(merging, "MERGE_BYTES", 2000)
    texts = {"a": "x", "b": "y" * 2000, "c": "z"}
    width = 4 * DIMENSION + 200
    assert width < 2000
    assert [part.ids for part in portions(rows_of(texts), spec_of())] == [["a", "b"], ["c"]]


@pytest.mark.usefixtures("small")
def test_a_table_made_in_portions_is_in_id_order_on_disk(store):
    assert store.update(spec_of(), rows_of(TEXTS), StubEmbed(), V1) == Counts(60, 0, 0)
    holds(store, TEXTS, V1)
    read = store.at("b.r.documents", V1).search().select(["id"]).limit(None).to_arrow()
    assert read.column("id").to_pylist() == sorted(TEXTS)


@pytest.mark.usefixtures("small")
def test_texts_that_wander_between_ids_are_taken_from_before_the_merge(store):
    store.update(spec_of(), rows_of(TEXTS), StubEmbed(), V1)
    ids = sorted(TEXTS)
    # Each id gets its neighbour's text: portion by portion, what a later one needs is written over.
    moved = {key: TEXTS[ids[at - 1]] for at, key in enumerate(ids)}
    embed = StubEmbed()
    assert store.update(spec_of(), rows_of(moved), embed, V2) == Counts(0, 60, 0)
    assert embed.seen == []
    holds(store, moved, V2)
    holds(store, TEXTS, V1)


@pytest.mark.usefixtures("small")
def test_rows_that_leave_stay_and_come_in_one_update(store):
    store.update(spec_of(), rows_of(TEXTS), StubEmbed(), V1)
    ids = sorted(TEXTS)
    texts = {key: TEXTS[key] for key in ids[:20]}
    texts |= {key: f"new {TEXTS[key]}" for key in ids[20:40]}
    texts |= {f"e{number}": f"added {number}" for number in range(15)}
    assert store.update(spec_of(), rows_of(texts), StubEmbed(), V2) == Counts(35, 20, 20)
    holds(store, texts, V2)
    only = {key: texts[key] for key in ids[:3]}
    assert store.update(spec_of(), rows_of(only), StubEmbed(), V3) == Counts(0, 3, 52)
    holds(store, only, V3)
    holds(store, texts, V2)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("started", [False, True], ids=["new", "known"])
@pytest.mark.parametrize("after", [1, 4])
def test_a_run_that_died_between_two_portions_is_finished_by_the_next(
    store, monkeypatch, started, after
):
    if started:
        store.update(spec_of(), rows_of({"d000": "other", "z": "leaves"}), StubEmbed(), V1)
    of, calls = merging.Source.of, []

    def dying(self, rows):
        calls.append(rows)
        if len(calls) > after:
            raise KeyboardInterrupt
        return of(self, rows)

    with monkeypatch.context() as patch:
        patch.setattr(merging.Source, "of", dying)
        with pytest.raises(KeyboardInterrupt):
            store.update(spec_of(), rows_of(TEXTS), StubEmbed(), V2)
    assert sorted(store.tags("b.r.documents")) == ([V1] if started else [])
    embed = StubEmbed()
    store.update(spec_of(), rows_of(TEXTS), embed, V2)
    assert embed.seen == []
    holds(store, TEXTS, V2)
    assert store.names() == ["b.r.documents"]
