"""A version in pieces: ICU sentences of its text, or the segments of a parallel source."""

from dataclasses import dataclass

from isogloss.qac.versions import JOINT, Version
from isogloss.words import sentences


@dataclass(frozen=True)
class Pieces:
    """The pieces of one text, and the text without one of them.

    Attributes:
        ids: Segment ids, by which a parallel source aligns; empty where sentences align by place.
        texts: The pieces in order.
        body: The text that sentences were cut from; empty for segments, which are joined anew.
    """

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    body: str = ""

    def without(self, index: int) -> str:
        """The text without one piece; blanks around the gap stay as the text has them."""
        if not self.body:
            rest = (text for place, text in enumerate(self.texts) if place != index)
            return JOINT.join(text for text in rest if text)
        start = 0
        for text in self.texts[:index]:
            start = self.body.index(text, start) + len(text)
        start = self.body.index(self.texts[index], start)
        before, after = self.body[:start], self.body[start + len(self.texts[index]) :]
        head, tail = before.rstrip(), after.lstrip()
        if not head or not tail:
            return head + tail
        blanks = before[len(head) :] or after[: len(after) - len(tail)]
        return head + blanks + tail


def pieces(version: Version) -> Pieces:
    """Cut a version into its segments where it has them, else into sentences of its language."""
    if version.segments:
        ids, texts = zip(*version.segments, strict=True)
        return Pieces(ids, tuple(text.strip() for text in texts))
    return Pieces((), tuple(sentences(version.body, version.language)), version.body)
