import lancedb
import numpy as np
import pyarrow as pa
import pytest

from isogloss.errors import StoreError
from isogloss.retrieval.block_search import search_blocks
from isogloss.retrieval.search import exact_scores, search
from isogloss.retrieval.stored_blocks import StoredBlocks

DIMENSION = 16


def rows(names, vectors):
    kind = pa.list_(pa.float32(), DIMENSION)
    lists = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), type=kind)
    return pa.table([pa.array(names), lists], names=["id", "vector"])


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    """A table of three fragments with rows deleted and changed, its vectors and its places."""
    rng = np.random.default_rng(5)
    vectors = rng.standard_normal((20_000, DIMENSION)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    names = [f"d{place:06d}" for place in range(len(vectors))]
    table = lancedb.connect(tmp_path_factory.mktemp("store")).create_table(
        "documents", rows(names[12_000:], vectors[12_000:])
    )
    table.add(rows(names[:12_000], vectors[::-1][:12_000].copy()))
    merge = table.merge_insert("id").when_matched_update_all()
    merge.execute(rows(names[:12_000], vectors[:12_000]))
    read = table.search().select(["id"]).limit(None).to_arrow().column("id").to_pylist()
    assert read != names
    return table, vectors, np.array([int(name[1:]) for name in read])


@pytest.mark.parametrize("block_bytes", [1, 4 * DIMENSION * 777, 1 << 20, 1 << 30])
def test_every_vector_passes_by_once_in_its_place(pool, block_bytes):
    table, vectors, places = pool
    if block_bytes == 1:
        # A row a block: enough to see a few of them.
        first, block = next(iter(StoredBlocks(table, places, block_bytes)))
        np.testing.assert_array_equal(block, vectors[first])
        return
    seen = np.zeros(len(vectors), dtype=int)
    for where, block in StoredBlocks(table, places, block_bytes):
        seen[where] += 1
        np.testing.assert_array_equal(block, vectors[where])
    assert (seen == 1).all()


def test_a_search_by_blocks_of_a_table_is_that_of_its_vectors(pool):
    table, vectors, places = pool
    queries = vectors[7:20] + 0.0
    whole = search(queries, vectors, 100)
    parted = search_blocks(queries, StoredBlocks(table, places, 4 * DIMENSION * 3000), 100)
    np.testing.assert_array_equal(parted.documents, whole.documents)
    np.testing.assert_array_equal(parted.scores, exact_scores(whole, queries, vectors))


def test_rows_that_nobody_counted_are_an_error(pool):
    table, vectors, places = pool
    with pytest.raises(StoreError, match="holds over 19999 vectors"):
        search_blocks(vectors[:2], StoredBlocks(table, places[:-1]), 10)
