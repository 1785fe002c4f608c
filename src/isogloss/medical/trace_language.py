"""The language most of a reasoning trace is written in, by script and everyday words.

Deterministic: the same trace always gives the same answer. Each line votes with its length.
"""

import re
from collections import Counter
from functools import cache

from isogloss.medical.data import load

_SCRIPTS = {
    "ja": re.compile(r"[\u3040-\u30ff\u31f0-\u31ff]"),
    "th": re.compile(r"[\u0e01-\u0e5b]"),
    "zh": re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]"),
}
_LATIN_WORD = re.compile(r"[^\W\d_]+")
_HAN_WEIGHT = 2
"""A Han character says about as much as two letters of a word in Latin script."""


@cache
def _everyday() -> dict[str, list[str]]:
    owners: dict[str, list[str]] = {}
    for language, words in load("trace_words").items():
        for word in words:
            owners.setdefault(word, []).append(language)
    return owners


def line_language(line: str) -> tuple[str | None, int]:
    """Tell the language of one line and its weight in letters.

    Args:
        line: A line of a trace.

    Returns:
        ISO 639-1 or None where nothing decides, and the number of letters behind it.
    """
    found = {language: len(script.findall(line)) for language, script in _SCRIPTS.items()}
    latin = _LATIN_WORD.findall(line) if re.search(r"[A-Za-zÀ-ɏ]", line) else []
    roman = sum(len(word) for word in latin if word[0] < "\u0250")
    foreign = _HAN_WEIGHT * (found["zh"] + found["ja"]) + found["th"]
    if foreign >= roman and foreign:
        if found["th"] > found["zh"] + found["ja"]:
            return "th", found["th"]
        # Japanese mixes Han characters with kana; Chinese has no kana.
        kana = found["ja"] * 10 >= found["zh"]
        return ("ja" if kana and found["ja"] else "zh"), foreign
    votes: Counter[str] = Counter()
    for word in latin:
        owners = _everyday().get(word.casefold(), ())
        for language in owners:
            votes[language] += 60 // len(owners)
    ranked = votes.most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None, roman
    return ranked[0][0], roman


def trace_language(trace: str) -> str | None:
    """The language of most of a trace; None where nothing decides or two are level.

    Args:
        trace: A reasoning trace.
    """
    weights: Counter[str] = Counter()
    for line in trace.splitlines():
        language, weight = line_language(line)
        if language:
            weights[language] += weight
    ranked = weights.most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]
