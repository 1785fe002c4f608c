"""What a reply says of two letters at once: it denies one and affirms the other, or takes one back.

Words are data (`answer_words.yaml`). A contrast counts where it is the announced answer or opens a
line. A letter that is taken back leaves no answer: which of two was meant is never guessed.
"""

import re

from isogloss.medical.lexicon import WRAPS, Lexicon

_NEAR = 120
_OPENS = re.compile(rf"(?:^|\n)[{WRAPS}]*$")


def contrasted(text: str, words: Lexicon) -> dict[int, bool]:
    """Letters of "not A but B" by place: True where the letter is affirmed as the answer.

    Args:
        text: The reply without reasoning.
        words: Of the prompt's language.

    Returns:
        Every denied letter as False; the affirmed one only where the contrast is the answer.
    """
    places: dict[int, bool] = {}
    for found in words.contrast.finditer(text):
        before = text[max(0, found.start() - _NEAR) : found.start()]
        answers = words.announced.search(before) or _OPENS.search(before)
        for name, letter in found.groupdict().items():
            if letter and name.startswith("no"):
                places[found.start(name)] = False
            elif letter and answers:
                places[found.start(name)] = True
    return places


def taken_back(text: str, end: int, words: Lexicon) -> list[re.Match[str]]:
    """The words behind a committed letter that may take it back.

    Args:
        text: The reply without reasoning.
        end: Behind the letter.
        words: Of the prompt's language.
    """
    return list(words.corrected.finditer(text, end))
