"""Exactly one JSON object found in a reply and validated, or none and why: never a guess."""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

# What counts for balance; an escaped character is passed over as one.
_MARKS = re.compile(r'\\.|["{}]', re.DOTALL)
# A quoted key: whoever writes one means an object, so a broken one is no prose to pass over.
_MEANT_AS_JSON = re.compile(r"""["']\s*:""")

# Marks of reasoning as chat templates write them; inside a JSON string they are text.
_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|seed:think"
_OPENS = re.compile(rf"[<◁](?:{_NAMES})[>▷]|<\|channel\|>(?!final)", re.IGNORECASE)
_CLOSES = re.compile(rf"[<◁]/(?:{_NAMES})[>▷]|<\|channel\|>final<\|message\|>", re.IGNORECASE)

Fault = Literal["empty", "cut", "no-json", "several", "invalid"]


@dataclass(frozen=True)
class Verdict:
    """What a reply says.

    Attributes:
        value: The object, or None.
        fault: The class of what is wrong where there is no value.
        reason: The same for people, one line.
    """

    value: dict[str, Any] | None
    fault: Fault | None = None
    reason: str = ""


def find_verdict(text: str | None, schema: dict[str, Any]) -> Verdict:
    """Find the one JSON object of a reply and validate it.

    Fences, prose around the object, a byte order mark and a reasoning block before it are passed
    over. Two objects, an object that does not end, a repeated key, single quotes and prose give no
    value: nothing is repaired and no digit is picked out of prose.

    Args:
        text: The reply as the model wrote it.
        schema: JSON schema (2020-12) of an object.
    """
    if text is None or not text.strip("\ufeff \t\r\n"):
        return Verdict(None, "empty", "the reply is empty")
    found: list[dict[str, Any]] = []
    for piece in _after_reasoning(text):
        if piece is None:
            return Verdict(None, "cut", "a JSON object or the reasoning begins and does not end")
        value = _decode(piece)
        if isinstance(value, dict):
            found.append(value)
        elif value is not None:
            return Verdict(None, "invalid", value)
    if not found:
        return Verdict(None, "no-json", "the reply holds no JSON object")
    if len(found) > 1:
        return Verdict(None, "several", f"the reply holds {len(found)} JSON objects")
    reason = schema_fault(found[0], schema)
    return Verdict(None, "invalid", reason) if reason else Verdict(found[0])


def _after_reasoning(text: str) -> list[str | None]:
    """The pieces in braces behind a reasoning block, which some templates only close.

    A closing mark inside a piece is part of a JSON string and closes nothing.
    """
    body = text.lstrip("\ufeff \t\r\n")
    if _OPENS.match(body):
        closed = _CLOSES.search(body)
        if not closed:
            return [None]
        body = body[closed.end() :]
    spans = _spans(body)
    inside = [range(start, end) for start, end in spans]
    marks = [mark.start() for mark in _CLOSES.finditer(body)]
    last = max((mark for mark in marks if not any(mark in span for span in inside)), default=-1)
    return [None if end > len(body) else body[start:end] for start, end in spans if start > last]


def _spans(text: str) -> list[tuple[int, int]]:
    """Begin and end of each balanced ``{...}`` at the top level, braces in strings aside.

    One that does not end is the last and ends behind the text.
    """
    spans = []
    start = text.find("{")
    while start >= 0:
        depth, quoted = 0, False
        for match in _MARKS.finditer(text, start):
            mark = match.group()
            if mark == '"':
                quoted = not quoted
            elif not quoted and mark in "{}":
                depth += 1 if mark == "{" else -1
                if depth == 0:
                    spans.append((start, match.end()))
                    break
        else:
            spans.append((start, len(text) + 1))
            break
        start = text.find("{", spans[-1][1])
    return spans


class _RepeatedKeyError(ValueError):
    pass


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise _RepeatedKeyError("a key of the JSON object occurs twice")
    return value


def _refuse_constant(name: str) -> None:
    raise _RepeatedKeyError(f"{name} is no JSON number")


def _decode(piece: str) -> dict[str, Any] | str | None:
    """The object, a fault that rules the reply out, or None for braces in prose."""
    try:
        value: dict[str, Any] = json.loads(
            piece, object_pairs_hook=_unique, parse_constant=_refuse_constant
        )
    except _RepeatedKeyError as error:
        return str(error)
    except (ValueError, RecursionError):
        return "a JSON object is not valid JSON" if _MEANT_AS_JSON.search(piece) else None
    return value


def schema_fault(value: Any, schema: dict[str, Any]) -> str | None:
    """Where a value breaks a JSON schema, in one line; None where it keeps it."""
    from jsonschema.exceptions import best_match

    error = best_match(_validator(json.dumps(schema, sort_keys=True)).iter_errors(value))
    if error is None:
        return None
    where = ".".join(str(part) for part in error.absolute_path)
    message = " ".join(error.message.split())[:200]
    return f"{where}: {message}" if where else message


@lru_cache(maxsize=64)
def _validator(schema: str) -> Any:
    from jsonschema import Draft202012Validator
    from referencing import Registry

    content = json.loads(schema)
    Draft202012Validator.check_schema(content)
    # An empty registry: a reference is never fetched from elsewhere.
    return Draft202012Validator(content, registry=Registry())
