"""Searching and encoding on a device that is not the processor: see `apart_device`."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from test_nearest import SIZES, InPieces
from test_search import brute, crowded

from apart_device import NAME, apart, memory
from isogloss.errors import EncoderError
from isogloss.retrieval import nearest as module
from isogloss.retrieval.cross_encoder import load_cross_encoder
from isogloss.retrieval.declaration import read_declaration
from isogloss.retrieval.derived import CrossEncoderScorer, Rerank
from isogloss.retrieval.encoders import load_encoder
from isogloss.retrieval.nearest import ByTorch, nearest_on
from isogloss.retrieval.search import CLOSE, exact_scores, search
from tiny_bert import REVISION, cross_encoder, hub, tiny_bert

TEXTS = [
    "a polymer film",
    "Verfahren zur Herstellung von Acrylsäure",
    "一种聚合物薄膜",
    "oil " * 90,
]
NOISE = 1e-6
"""What float32 may differ by in a vector of length 1, wherever it is encoded."""


@pytest.fixture(scope="module")
def there():
    with apart() as call:
        yield call


def test_the_device_is_none_of_the_processor(there):
    there(_not_the_processor)


def _not_the_processor():
    numbers = torch.arange(6.0).reshape(2, 3).to(NAME)
    assert torch.accelerator.current_accelerator().type == NAME
    with pytest.raises(TypeError, match="can't convert"):
        numbers.numpy()
    with pytest.raises(RuntimeError, match=r"lies on cpu|same device"):
        numbers @ torch.ones(3, 2)
    assert (numbers @ numbers.T).cpu().tolist() == [[5.0, 14.0], [14.0, 50.0]]


def test_an_open_choice_takes_it_and_a_named_processor_does_not(there):
    there(_choices)


def _choices():
    assert isinstance(nearest_on(None), ByTorch)
    assert isinstance(nearest_on("auto"), ByTorch)
    assert nearest_on("cpu") is module.by_faiss


def test_the_order_is_that_of_brute_float64(there):
    there(_order)


def _order():
    _is_brute()


@given(**SIZES)
@settings(max_examples=100, deadline=None)
def _is_brute(seed, n_documents, copies, jitter, depth, margin):
    queries, documents = crowded(seed, n_documents, 12, copies, jitter)
    for nearest in (nearest_on(None), InPieces(NAME)):
        found = search(queries, documents, depth, margin=margin, block=2, nearest=nearest)
        np.testing.assert_array_equal(found.documents, brute(queries, documents, depth))


def test_other_rounding_changes_neither_ranking_nor_score(there):
    there(_other_rounding)


def _other_rounding():
    queries, documents = crowded(9, 5000, 384, 50, 1e-7)
    whole = search(queries, documents)
    by_device = nearest_on(None)
    ranked = search(queries, documents, nearest=by_device)
    np.testing.assert_array_equal(ranked.documents, whole.documents)
    scores = [exact_scores(one, queries, documents) for one in (ranked, whole)]
    np.testing.assert_array_equal(*scores)
    # The device did round otherwise, so that there was something to settle.
    assert (by_device(queries, documents, 50)[0] != ByTorch("cpu")(queries, documents, 50)[0]).any()


@pytest.mark.parametrize("how", ["all", "one"])
def test_shorter_floats_that_a_process_allows_are_not_used(there, how):
    there(_shorter_floats, how)


def _shorter_floats(how):
    queries, documents = crowded(6, 500, 384, 1, 1e-3)
    by_device = nearest_on(None)
    plain = by_device(queries, documents, 50)[0]
    if how == "all":
        torch.set_float32_matmul_precision("medium")
    else:
        torch.backends.cuda.matmul.fp32_precision = "tf32"
    try:
        np.testing.assert_array_equal(by_device(queries, documents, 50)[0], plain)
        there = [torch.from_numpy(one).to(NAME) for one in (queries, documents)]
        shorter = (there[0] @ there[1].T).topk(50).values.cpu().numpy()
    finally:
        torch.set_float32_matmul_precision("highest")
    # Allowed elsewhere, they would have been far more than what is settled.
    assert np.abs(shorter - plain).max() > 100 * CLOSE


def test_what_it_holds_is_bounded_however_many_documents_there_are(there):
    there(_bounded)


def _bounded():
    queries, documents = crowded(3, 60_000, 64, 1, 1e-3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "HELD_BYTES", 1 << 20)
        memory.start()
        before = memory.held
        nearest_on(None)(queries, documents, 100)
    assert memory.held == before
    # Vectors and scores of one piece, and what is kept of two.
    assert 1 << 19 < memory.peak - before < 5 << 20
    assert documents.nbytes > 14 << 20


def test_its_memory_ending_is_one_line_that_says_what_to_do(there, root):
    there(_memory_ends, root)


def _memory_ends(root):
    queries, documents = crowded(3, 2000, 64, 1, 1e-3)
    declared = read_declaration(root / "models/minilm-l6-en.yaml")
    encoder = load_encoder(declared)
    memory.limit = memory.held + 200_000
    try:
        with pytest.raises(EncoderError, match=r"device apart: .*out of memory.*--device cpu$"):
            nearest_on(None)(queries, documents, 100)
        with pytest.raises(EncoderError, match=r"minilm-l6-en: encoding failed at .*out of mem"):
            encoder.encode(TEXTS, "document")
        with pytest.raises(
            EncoderError, match=r"minilm-l6-en: .* on apart .*out of memory.*--device cpu$"
        ):
            load_encoder(declared)
    finally:
        memory.limit = 1 << 40
    assert encoder.encode(TEXTS, "document").shape == (4, 384)


@pytest.mark.parametrize("key", ["minilm-l6-en", "tiny"])
def test_encoding_differs_by_float_noise(there, root, tmp_path, key):
    if key == "tiny":
        declared = hub(tiny_bert(tmp_path, 3))
    else:
        declared = read_declaration(root / f"models/{key}.yaml")
    found, products = there(_encoded, declared)
    assert products > 0
    wanted = load_encoder(declared, "cpu").encode(TEXTS, "document")
    assert np.abs(found - wanted).max() < NOISE


def _encoded(declared):
    encoder = load_encoder(declared, "auto")
    memory.start()
    return encoder.encode(TEXTS, "document"), memory.products


def test_scores_of_pairs_differ_by_float_noise(there, tmp_path):
    folder = cross_encoder(tmp_path / "cross")
    declared = Rerank(
        key="crossed",
        kind="rerank",
        first="bm25",
        top=4,
        scorer=CrossEncoderScorer(
            kind="cross-encoder", name=str(folder), revision=REVISION, max_length=24
        ),
        licence="mit",
    )
    found, products = there(_scored, declared, None)
    assert products > 0
    np.testing.assert_allclose(found, _scored(declared, "cpu")[0], atol=NOISE)


def _scored(declared, device):
    scorer = load_cross_encoder(declared, device)
    memory.start()
    pairs = [("oil", text) for text in TEXTS]
    return scorer.score(pairs, TEXTS), memory.products
