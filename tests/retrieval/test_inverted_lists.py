"""Lists hold every document once, under its nearest centroid, and are the same every time."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_search import brute, crowded, unit

from isogloss.retrieval.inverted_lists import TRAINING_DOCUMENTS, part


@given(
    seed=st.integers(0, 10_000),
    n_documents=st.integers(1, 120),
    copies=st.integers(1, 60),
    jitter=st.sampled_from([0.0, 1e-8, 1e-6, 1e-2]),
    data=st.data(),
)
@settings(max_examples=60)
def test_every_document_is_once_in_the_list_of_its_nearest_centroid(
    seed, n_documents, copies, jitter, data
):
    _, documents = crowded(seed, n_documents, 8, copies, jitter)
    wanted = data.draw(st.integers(1, n_documents))
    lists = part(documents, wanted, seed)
    assert sorted(lists.documents.tolist()) == list(range(n_documents))
    assert 1 <= len(lists.centroids) <= wanted
    assert (lists.sizes >= 1).all()
    assert lists.sizes.sum() == n_documents
    np.testing.assert_allclose(np.linalg.norm(lists.centroids, axis=1), 1, atol=1e-6)
    nearest = brute(documents, lists.centroids, 1)[:, 0]
    for number in range(len(lists.centroids)):
        assert lists.members(number).tolist() == np.flatnonzero(nearest == number).tolist()


def test_clear_groups_become_the_lists():
    rng = np.random.default_rng(0)
    axes = np.eye(4)[rng.permutation(np.repeat(np.arange(4), 25))]
    documents = unit(axes + 0.01 * rng.standard_normal(axes.shape))
    # Some draw of the first centroids meets every group; from there k-means stays.
    best = max(
        (part(documents, 4, seed) for seed in range(20)), key=lambda found: found.sizes.min()
    )
    assert best.sizes.tolist() == [25, 25, 25, 25]
    for number in range(4):
        assert len({int(axes[one].argmax()) for one in best.members(number)}) == 1


def test_equal_vectors_fill_one_list_and_the_others_are_left_out():
    documents = np.repeat(unit([[1.0, 2.0, 3.0]]), 9, axis=0)
    lists = part(documents, 4, 13)
    assert lists.sizes.tolist() == [9]
    assert lists.centroids.shape == (1, 3)


def test_opposite_vectors_have_no_mean_and_keep_their_centroid():
    lists = part(unit([[1.0, 0.0], [-1.0, 0.0]]), 1, 13)
    assert lists.sizes.tolist() == [2]
    assert abs(lists.centroids[0, 0]) == 1.0


def test_a_document_may_be_alone():
    lists = part(unit([[3.0, 4.0]]), 1, 13)
    assert lists.documents.tolist() == [0]
    assert lists.starts.tolist() == [0, 1]


@pytest.fixture
def many():
    return crowded(5, 3 * TRAINING_DOCUMENTS + 17, 16, 2, 1e-3)[1]


def test_a_seed_decides_and_a_sample_is_enough(many):
    first, again, other = part(many, 2, 1), part(many, 2, 1), part(many, 2, 2)
    assert first.centroids.tobytes() == again.centroids.tobytes()
    assert first.documents.tobytes() == again.documents.tobytes()
    assert first.centroids.tobytes() != other.centroids.tobytes()
    assert first.sizes.sum() == len(many)


SCRIPT = """
import hashlib, sys
import faiss, numpy as np
from isogloss.retrieval.approximate_search import ListIndex
from isogloss.retrieval.inverted_lists import part
faiss.omp_set_num_threads(int(sys.argv[1]))
rng = np.random.default_rng(3)
vectors = np.repeat(rng.standard_normal((1500, 48)), 2, axis=0)
vectors = vectors + 1e-7 * rng.standard_normal(vectors.shape)
vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
lists = part(vectors, 40, 13)
found = ListIndex(vectors, lists).search(vectors[:300], 5, 100).ranking
bare = faiss.knn(vectors[:300], vectors, 100, metric=faiss.METRIC_INNER_PRODUCT)
for arrays in ((lists.centroids, lists.documents, *vars(found).values()), bare):
    print(hashlib.sha256(b"".join(a.tobytes() for a in arrays)).hexdigest())
"""


def digests(threads: int, **environment: str) -> list[str]:
    """Of our lists and ranking, and of bare faiss, in a process of its own."""
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(threads)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.split()


def test_neither_threads_nor_another_processor_change_a_byte():
    """faiss without vector instructions stands for another processor: its own order changes."""
    one = digests(1, OMP_NUM_THREADS="1")
    assert digests(2)[0] == one[0]
    plain = digests(2, FAISS_SIMD_LEVEL="NONE", OPENBLAS_CORETYPE="Nehalem")
    assert plain[0] == one[0]
    if plain[1] == one[1]:
        pytest.skip("this build of faiss rounds alike with and without vector instructions")
