"""A sentencepiece unigram vocabulary as a fast tokenizer folder."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from isogloss.files import write_json

_BLANK = "\u2581"


def write_tokenizer(
    folder: Path, pieces: list[str], scores: npt.NDArray[np.float32], special: dict[str, int]
) -> None:
    """Write tokenizer.json and its configuration.

    Args:
        folder: Where the model lies.
        pieces: The vocabulary in id order.
        scores: float32 (n_pieces,) log probabilities.
        special: Ids of bos, eos, pad and unk.
    """
    from tokenizers import (
        AddedToken,
        Tokenizer,
        decoders,
        models,
        normalizers,
        pre_tokenizers,
        processors,
    )

    vocabulary = [(piece, float(score)) for piece, score in zip(pieces, scores, strict=True)]
    tokenizer: Any = Tokenizer(models.Unigram(vocabulary, unk_id=special["unk"]))
    tokenizer.normalizer = normalizers.Precompiled(_normalisation())
    marks: dict[str, Any] = {"replacement": _BLANK, "prepend_scheme": "always"}
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(**marks)]
    )
    tokenizer.decoder = decoders.Metaspace(**marks)
    names = {kind: pieces[index] for kind, index in special.items()}
    bos, eos = names["bos"], names["eos"]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{bos} $A {eos}",
        pair=f"{bos} $A {eos} {eos} $B {eos}",
        special_tokens=[(bos, special["bos"]), (eos, special["eos"])],
    )
    tokenizer.add_special_tokens(
        [AddedToken(name, special=True, normalized=False) for name in names.values()]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    write_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": 512,
            "cls_token": bos,
            "sep_token": eos,
            **{f"{kind}_token": name for kind, name in names.items()},
        },
    )


def _normalisation() -> bytes:
    """Sentencepiece's ``nmt_nfkc`` table; the library hands it out only inside a trained model."""
    import sentencepiece
    from sentencepiece import sentencepiece_model_pb2

    with tempfile.TemporaryDirectory() as scratch:
        words = Path(scratch) / "words.txt"
        words.write_text("\n".join(f"word{i} other{i} text line {i}" for i in range(300)))
        sentencepiece.SentencePieceTrainer.train(
            input=str(words),
            model_prefix=f"{scratch}/model",
            vocab_size=60,
            normalization_rule_name="nmt_nfkc",
            hard_vocab_limit=False,
            minloglevel=2,
        )
        model = sentencepiece_model_pb2.ModelProto()
        model.ParseFromString(Path(f"{scratch}/model.model").read_bytes())
    table: bytes = model.normalizer_spec.precompiled_charsmap
    return table
