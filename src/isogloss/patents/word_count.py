"""Whether a text has enough words, without segmenting it where a cheap bound settles it."""

import re

from isogloss.words import count_words

# ICU parts words at every plain blank, so each blank-separated piece that holds a letter or digit
# holds at least one word. That bound is exact enough for scripts written with blanks.
_PIECE = re.compile(r"[^\W_]\S*")


def has_words(text: str, language: str, minimum: int) -> bool:
    """Whether a cleaned text has at least `minimum` ICU dictionary words.

    Args:
        text: Cleaned text: its only white space is the plain blank.
        language: ISO 639-1 code.
        minimum: How many words it needs.
    """
    if minimum <= 0:
        return True
    # No word is shorter than one character.
    if len(text) < minimum:
        return False
    if text.count(" ") + 1 >= minimum and len(_PIECE.findall(text)) >= minimum:
        return True
    return count_words(text, language) >= minimum
