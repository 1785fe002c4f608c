"""The letter a reply commits to, or None: found by commitment, never by position, never guessed.

HealMed section 2 asks for one uppercase letter. What replies hold instead, and what counts, is our
reading: the last announced answer wins ("Answer: B"); then a letter declared right; then a line
that is a letter; then a line that opens with one ("C. 12 mg"). Of "not A but B" the affirmed letter
counts. Two letters for one item, a letter that is no label of the item, and a denied, conditional
or withdrawn one are no answer. Where the options are relations (entailment, neutral,
contradiction), a short last line without a letter that commits to one by name counts as its letter.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from isogloss.medical.contrasts import contrasted, taken_back
from isogloss.medical.letters import plain_letters
from isogloss.medical.lexicon import WRAPS, Lexicon, lexicon
from isogloss.medical.reasoning import split_reasoning
from isogloss.medical.relations import committed_relation, relation

_LOOK_BACK = 120
_CUE_LENGTH = 40
_LETTER = re.compile(r"(?<![A-Za-zÀ-ɏ0-9°])[A-Za-z](?![A-Za-zÀ-ɏ0-9°+%])")
_CLAUSE_END = re.compile(r"[.!?;,:\n。！？；、]")
_CLOSING = r"[\"'`)\]}>$」』】*_|”’»]*"
_CLOSED = re.compile(rf"{_CLOSING}(?:[.,;:!?…]+(?=[\s{WRAPS}]|$|[^\x00-ʯ]|[A-Z0-9])|\s*$|\s*\n)")
_GLUED = re.compile(r"['’][A-Za-z]|[-‐‑][A-Za-z0-9]|/[A-Za-z]|[.][a-z]|[@#&]")
_ASKED = re.compile(rf"{_CLOSING}\s*\?")
_NEXT_WORD = re.compile(r"[\s*_]+(\w)")
_PHRASE = re.compile(r"([A-Za-z][.]?)\s*(\w+)")
_LAST_WORD = re.compile(
    r"(?=.{1,40}$)[^\W<#|◁▷]*(?:[^\w<#|◁▷]+\w+){0,4}?[^\w<#|◁▷]*\b[A-Za-z][^\w<#|◁▷]*"
)
AMBIGUOUS = ""


@dataclass(frozen=True)
class Question:
    """What a reply answers.

    Attributes:
        options: Option texts by label.
        language: ISO 639-1 of the prompt; None where it is not known.
        text: The question, whose own words ("hepatitis B", "E. coli") are never taken for labels.
    """

    options: Mapping[str, str]
    language: str | None = None
    text: str = ""


def extract_letter(reply: str | None, question: Question) -> str | None:
    """Find the label that the final answer of a reply commits to.

    Args:
        reply: The reply as the model wrote it; reasoning blocks are removed here.
        question: The item's labels, language and text.

    Returns:
        One of the item's own labels; None where the reply names none, several or another one.
    """
    if not reply:
        return None
    bare = reply.strip()
    if bare in question.options:
        return bare
    if _LAST_WORD.fullmatch(bare):
        return _short(bare, tuple(question.options), question.language)
    text = _single_spaced(plain_letters(split_reasoning(bare)[1]))
    if not text:
        return None
    letter = _committed(text, question, lexicon(question.language))
    if letter is None:
        return _by_relation(text, question.options, lexicon(question.language))
    return letter if letter in question.options else None


def _by_relation(text: str, options: Mapping[str, str], words: Lexicon) -> str | None:
    """The label of the relation that the last line commits to by name, in any language."""
    labels = {relation(name): label for label, name in options.items()}
    line = text.rsplit("\n", 1)[-1]
    if None in labels or len(line) > _LOOK_BACK or re.search(r"[?？]", line):
        return None
    if words.conditional.search(line) or any(m[0] in options for m in _LETTER.finditer(line)):
        return None
    return labels.get(committed_relation(line))


@lru_cache(maxsize=4096)
def _short(reply: str, labels: tuple[str, ...], language: str | None) -> str | None:
    """The same for a short reply that ends in its letter: no term of the item can matter there."""
    question = Question(dict.fromkeys(labels, ""), language)
    letter = _committed(_single_spaced(plain_letters(reply)), question, lexicon(language))
    return letter if letter in question.options else None


def _single_spaced(text: str) -> str:
    # No pattern below ever meets a long run of white space, on which some would take long.
    return re.sub(r"\s*\n\s*", "\n", re.sub(r"[^\S\n]+", " ", text)).strip()


def _committed(text: str, question: Question, words: Lexicon) -> str | None:
    letter, end = _decided(text, question, words)
    return AMBIGUOUS if letter and _withdrawn(text, letter, end, question, words) else letter


def _withdrawn(text: str, letter: str, end: int | None, question: Question, words: Lexicon) -> bool:
    """Whether a correction and another label come behind the letter."""
    letters = list(_LETTER.finditer(text))
    if end is None:
        end = max((m.end() for m in letters if m[0].upper() == letter), default=0)
    corrections = taken_back(text, end, words)
    if not corrections:
        return False
    return any(
        other.start() >= corrections[0].end()
        and other[0] in question.options
        and other[0] != letter
        and not words.rejects.match(text, other.end())
        and not _GLUED.match(text, other.end())
        and _stands_alone(text, other, question, words)
        for other in letters
    )


def _decided(text: str, question: Question, words: Lexicon) -> tuple[str | None, int | None]:
    """The letter, and where it ends if it was announced."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    whole_lines = [letter for line in lines if (letter := _whole_line(line, words))]
    announced: list[str] = []
    end = None
    contrasts = contrasted(text, words)
    affirmed: set[str] = set()
    hints = _hint_places(text, words)
    for found in _LETTER.finditer(text):
        # Long prose is full of letters; only those near an announcing word are worth a search.
        place = bisect_left(hints, found.start()) - 1
        hint = hints[place] if place >= 0 else -_LOOK_BACK
        kind = _kind(text, found, question, words, hint)
        if found.start() in contrasts:
            kind = _of_contrast(text, found, words, affirmed=contrasts[found.start()])
        if kind == "announced":
            double = _second_letter(text, found, question, words)
            end = found.end()
            announced.append(AMBIGUOUS if double else found[0].upper())
        elif kind == "affirmed":
            affirmed.add(found[0].upper())
    if announced:
        last_line = _whole_line(lines[-1], words)
        return (announced[-1] if last_line in (None, announced[-1]) else AMBIGUOUS), end
    if affirmed:
        return _only(affirmed), None
    if whole_lines:
        return _only(set(whole_lines)), None
    return _lead(lines, question, words), None


def _only(letters: set[str]) -> str:
    return letters.pop() if len(letters) == 1 else AMBIGUOUS


def _hint_places(text: str, words: Lexicon) -> list[int]:
    lowered = text.lower()
    if len(lowered) != len(text):
        return list(range(len(text)))
    places = []
    for hint in words.ascii_hints if text.isascii() else words.hints:
        place = lowered.find(hint)
        while place >= 0:
            places.append(place)
            place = lowered.find(hint, place + 1)
    return sorted(places)


def _kind(
    text: str, found: re.Match[str], question: Question, words: Lexicon, hint: int
) -> str | None:
    """How the reply treats one letter: announced as the answer, affirmed, or neither."""
    start, end = found.span()
    affirmed = words.affirms.match(text, end)
    if not affirmed and start - hint > _LOOK_BACK:
        return None
    if _GLUED.match(text, end) or _ASKED.match(text, end) or words.rejects.match(text, end):
        return None
    if affirmed and not _doubted(text[:start], words):
        return "affirmed"
    opening = max(0, hint - _CUE_LENGTH)
    cue = words.announced.search(text[opening:start])
    if not cue or not _stands_alone(text, found, question, words):
        return None
    stated = cue["choosing"] or words.stated.search(cue["gap"])
    if not stated and not _CLOSED.match(text, end):
        return None
    return None if _doubted(text[: opening + cue.start()], words) else "announced"


def _of_contrast(text: str, found: re.Match[str], words: Lexicon, *, affirmed: bool) -> str | None:
    """The same for a letter of "not A but B"."""
    if not affirmed or words.rejects.match(text, found.end()) or _ASKED.match(text, found.end()):
        return None
    return None if words.conditional.search(_clause(text[: found.start()])) else "announced"


def _clause(before: str) -> str:
    return re.split(r"[.!?;\n。！？；]", before[-_LOOK_BACK:])[-1]


def _doubted(before: str, words: Lexicon) -> bool:
    clause = _CLAUSE_END.split(before[-_LOOK_BACK:])[-1]
    return bool(words.doubted.search(clause))


def _stands_alone(text: str, found: re.Match[str], question: Question, words: Lexicon) -> bool:
    """Whether a letter is a label here, and no article, initial or part of a term."""
    own = question.options.get(found[0].upper(), "").casefold()
    rest = text[found.end() : found.end() + 2 * len(own) + 20]
    if own and rest.lstrip(" .:)]*_-").casefold().startswith(own):
        return True
    if _is_term(text[found.start() :], question):
        return False
    following = _NEXT_WORD.match(text, found.end())
    if not following or not re.match(r"[A-Za-zÀ-ɏ]", following[1]):
        return True
    if found[0].islower() or found[0] in words.articles:
        return bool(words.continues.match(text, following.start(1)))
    return True


def _is_term(rest: str, question: Question) -> bool:
    """Whether a letter and its next word are the item's own words, as in ``E. coli``.

    They are not where only the option of that very label holds them.
    """
    phrase = _PHRASE.match(rest)
    if not phrase:
        return False
    own = re.compile(
        rf"(?<!\w){re.escape(phrase[1])}\s*{re.escape(phrase[2])}(?!\w)", re.IGNORECASE
    )
    holders = {label for label, text in question.options.items() if own.search(text)}
    return (bool(own.search(question.text)) or bool(holders)) and holders != {rest[0].upper()}


def _second_letter(text: str, found: re.Match[str], question: Question, words: Lexicon) -> bool:
    """Whether another label is joined to this one ("A and C")."""
    other = words.joined.match(text, found.end()) or words.doubled.match(text, found.end())
    if not other or (found[0].isupper() and other["other"].islower()):
        return False
    second = other["other"].upper()
    return second in question.options and second != found[0].upper()


def _whole_line(line: str, words: Lexicon) -> str | None:
    """The letter of a line that holds nothing else but its wrapping: ``**Option B.**``."""
    if len(line) > _LOOK_BACK:
        return None
    found = words.whole_line.fullmatch(line)
    return found[1].upper() if found else None


def _leads(lines: list[str], words: Lexicon) -> Iterator[tuple[int, re.Match[str]]]:
    for index, line in enumerate(lines):
        if found := words.lead.match(line):
            yield index, found


def _lead(lines: list[str], question: Question, words: Lexicon) -> str | None:
    """The letter that opens the first or last line, where no line opens with another."""
    leads = list(_leads(lines, words))
    letters = {found[1].upper() for _, found in leads}
    if len(letters) != 1 or not {0, len(lines) - 1} & {index for index, _ in leads}:
        return None
    index, found = leads[0]
    line = lines[index]
    label = _LETTER.match(line, found.start(1))
    if not label or _GLUED.match(line, label.end()) or words.rejects.match(line, label.end()):
        return None
    if _is_term(line[label.start() :], question) or _second_letter(line, label, question, words):
        return None
    return letters.pop()
