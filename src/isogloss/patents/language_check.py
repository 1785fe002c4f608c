"""A cheap, repeatable look at whether a text is in its declared language (our reading).

The declared language always wins; a contradiction is flagged and nothing is relabelled. Scripts
settle what they can, function words settle five languages in Latin script, the rest is unknown.
Han characters alone are Chinese where nothing is declared and agree with Japanese where it is.
"""

import unicodedata
from collections import Counter
from dataclasses import dataclass

SHORTEST = 4
# Function words, and the verbs that patents open with, each rare in the other languages listed;
# names of chemicals hold none.
FUNCTION_WORDS = {
    "en": "the and of to is which with for by an that are this from wherein said or comprises "
    "comprising relates",
    "de": "der die das und ein eine einer eines mit von zur zum des dem den ist wird oder nach "
    "umfasst umfassend betrifft",
    "fr": "le les des du et une est par dans pour avec au aux qui sur ou dont ledit ladite "
    "comprend comprenant concerne",
    "es": "el los las y una del con al es dicho dicha está comprende comprendiendo refiere",
    "pt": "os uma do da dos das em no na com não ao pelo pela é são compreende compreendendo",
}
_WORDS = {language: frozenset(words.split()) for language, words in FUNCTION_WORDS.items()}
_MINIMUM_HITS = 3
_SCRIPTS = {
    "HIRAGANA": "ja", "KATAKANA": "ja", "CJK": "zh", "HANGUL": "ko", "THAI": "th", "GREEK": "el",
    "HEBREW": "he", "ARABIC": "ar", "CYRILLIC": "ru", "LATIN": "latin",
}  # fmt: skip
# Scripts that more than one language is written in.
_COMPATIBLE = {"zh": {"zh", "ja"}, "ru": {"ru", "uk", "bg", "sr", "mk", "be", "kk", "mn"},
               "ar": {"ar", "fa", "ur"}, "he": {"he", "yi"}}  # fmt: skip
_NOT_LATIN = (frozenset(_SCRIPTS.values()) - {"latin"}).union(*_COMPATIBLE.values())


@dataclass(frozen=True)
class LanguageCheck:
    """What is known of a text's language.

    Attributes:
        language: The declared one, else the detected one, else None: unknown.
        mismatch: Whether the text contradicts what is declared.
        reason: Why the language is unknown, or what the text looks like; '' otherwise.
    """

    language: str | None
    mismatch: bool = False
    reason: str = ""


def check_language(text: str, declared: str | None) -> LanguageCheck:
    """Compare a text with its declared language; the same text gives the same answer always."""
    found, reason = _detect(text)
    if declared is None:
        return LanguageCheck(found, reason=reason)
    fits = found is None or declared in _COMPATIBLE.get(found, {found})
    # Nothing here knows the function words of another language in Latin script: Swahili's `na`
    # and `no` would read as Portuguese.
    if found in _WORDS and declared not in _WORDS and declared not in _NOT_LATIN:
        fits = True
    return LanguageCheck(declared, not fits, "" if fits else f"looks like {found}")


def _detect(text: str) -> tuple[str | None, str]:
    letters = [character for character in text if character.isalpha()]
    if len(letters) < SHORTEST:
        return None, "too short" if text.strip() else "no text"
    scripts = Counter(map(_script, letters))
    # A Japanese text is told by its syllables, however few they are among Han characters.
    if scripts["ja"] * 20 >= len(letters):
        return "ja", ""
    script, count = min(scripts.items(), key=lambda found: (-found[1], found[0]))
    if count * 2 <= len(letters) or script == "other":
        return None, "no script prevails"
    return _by_function_words(text) if script == "latin" else (script, "")


def _script(character: str) -> str:
    if character.isascii():
        return "latin"
    name = unicodedata.name(character, "").split(" ", 1)[0].split("-", 1)[0]
    return _SCRIPTS.get(name, "other")


def _by_function_words(text: str) -> tuple[str | None, str]:
    words = Counter(text.casefold().split())
    hits = {
        language: sum(words[word] for word in known) for language, known in sorted(_WORDS.items())
    }
    (best, most), (_, second) = sorted(hits.items(), key=lambda item: -item[1])[:2]
    if most < _MINIMUM_HITS or most < 2 * second:
        return None, "too few function words"
    return best, ""
