"""Hashed character n-grams: the floor without any training."""

import numpy as np
import numpy.typing as npt
from sklearn.feature_extraction.text import HashingVectorizer

from isogloss.retrieval.declaration import CharacterNgrams

Counts = npt.NDArray[np.float32]


class CharacterNgramModel:
    """Counts of hashed n-grams within words, log-scaled with their sign, as dense vectors.

    A word is looked at with one blank on each side. Only n-grams of a declared length count: a text
    whose words are all shorter than the shortest has none, so its vector is zero, which the encoder
    refuses by the text's id; nothing stands in for what is missing.
    """

    def __init__(self, declaration: CharacterNgrams) -> None:
        sizes = (declaration.shortest, declaration.longest)
        within_words = HashingVectorizer(analyzer="char_wb", ngram_range=sizes).build_analyzer()
        # The library counts a word shorter than an n-gram as one, whole: that is none of this size.
        self._vectorizer = HashingVectorizer(
            analyzer=lambda text: [gram for gram in within_words(text) if len(gram) >= sizes[0]],
            n_features=declaration.dimension,
            norm=None,
        )

    def counts(self, sent: list[str]) -> Counts:
        """Signed counts of the n-grams of each text, float32 (n, dimension)."""
        counts: Counts = self._vectorizer.transform(sent).astype(np.float32).toarray()
        return counts

    def encode(self, sent: list[str], batch_size: int) -> Counts:
        """Scale counts by log(1 + |count|): a word said ten times is no ten words."""
        counts = self.counts(sent)
        # In float64, whose last digits differ between machines and are rounded away.
        scaled = np.log1p(np.abs(counts), dtype=np.float64).astype(np.float32)
        return np.sign(counts) * scaled

    def token_counts(self, sent: list[str]) -> list[int | None]:
        """No length is too long."""
        return [None] * len(sent)
