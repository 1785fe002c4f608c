"""A model of sentence-transformers, with no prompt but ours."""

from typing import Any

from sentence_transformers import SentenceTransformer


class SentenceModel:
    """One loaded model of the library."""

    def __init__(self, model: SentenceTransformer, *, limited: bool = True) -> None:
        """Take a model over.

        Args:
            model: As the library loads it.
            limited: Whether a length is declared beyond which it reads no further.
        """
        # The prompts are ours to put on: the library must add none, from whatever configuration.
        model.default_prompt_name = None
        model.prompts = {}
        self._model = model
        self._limited = limited

    def encode(self, sent: list[str], batch_size: int) -> Any:
        """Vectors as the library gives them, one a text."""
        return self._model.encode(sent, prompt="", batch_size=batch_size, show_progress_bar=False)

    def token_counts(self, sent: list[str]) -> list[int | None]:
        """Tokens of each text, special ones included, also beyond what the model looks at."""
        if not self._limited:
            return [None] * len(sent)
        encoded = self._model.tokenizer(sent, truncation=False, verbose=False)
        return [len(tokens) for tokens in encoded["input_ids"]]
