import shutil
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_search import brute, crowded

from isogloss.engine import LocalEngine
from isogloss.errors import StoreError, UsageError
from isogloss.retrieval.nearest import by_faiss
from isogloss.retrieval.range_search import (
    Range,
    Table,
    merge_rankings,
    search_range,
    search_ranges,
)
from isogloss.retrieval.ranking import Ranking
from isogloss.retrieval.search import exact_scores, search
from isogloss.retrieval.store import VectorStore
from isogloss.retrieval.tables import Computed, Rows, TableSpec

DIMENSION, DOCUMENTS = 24, 3000
NAME, MODEL = "pool.r.documents", "m"
OLD, NEW = "1" * 32, "2" * 32
BLOCK = 4 * DIMENSION * 300


class Parted(LocalEngine):
    """This process, for which work is cut as for several."""

    elsewhere = True

    def __init__(self, slots):
        self.slots = slots


def ranked(queries, documents, depth):
    ranking = search(queries, documents, depth)
    return Ranking(ranking.documents, exact_scores(ranking, queries, documents))


def same(found, wanted):
    np.testing.assert_array_equal(found.documents, wanted.documents)
    np.testing.assert_array_equal(found.scores, wanted.scores)
    assert found.documents.dtype == wanted.documents.dtype
    assert found.scores.dtype == wanted.scores.dtype


@given(
    seed=st.integers(0, 10_000),
    n_documents=st.integers(1, 120),
    copies=st.integers(1, 60),
    jitter=st.sampled_from([0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-3]),
    depth=st.integers(1, 130),
    cuts=st.lists(st.integers(1, 119), unique=True, max_size=6),
)
@settings(max_examples=200)
def test_merged_ranges_are_the_ranking_of_the_whole(seed, n_documents, copies, jitter, depth, cuts):
    queries, documents = crowded(seed, n_documents, 12, copies, jitter)
    borders = [0, *sorted(cut for cut in cuts if cut < n_documents), n_documents]
    # Rows lie in any order: a range holds documents from all over.
    order = np.random.default_rng(seed).permutation(n_documents)
    parts = []
    for start, end in pairwise(borders):
        inside = np.sort(order[start:end])
        part = ranked(queries, documents[inside], depth)
        parts.append(Ranking(inside[part.documents].astype(np.int32), part.scores))
    merged = merge_rankings(parts, depth)
    same(merged, ranked(queries, documents, depth))
    np.testing.assert_array_equal(merged.documents, brute(queries, documents, depth))


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    """A table of near and exact ties, written in two goes: rows do not lie in the order of ids."""
    uri = str(tmp_path_factory.mktemp("store"))
    queries, vectors = crowded(3, DOCUMENTS, DIMENSION, 400, 1e-7)
    ids = [f"d{at:05d}" for at in range(DOCUMENTS)]
    of = dict(zip(ids, vectors, strict=True))

    def embed(pending):
        found = np.stack([of[name] for name in pending.hashes])
        yield Computed(pending.hashes, [None] * len(found), found)

    spec = TableSpec(NAME, MODEL, DIMENSION)
    store = VectorStore(uri, MODEL)
    for tag, chosen in ((OLD, ids[1::3]), (NEW, ids)):
        store.update(spec, Rows(chosen, chosen, chosen), embed, tag)
    return Table(uri, MODEL, NAME, NEW), queries, vectors, ids


@pytest.mark.parametrize(("slots", "range_rows"), [(1, 10_000), (2, 10_000), (7, 10_000), (1, 256)])
@pytest.mark.parametrize("depth", [20, 1000])
def test_ranges_of_a_table_give_the_ranking_and_the_scores_of_the_whole(
    pool, slots, range_rows, depth
):
    table, queries, vectors, ids = pool
    size = 4 * DIMENSION * range_rows
    found = search_ranges(Parted(slots), table, queries, ids, depth, BLOCK, size)
    same(found, ranked(queries, vectors, depth))


def test_an_older_version_is_searched_as_it_was(pool):
    table, queries, vectors, ids = pool
    found = search_ranges(
        Parted(3), table._replace(tag=OLD), queries, ids[1::3], 20, BLOCK, 4 * DIMENSION * 128
    )
    same(found, ranked(queries, vectors[1::3], 20))


def test_rankings_of_ray_workers_are_those_of_this_process(pool, ray_engine):
    table, queries, vectors, ids = pool
    size = 4 * DIMENSION * 700
    same(
        search_ranges(ray_engine, table, queries, ids, 1000, BLOCK, size),
        ranked(queries, vectors, 1000),
    )


def test_indexes_of_a_range_are_those_of_the_pool(pool):
    table, queries, vectors, _ = pool
    opened = VectorStore(table.uri).at(NAME, NEW)
    read = opened.search().select(["id"]).limit(None).to_arrow().column("id").to_pylist()
    places = np.array([int(name[1:]) for name in read])[500:900]
    found = search_range(by_faiss, Range(500, places), table, queries, 10, BLOCK)
    inside = np.sort(places)
    wanted = ranked(queries, vectors[inside], 10)
    assert found.ranking is not None
    same(found.ranking, Ranking(inside[wanted.documents].astype(np.int32), wanted.scores))
    assert len(found.bad) == 0


@pytest.mark.parametrize(
    "engine", ["here", pytest.param("ray", marks=pytest.mark.xdist_group("ray_engine"))]
)
def test_vectors_that_nobody_wrote_are_named_wherever_they_lie(pool, tmp_path, request, engine):
    table, queries, _, ids = pool
    where = Parted(4) if engine == "here" else request.getfixturevalue("ray_engine")
    shutil.copytree(table.uri, tmp_path / "store")
    damaged = VectorStore(str(tmp_path / "store"))._open(NAME)
    nobody = {"vector": [0.5] * DIMENSION}
    damaged.update(where="id in ('d00003', 'd02950')", values=nobody)
    damaged.tags.update(NEW, damaged.version)
    there = table._replace(uri=str(tmp_path / "store"))
    said = r"2 vectors have not length 1 \(d00003, d02950\); if it is damaged, delete "
    with pytest.raises(StoreError, match=said):
        search_ranges(where, there, queries, ids, 20, BLOCK, 4 * DIMENSION * 500)


def test_other_dimensions_are_refused(pool):
    table, queries, _, ids = pool
    with pytest.raises(StoreError, match="not of one model"):
        search_ranges(Parted(2), table, queries[:, :7], ids, 20, BLOCK)


def test_workers_search_on_the_device_they_are_told(pool, ray_engine):
    table, queries, vectors, ids = pool
    found = search_ranges(ray_engine, table, queries, ids, 20, BLOCK, device=None)
    same(found, ranked(queries, vectors, 20))
    with pytest.raises(UsageError, match=r"cuda:1: engine ray gives each worker a device"):
        search_ranges(ray_engine, table, queries, ids, 20, BLOCK, device="cuda:1")
