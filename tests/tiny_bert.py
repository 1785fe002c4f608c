"""A tiny BERT with random weights, as a folder and as a declared hub model."""

import torch

from isogloss.retrieval.declaration import HubModel

REVISION = "0123456789abcdef0123456789abcdef01234567"


def tiny_bert(folder, seed):
    from transformers import BertConfig, BertModel, BertTokenizerFast

    torch.manual_seed(seed)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "query", "passage", ":", "oil", "dye"]
    (folder / "vocab.txt").write_text("\n".join([*words, *"abcdefghijklmnopqrstuvwxyz"]))
    config = BertConfig(
        vocab_size=len(words) + 26,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=32,
    )
    BertModel(config).save_pretrained(folder)
    BertTokenizerFast(vocab_file=str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


def hub(folder, **changes):
    values = {"revision": REVISION, "pooling": "mean", "dimension": 16, "max_length": 16}
    values |= {"key": "tiny", "kind": "hub", "name": str(folder), "licence": "mit", **changes}
    return HubModel(**values)


def cross_encoder(folder, labels=1):
    """A tiny BERT that scores pairs, with random weights."""
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    torch.manual_seed(3)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = [*"abcdefghijklmnopqrstuvwxyz", *(f"##{x}" for x in "abcdefghijklmnopqrstuvwxyz")]
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join([*words, *letters]))
    config = BertConfig(
        vocab_size=len(words) + len(letters),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=32,
        num_labels=labels,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizerFast(vocab_file=str(folder / "vocab.txt")).save_pretrained(folder)
    return folder
