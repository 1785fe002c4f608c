"""Hashed character n-grams as a sentence-transformers module: the floor without any training."""

from typing import Any

import numpy as np
import torch
from sentence_transformers.base.modules import InputModule
from sklearn.feature_extraction.text import HashingVectorizer

from isogloss.retrieval.declaration import CharacterNgrams


class CharacterNgramModule(InputModule):
    """Counts of hashed n-grams within words, log-scaled with their sign, as dense vectors."""

    def __init__(self, declaration: CharacterNgrams) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._vectorizer = HashingVectorizer(
            analyzer="char_wb",
            ngram_range=(declaration.shortest, declaration.longest),
            n_features=declaration.dimension,
            norm=None,
        )

    def preprocess(self, inputs: Any, prompt: str | None = None, **_: Any) -> dict[str, Any]:
        """Count the n-grams of each text; the prompt is always empty here."""
        counts = self._vectorizer.transform(list(inputs)).astype(np.float32).toarray()
        return {"counts": torch.from_numpy(counts)}

    def forward(self, features: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Scale counts by log(1 + |count|): a word said ten times is no ten words."""
        counts = features["counts"]
        features["sentence_embedding"] = torch.sign(counts) * torch.log1p(torch.abs(counts))
        return features

    def save(self, output_path: str, *args: Any, **kwargs: Any) -> None:
        """Nothing is learned, so there is nothing to save."""
