"""Unicode word and sentence segmentation by ICU, so that Chinese, Japanese and Thai count as well.

ICU's dictionaries ship inside the ``icu4py`` wheel: the same text gives the same words everywhere.
"""

from icu4py import breakers
from icu4py.locale import Locale

_LOCALES: dict[str, Locale] = {}


def _locale(language: str) -> Locale:
    # Building a locale costs more than segmenting a sentence with it.
    if language not in _LOCALES:
        _LOCALES[language] = Locale(language)
    return _LOCALES[language]


def words(text: str, language: str) -> list[str]:
    """Split a text into words: the segments that hold at least one letter or digit.

    Args:
        text: Any text.
        language: ISO 639-1 code, which picks the rules.

    Returns:
        The words in order, punctuation and blanks left out.
    """
    return [
        segment
        for segment in breakers.WordBreaker(text, _locale(language))
        if any(character.isalnum() for character in segment)
    ]


def count_words(text: str, language: str) -> int:
    """Count the words of a text as `words` finds them."""
    return len(words(text, language))


def sentences(text: str, language: str) -> list[str]:
    """Split a text into sentences by the rules of its language, surrounding blanks removed."""
    found = (part.strip() for part in breakers.SentenceBreaker(text, _locale(language)))
    return [sentence for sentence in found if sentence]


def segmenter_version() -> str:
    """Name the segmenter and the ICU release behind it, for statistics that depend on them."""
    from importlib.metadata import version

    from icu4py import icu_version

    return f"icu4py {version('icu4py')} (ICU {icu_version})"
