"""Unicode word and sentence segmentation by ICU, so that Chinese, Japanese and Thai count as well.

ICU's dictionaries ship inside the ``icu4py`` wheel: the same text gives the same words everywhere.
"""

from collections.abc import Iterator
from itertools import islice

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
    return list(_words(text, language))


def _words(text: str, language: str) -> Iterator[str]:
    for segment in breakers.WordBreaker(text, _locale(language)):
        # Nearly every word passes the first test, which costs a tenth of the second.
        if segment.isalnum() or any(map(str.isalnum, segment)):
            yield segment


def count_words(text: str, language: str) -> int:
    """Count the words of a text as `words` finds them."""
    return len(words(text, language))


def has_words(text: str, language: str, minimum: int) -> bool:
    """Whether a text has at least `minimum` words, segmented no further than needed to know."""
    return minimum <= 0 or next(islice(_words(text, language), minimum - 1, None), None) is not None


def sentences(text: str, language: str) -> list[str]:
    """Split a text into sentences by the rules of its language, surrounding blanks removed."""
    found = (part.strip() for part in breakers.SentenceBreaker(text, _locale(language)))
    return [sentence for sentence in found if sentence]


def segmenter_version() -> str:
    """Name the segmenter and the ICU release behind it, for statistics that depend on them."""
    from importlib.metadata import version

    from icu4py import icu_version

    return f"icu4py {version('icu4py')} (ICU {icu_version})"
