"""The one JSON object in a model's reply, or the reason why there is none."""

import json
from typing import Any

EMPTY = "empty reply"
NO_OBJECT = "no JSON object"
BROKEN = "JSON cut short or malformed"
_INDENT = 200
SEVERAL = "more than one JSON object"
DOUBLE_KEY = "a key twice in one JSON object"


class ReplyError(ValueError):
    """A reply without exactly one readable JSON object; the message is a reason to count."""


def find_object(reply: str | None) -> dict[str, Any]:
    """Find the JSON object that a reply holds, fenced or inside prose.

    Nothing is repaired: single quotes, a cut end or two verdicts leave no object.

    Args:
        reply: The text as the model wrote it.

    Returns:
        The object.

    Raises:
        ReplyError: There is none, more than one, or one that breaks off.
    """
    text = (reply or "").replace("\ufeff", "")
    if not text.strip():
        raise ReplyError(EMPTY)
    decoder = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_no_constant)
    objects: list[dict[str, Any]] = []
    place = text.find("{")
    while place >= 0:
        try:
            found, end = decoder.raw_decode(text, place)
            objects.append(found)
        except json.JSONDecodeError as error:
            # An object inside one that breaks off must never pass for the whole.
            if text[place + 1 : place + 1 + _INDENT].lstrip()[:1] in ('"', ""):
                raise ReplyError(BROKEN) from error
            end = place + 1
        except RecursionError as error:
            raise ReplyError(BROKEN) from error
        place = text.find("{", end)
    objects = [found for found in objects if found]
    if not objects:
        raise ReplyError(NO_OBJECT)
    if len(objects) > 1:
        raise ReplyError(SEVERAL)
    return objects[0]


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) != len(pairs):
        raise ReplyError(DOUBLE_KEY)
    return dict(pairs)


def _no_constant(name: str) -> None:
    raise ReplyError(f"{name} is no JSON number")
