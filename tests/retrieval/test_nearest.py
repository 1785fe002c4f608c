"""Candidates found by torch, on its processor device: what an accelerator is given to do."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_block_search import Shuffled
from test_search import brute, crowded

from isogloss.errors import EncoderError, UsageError
from isogloss.retrieval import nearest as module
from isogloss.retrieval.block_search import search_blocks
from isogloss.retrieval.nearest import (
    WORTH_A_START,
    ByTorch,
    by_faiss,
    nearest_on,
    search_device,
)
from isogloss.retrieval.search import CLOSE, exact_scores, search

SIZES = {
    "seed": st.integers(0, 10_000),
    "n_documents": st.integers(1, 120),
    "copies": st.integers(1, 60),
    "jitter": st.sampled_from([0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-3]),
    "depth": st.integers(1, 130),
    "margin": st.integers(0, 8),
}


class InPieces(ByTorch):
    """As on an accelerator that holds few scores at a time."""

    def __call__(self, queries, documents, count):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "HELD_BYTES", 4 * max(queries.shape) * 7)
            return super().__call__(queries, documents, count)


@given(**SIZES, kind=st.sampled_from([ByTorch, InPieces]))
@settings(max_examples=200)
def test_the_order_is_that_of_brute_float64(seed, n_documents, copies, jitter, depth, margin, kind):
    queries, documents = crowded(seed, n_documents, 12, copies, jitter)
    found = search(queries, documents, depth, margin=margin, block=2, nearest=kind("cpu"))
    np.testing.assert_array_equal(found.documents, brute(queries, documents, depth))


@given(**SIZES, size=st.integers(1, 50))
@settings(max_examples=100)
def test_blocks_give_the_ranking_and_the_scores_of_the_processor(
    seed, n_documents, copies, jitter, depth, margin, size
):
    queries, documents = crowded(seed, n_documents, 12, copies, jitter)
    whole = search(queries, documents, depth)
    blocks = Shuffled(documents, size, seed)
    found = search_blocks(queries, blocks, depth, margin=margin, nearest=InPieces("cpu"))
    np.testing.assert_array_equal(found.documents, whole.documents)
    np.testing.assert_array_equal(found.scores, exact_scores(whole, queries, documents))


def test_scores_lie_within_what_is_settled_afterwards():
    queries, documents = crowded(5, 4000, 384, 1, 1e-3)
    scores, found = ByTorch("cpu")(queries, documents, 1064)
    wide = queries.astype(np.float64) @ documents.T.astype(np.float64)
    exact = np.take_along_axis(wide, found, axis=1)
    assert np.abs(scores - exact).max() < CLOSE / 2
    assert (np.diff(scores, axis=1) <= 0).all()
    assert scores.dtype == np.float32
    assert found.dtype == np.int64


def test_shorter_floats_that_a_process_allows_are_not_used_and_stay_allowed():
    queries, documents = crowded(6, 500, 384, 1, 1e-3)
    plain = ByTorch("cpu")(queries, documents, 50)
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("medium")
    try:
        allowed = ByTorch("cpu")(queries, documents, 50)
        assert torch.get_float32_matmul_precision() == "medium"
    finally:
        torch.set_float32_matmul_precision(before)
    np.testing.assert_array_equal(allowed[0], plain[0])


def test_what_one_backend_alone_was_allowed_stays_allowed_too():
    # In a process of its own: torch tells no more what all are allowed.
    code = (
        "import numpy as np, torch\n"
        "from isogloss.retrieval.nearest import ByTorch\n"
        "torch.backends.cuda.matmul.fp32_precision = 'tf32'\n"
        "ByTorch('cpu')(np.ones((2, 4), np.float32), np.ones((3, 4), np.float32), 2)\n"
        "assert torch.backends.cuda.matmul.fp32_precision == 'tf32'"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_vectors_that_must_not_be_written_are_searched_as_they_are(recwarn):
    queries, documents = crowded(7, 300, 16, 3, 1e-7)
    documents.setflags(write=False)
    scores, _ = ByTorch("cpu")(queries[:, ::1], documents[::2], 20)
    np.testing.assert_allclose(scores, by_faiss(queries, documents[::2], 20)[0], atol=CLOSE)
    assert not [one for one in recwarn if "writable" in str(one.message)]


def test_a_device_that_fails_is_named_with_what_to_do():
    queries, documents = crowded(8, 30, 8, 1, 0.0)
    # No memory stands behind it, so nothing can be read back from it.
    with pytest.raises(EncoderError, match=r"device meta: cannot search 30 vectors .*--device cpu"):
        ByTorch("meta")(queries, documents, 5)


@pytest.mark.parametrize(
    ("device", "products", "wanted"),
    [
        (None, WORTH_A_START - 1, "cpu"),
        ("auto", WORTH_A_START - 1, "cpu"),
        (None, WORTH_A_START, None),
        ("auto", WORTH_A_START, None),
        ("cuda:1", 1, "cuda:1"),
        ("cpu", WORTH_A_START, "cpu"),
    ],
)
def test_auto_takes_an_accelerator_only_where_it_is_worth_its_start(device, products, wanted):
    assert search_device(device, products) == wanted


def test_names_that_are_none_and_devices_that_are_not_there_are_refused():
    with pytest.raises(UsageError, match="device 'gpu'"):
        search_device("gpu", 1)
    absent = f"cuda:{torch.cuda.device_count()}"
    with pytest.raises(EncoderError, match=f"device {absent}: cannot be used here"):
        nearest_on(absent)


def test_an_accelerator_is_taken_where_torch_finds_one_and_changes_no_ranking():
    found = nearest_on(None)
    assert isinstance(found, ByTorch) == torch.accelerator.is_available()
    assert nearest_on("cpu") is by_faiss
    queries, documents = crowded(9, 5000, 384, 50, 1e-7)
    whole = search(queries, documents)
    for nearest in (found, ByTorch("cpu")):
        ranked = search(queries, documents, nearest=nearest)
        np.testing.assert_array_equal(ranked.documents, whole.documents)


def test_the_processor_needs_no_torch():
    code = (
        "import sys\n"
        "from isogloss.retrieval.nearest import nearest_on, search_device\n"
        "nearest_on(search_device('auto', 10**9))\n"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
