"""The words around an answer's letter, compiled into patterns for one language of the prompt.

Cues, copulas and fillers of every language count, because models answer in other languages than
they were asked in. Denials, doubts and one-letter words count for the prompt's language and
English alone: elsewhere they are everyday words (Spanish `si`, Portuguese `uma`).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from isogloss.medical.data import load
from isogloss.medical.panel import ENGLISH, LANGUAGES

# A word of these scripts ends where another script begins; elsewhere words touch.
_LATIN = "A-Za-zÀ-ɏ"
WRAPS = r"\s\"'`´“”‘’„«»「」『』【】〔〕()\[\]{}<>$\\*_|,"
_LEAD_END = r"(?:[.)\]:,;、]|\s+[—–\-]\s|[*_`]+[.):]?\s)"
# Words of these scripts are no everyday words of another language.
_NO_BLANKS = ("ja", "zh", "th")
_BESIDE = r"[^\S\n]?[.)\]}*_\"'`$」』】|]{0,8}[^\S\n]?[(\[{*_\"'`「『【|]{0,8}"
_SHUT = r"[)\]}*_\"'`」』】]{0,8}[.,;:!。]{0,3}\s?(?:$|\n|[(\[*_]{0,8}[A-Z][).\]*_])"
MARKS = r":=→⇒~—–\-"


@dataclass(frozen=True)
class Lexicon:
    """Compiled patterns.

    Attributes:
        announced: Ends a stretch of text that announces a letter; groups `choosing`, `gap`.
        stated: Finds a mark or copula in such a gap.
        affirms: Follows a letter that is declared right.
        rejects: Follows a letter that is declared wrong, or right under a condition only.
        doubted: Finds a denial or condition in the clause before.
        conditional: Finds a condition alone.
        joined: Follows a letter and leads to a second one; group `other`.
        doubled: Follows a letter and leads to a second one that stands beside it ("(A) (C)").
        contrast: Finds "not A but B"; a group of letters denied and one of letters affirmed.
        corrected: Finds words that take back what was said before.
        whole_line: A line that is a letter and nothing else but its wrapping and fillers.
        lead: The start of a line that opens with a letter and a mark after it.
        continues: Opens the words that may follow a one-letter word taken as an answer.
        articles: Upper-case letters that are words.
        hints: Lower-case words one of which every announcement holds: cheap to look for first.
        ascii_hints: Those that an ASCII text can hold.
    """

    announced: re.Pattern[str]
    stated: re.Pattern[str]
    affirms: re.Pattern[str]
    rejects: re.Pattern[str]
    doubted: re.Pattern[str]
    conditional: re.Pattern[str]
    joined: re.Pattern[str]
    doubled: re.Pattern[str]
    contrast: re.Pattern[str]
    corrected: re.Pattern[str]
    whole_line: re.Pattern[str]
    lead: re.Pattern[str]
    continues: re.Pattern[str]
    articles: frozenset[str]
    hints: tuple[str, ...]
    ascii_hints: tuple[str, ...]


@cache
def lexicon(language: str | None) -> Lexicon:
    """Compile the lexicon for prompts in a language; for all languages at once where it is None."""
    near = LANGUAGES if language is None else (language, ENGLISH)
    cues, copulas, fillers = (_of(key, LANGUAGES) for key in ("cues", "copulas", "fillers"))
    # Atomic: a word that can be read in two ways ("la opción") must not double the work.
    gap = f"(?>[{WRAPS}{MARKS}]|{_any([*copulas, *fillers])}|\\\\?(?:text|mathbf|mathrm|boxed))*"
    choosing = _any(_of("choosing", LANGUAGES))
    announced = f"(?:(?P<choosing>{choosing}|\\\\boxed)|{_any(cues)})(?P<gap>{gap})$"
    doubted = f"{_any([*_of('denials', near), *_of('doubts', near)])}|n['’]t(?![{_LATIN}])"
    conditional = _any(_of("doubts", near))
    at_start = _of("doubts_at_start", near)
    if at_start:
        doubted += f"|^\\W*{_any(at_start)}"
        conditional += f"|^\\W*{_any(at_start)}"
    # A word that joins in one language and denies in the prompt's own ("no") denies.
    joins = _any([w for w in _of("joins", LANGUAGES) if w not in _of("denials", near)])
    joined = (
        rf"[\s*_\"'`)\]}}$.]*?(?:[,/&+;、|]|[(\[]?\s*{joins}|\n)[\s,]*(?:{joins})?"
        rf"[\s*_\"'`(\[{{]*(?:{_any(fillers)})?[\s*_\"'`(\[{{]*"
        rf"(?P<other>[A-Za-z])(?![{_LATIN}0-9'’])"
    )
    after = r"[\s*_\"'`)\]}$」』】,]*"
    filler = f"(?>{_any([*cues, *fillers, *copulas])}|[{WRAPS}{MARKS}#>•])*"
    opening = f"{filler}(?<![{_LATIN}0-9])"
    hints = _hints([*cues, *_of("choosing", LANGUAGES), "boxed"])
    return Lexicon(
        announced=_compiled(announced),
        stated=_compiled(f"[{MARKS}\n<>{{]|{_any(copulas)}"),
        affirms=_compiled(after + _either(_of("affirms", LANGUAGES, lower=False))),
        rejects=_compiled(
            r"[\s*_\"'`)\]}$」』】]*" + _either(_of("rejects", (*near, *_NO_BLANKS), lower=False))
        ),
        doubted=_compiled(doubted),
        conditional=_compiled(conditional),
        joined=_compiled(joined),
        doubled=re.compile(rf"{_BESIDE}(?P<other>[A-Z])(?![{_LATIN}0-9]){_SHUT}"),
        contrast=_compiled(_contrast([*fillers, *copulas])),
        corrected=_compiled(_either(_of("corrections", (*near, *_NO_BLANKS), lower=False))),
        whole_line=_compiled(f"{opening}([A-Za-z])[{WRAPS}{MARKS}.。!]*"),
        lead=re.compile(f"(?i:{opening})([A-Z]|[a-z](?=[)\\]])){_LEAD_END}"),
        continues=_compiled(_any(_of("continuations", LANGUAGES))),
        articles=frozenset(_of("articles", near, lower=False)),
        hints=hints,
        ascii_hints=tuple(hint for hint in hints if hint.isascii()),
    )


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _of(key: str, languages: Iterable[str], *, lower: bool = True) -> list[str]:
    lists = load("answer_words").get(key, {})
    words = {
        str(word).casefold() if lower else str(word): None
        for language in languages
        for word in lists.get(language) or ()
    }
    return sorted(words, key=lambda word: (-len(word), word))


def _either(patterns: list[str]) -> str:
    # "es" + "s" must not match inside "esta": a pattern may not begin in the middle of a word.
    return f"(?:{'|'.join(patterns)})".replace(" ", r"\s+")


def _contrast(between: list[str]) -> str:
    before = f"(?:[{WRAPS}]|{_any(between)}){{0,6}}"
    after = rf"(?![{_LATIN}0-9°+%])[\s\"'`)\]}}$」』】*_]{{0,6}}"
    found = []
    for number, pattern in enumerate(_of("contrasts", LANGUAGES, lower=False)):
        for name in ("no", "yes"):
            letter = f"(?P<{name}{number}>(?-i:[A-Z])){after}"
            opens = pattern.startswith(f"{{{name}}}")
            edge = f"(?<![{_LATIN}0-9])"
            pattern = pattern.replace(f"{{{name}}}", edge + letter if opens else before + letter)
        found.append(re.sub(r"^(?=\(\?:[A-Za-zÀ-ɏ]|[a-zà-ÿ])", f"(?<![{_LATIN}])", pattern))
    return _either(found)


def _hints(phrases: list[str]) -> tuple[str, ...]:
    # "with" alone is everywhere: short words are looked for in pairs.
    longest = {
        word if len(word) > 4 or " " not in phrase else " ".join(phrase.split()[-2:]).lower()
        for phrase in phrases
        for word in (max(phrase.split(), key=len).lower(),)
    }
    return tuple(sorted(w for w in longest if not any(o in w for o in longest - {w})))


def _any(words: list[str]) -> str:
    return f"(?:{'|'.join(_word(word) for word in words)})" if words else "(?!)"


def _word(word: str) -> str:
    pattern = r"\s+".join(re.escape(part).replace("'", "['’]") for part in word.split())
    before = f"(?<![{_LATIN}])" if re.match(f"[{_LATIN}]", word) else ""
    # A hyphen may part a prefix from its letter ("ngu-B"); another word may not follow at once.
    after = f"(?![{_LATIN}])" if re.search(f"[{_LATIN}]$", word) else ""
    return before + pattern + after
