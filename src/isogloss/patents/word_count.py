"""Whether a text has enough words, without segmenting it where a cheap bound settles it."""

import re

from isogloss import words

# At least: ICU parts words at every plain blank, so each piece between blanks that holds a letter
# or digit holds a word.
_PIECE = re.compile(r"[^\W_]\S*")
# At most: a word holds a letter or digit, and ICU never parts a run of Latin letters and digits.
_RUN = re.compile(r"[A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]+|[^\W_]")


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
    if sum(map(str.isalnum, text.split(" "))) >= minimum:
        return True
    pieces = text.count(" ") + 1
    if pieces >= minimum and len(_PIECE.findall(text)) >= minimum:
        return True
    # Worth trying where blanks part the words; a run of Han characters is settled by ICU alone.
    if len(text) < 20 * pieces and len(_RUN.findall(text)) < minimum:
        return False
    return words.has_words(text, language, minimum)
