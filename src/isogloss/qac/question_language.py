"""The language that a short text is written in, by a model that ships inside a package."""

from functools import cache
from typing import Any

# Below this share of the probability the text is too short or too plain to tell.
SURE = 0.5


def question_language(text: str, languages: tuple[str, ...]) -> str | None:
    """Tell the language of a question; the same text always gives the same answer.

    Args:
        text: A question.
        languages: The languages it may be in; one that the model does not know is never found.

    Returns:
        Its ISO 639-1 code, or None where nothing decides (a formula, a number).
    """
    if not any(map(str.isalpha, text)):
        return None
    language, share = _identifier(languages).classify(text)
    return str(language) if share >= SURE else None


@cache
def _identifier(languages: tuple[str, ...]) -> Any:
    # Imported late: unpacking the model takes seconds.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(languages))
    return identifier
