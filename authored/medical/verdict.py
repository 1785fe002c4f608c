"""What the second reader wrote, in the form in which a judge replies."""

from typing import Any

from authored.medical.texts import Reply
from isogloss.medical.data import load
from isogloss.medical.verdicts import DIMENSIONS, FLAGS

NO_FLAG = "Nothing to note."


def verdict(reply: Reply) -> dict[str, Any] | str:
    """The judge's JSON object, or the text that stands in its place.

    The one reason that was written stands under each dimension.
    """
    if reply.verdict is not None:
        return reply.verdict
    rubric = load("rubric")
    flags = reply.flags or {}
    found: dict[str, dict[str, Any]] = {}
    for name, score in zip(DIMENSIONS, reply.scores or (), strict=True):
        group, key = rubric["dimensions"][name]
        found.setdefault(group, {})[key] = {"score": score, "justification": reply.why}
    for name in FLAGS:
        group, key = rubric["flags"][name]
        why = NO_FLAG if flags[name] == "no" else reply.why
        found.setdefault(group, {})[key] = {"label": flags[name], "justification": why}
    return found
