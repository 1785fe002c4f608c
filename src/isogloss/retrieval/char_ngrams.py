"""Hashed character n-grams as a sentence-transformers module: the floor without any training."""

from typing import Any

import numpy as np
import torch
from sentence_transformers.base.modules import InputModule
from sklearn.feature_extraction.text import HashingVectorizer

from isogloss.retrieval.declaration import CharacterNgrams


class CharacterNgramModule(InputModule):
    """Counts of hashed n-grams within words, log-scaled with their sign, as dense vectors.

    A word is looked at with one blank on each side. Only n-grams of a declared length count: a text
    whose words are all shorter than the shortest has none, so its vector is zero, which the encoder
    refuses by the text's id; nothing stands in for what is missing.
    """

    def __init__(self, declaration: CharacterNgrams) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        sizes = (declaration.shortest, declaration.longest)
        within_words = HashingVectorizer(analyzer="char_wb", ngram_range=sizes).build_analyzer()
        # The library counts a word shorter than an n-gram as one, whole: that is none of this size.
        self._vectorizer = HashingVectorizer(
            analyzer=lambda text: [gram for gram in within_words(text) if len(gram) >= sizes[0]],
            n_features=declaration.dimension,
            norm=None,
        )

    def preprocess(self, inputs: Any, prompt: str | None = None, **_: Any) -> dict[str, Any]:
        """Count the n-grams of each text; prompts are part of the texts already."""
        counts = self._vectorizer.transform(list(inputs)).astype(np.float32).toarray()
        return {"counts": torch.from_numpy(counts)}

    def forward(self, features: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Scale counts by log(1 + |count|): a word said ten times is no ten words."""
        counts = features["counts"]
        features["sentence_embedding"] = torch.sign(counts) * torch.log1p(torch.abs(counts))
        return features

    def save(self, output_path: str, *args: Any, **kwargs: Any) -> None:
        """Nothing is learned, so there is nothing to save."""
