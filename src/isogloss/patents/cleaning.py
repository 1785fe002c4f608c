"""Cleaning of titles, abstracts and claims; the original text is kept beside the cleaned one.

One rule for every source (our reading): character entities that end in a semicolon are resolved
and known HTML tags leave until nothing changes, so a tag written as ``&lt;sub&gt;`` leaves like
``<sub>``. XML is read first and gives its text after XML's own single unescape. Inline tags join
what they part, block tags part words. Figure references in brackets, and one that ends the text,
leave; mentions inside a sentence and reference signs such as ``(18)`` stay. NUL, lone surrogates
and zero-width blanks leave. White space folds to single blanks. Cleaning twice changes nothing.
"""

import html
import re
from collections import Counter
from html.entities import html5

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);")
_ATTRIBUTES = r"(?:\s+[\w:-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'<>=]+))*\s*/?"
_INLINE = "a|b|i|u|s|o|em|strong|sub|sup|span|font|small|big|tt|smallcaps|figref|img|chemistry"
_BLOCK = "p|br|div|li|ul|ol|dl|dt|dd|tr|td|th|table|tbody|thead|h[1-6]|pre|claim-text|abstract"
_INLINE_TAG = re.compile(rf"</?(?:{_INLINE}){_ATTRIBUTES}>", re.IGNORECASE)
_BLOCK_TAG = re.compile(rf"</?(?:{_BLOCK}){_ATTRIBUTES}>", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)

# Characters that carry no text: NUL, halves of surrogate pairs, zero-width blanks and marks.
DROPPED = {
    "nul": re.compile("\x00"),
    "lone_surrogate": re.compile("[\ud800-\udfff]"),
    "zero_width": re.compile("[\u200b\u200c\u200d\u2060\ufeff]"),
}
_DROPPED = re.compile("|".join(pattern.pattern for pattern in DROPPED.values()))

_FIGURE_WORD = (
    r"(?:figs?\b\.?|figures?\b|figuras?\b|figur(?:en)?\b|abb\b\.?|abbildung(?:en)?\b|[图圖図])"
)
_FIGURE_NUMBER = r"\d{1,3}\s?[a-zA-Z]?"
_FIGURES = (
    rf"{_FIGURE_WORD}\s*{_FIGURE_NUMBER}"
    rf"(?:\s*(?:,|;|-|–|to|and|und|bis|et|à|y|a|e|&|、|和|至)\s*(?:{_FIGURE_WORD}\s*)?{_FIGURE_NUMBER}(?![^\W_]))*"
)
_BRACKETED_FIGURE = re.compile(
    rf"\s*[(\[（【［]\s*(?:see\s+|cf\.?\s+|siehe\s+|s\.\s+|voir\s+|véase\s+)?{_FIGURES}\s*[)\]）】］]",
    re.IGNORECASE,
)
_LAST_FIGURE = re.compile(rf"(?<=[.。;；!?])\s*{_FIGURES}\s*\.?$", re.IGNORECASE)
_FIGURE_HINTS = ("fig", "abb", "图", "圖", "図")


def _resolve(match: re.Match[str]) -> str:
    entity = match.group()
    if entity[1] != "#" and entity[1:] not in html5:
        return entity
    return html.unescape(entity)


def _without_markup(text: str) -> str:
    while True:
        before = text
        if "&" in text:
            text = _ENTITY.sub(_resolve, text)
        if "<" in text:
            text = _COMMENT.sub("", text)
            text = _BLOCK_TAG.sub(" ", _INLINE_TAG.sub("", text))
        if text == before:
            return text


def _without_figures(text: str) -> str:
    while True:
        before = text
        text = _LAST_FIGURE.sub("", _BRACKETED_FIGURE.sub("", text).rstrip())
        if text == before:
            return text


def _is_plain(text: str) -> bool:
    """Whether nothing in a text could be cleaned: a cheap test that most English texts pass."""
    if not text.isascii() or "&" in text or "<" in text or "  " in text or not text.isprintable():
        return False
    lowered = text.lower()
    return "fig" not in lowered and "abb" not in lowered and text == text.strip()


def clean(text: str) -> str:
    """Clean one text by the rules of this module.

    Args:
        text: As the source holds it.

    Returns:
        The cleaned text; '' when nothing is left.
    """
    if _is_plain(text):
        return text
    while True:
        before = text
        if "&" in text or "<" in text:
            text = _without_markup(text)
        # Whatever is dropped, and every blank but the plain one, counts as not printable.
        printable = text.isprintable()
        if not printable:
            text = _DROPPED.sub("", text)
        if not printable or "  " in text or text != text.strip():
            text = " ".join(text.split())
        lowered = text.lower()
        if any(hint in lowered for hint in _FIGURE_HINTS):
            text = _without_figures(text)
        if text == before:
            return text


def dropped_characters(text: str) -> Counter[str]:
    """How many characters of each dropped kind a text holds."""
    if "\x00" not in text and text.isascii():
        return Counter()
    found = {kind: len(pattern.findall(text)) for kind, pattern in DROPPED.items()}
    return Counter({kind: count for kind, count in found.items() if count})
