"""A reply is parted into what the model thought aloud and what it answers."""

import re
from functools import cache

from isogloss.medical.data import load


@cache
def _tag() -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in load("reasoning")["tags"])
    return re.compile(f"[<◁](?P<close>/?)(?:{names})[>▷]", re.IGNORECASE)


@cache
def _headings() -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    def heading(words: str) -> str:
        return rf"^[ \t]*#+[ \t]*\**{re.escape(words)}\**:?[ \t]*$"

    return [
        (
            re.compile(rf"\s*{heading(first)}", re.MULTILINE | re.IGNORECASE),
            re.compile(heading(last), re.MULTILINE | re.IGNORECASE),
        )
        for first, last in load("reasoning")["headings"]
    ]


def split_reasoning(text: str) -> tuple[str | None, str]:
    """Part a reply into its reasoning trace and its final answer.

    A closing mark without an opening one ends reasoning that began before the reply; an opening
    mark that is never closed is a reply cut short, whose rest is reasoning.

    Args:
        text: The reply as the model wrote it.

    Returns:
        The trace (None where there is none, or nothing in it) and what is left.
    """
    final_mark, channel = load("reasoning")["final_channel"], load("reasoning")["other_channel"]
    if channel in text:
        before, found, final = text.rpartition(final_mark)
        trace, rest = (before, final) if found else (text, "")
        return _told(re.sub(r"<\|[^|>]*\|>", " ", trace)), re.sub(r"<\|[^|>]*\|>", " ", rest)
    if "<" in text or "◁" in text:
        told, text = _without_tags(text)
        if told is not None:
            return _told(told), text
    if "#" in text:
        for first, last in _headings():
            opened = first.match(text)
            if opened:
                ends = list(last.finditer(text))
                if not ends:
                    return _told(text[opened.end() :]), ""
                return _told(text[opened.end() : ends[-1].start()]), text[ends[-1].end() :]
    return None, text


def _without_tags(text: str) -> tuple[str | None, str]:
    outside: list[str] = []
    inside: list[str] = []
    depth, place, found = 0, 0, False
    for mark in _tag().finditer(text):
        found = True
        (inside if depth else outside).append(text[place : mark.start()])
        place = mark.end()
        if not mark["close"]:
            depth += 1
        elif depth:
            depth -= 1
        else:
            inside, outside = [*inside, *outside], []
    if not found:
        return None, text
    (inside if depth else outside).append(text[place:])
    return "\n".join(inside), "\n".join(outside)


def _told(trace: str) -> str | None:
    return trace.strip() or None
