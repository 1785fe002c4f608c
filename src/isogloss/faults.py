"""How a wrong key or value is said: in plain words, with what is known and what is nearest."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, get_args, get_origin

from pydantic import BaseModel

from isogloss.section import KEY_PATTERN, KEY_RULE

LONGEST_SHOWN = 40
LONGEST_GIVEN = 200
MOST_NAMED = 20
_KINDS = {
    "int": "an integer",
    "float": "a number",
    "bool": "true or false",
    "string": "a text",
    "list": "a list",
    "tuple": "a list",
    "dict": "a mapping of keys",
    "model": "a mapping of keys",
}
_BOUNDS = {
    "greater_than": ("above", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("below", "lt"),
    "less_than_equal": ("at most", "le"),
}


def nearest(given: str, known: Iterable[str]) -> str:
    """A question after the nearest known name, to stand behind a message; empty without one."""
    # Comparing takes the square of the length, and no name is so long.
    found = get_close_matches(given[:LONGEST_GIVEN], list(known), n=1)
    return f"; did you mean {found[0]}?" if found else ""


def known_names(given: str, known: Iterable[str]) -> str:
    """What stands behind "no such" thing: the nearest known name, and the first of all."""
    names = sorted(set(known))
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    guess = nearest(given, names)
    return f"{guess or ';'} there are: {', '.join(names[:MOST_NAMED]) or 'none'}{more}"


def fault_text(model: type[BaseModel], fault: Mapping[str, Any]) -> str:
    """What is wrong with one value, in one line.

    Args:
        model: What the whole was validated against.
        fault: One of pydantic's `ValidationError.errors()`.
    """
    type_, value, context = fault["type"], fault.get("input"), fault.get("ctx", {})
    if type_ == "missing":
        return "is missing"
    if type_ == "extra_forbidden":
        *above, last = fault["loc"]
        return f"unknown key{nearest(str(last), _keys_at(model, above))}"
    if type_ in _BOUNDS:
        words, name = _BOUNDS[type_]
        bound = context[name]
        whole = int(bound) if bound == int(bound) else bound
        return f"must be {words} {whole}, is {_shown(value)}"
    if type_ in ("literal_error", "enum"):
        names = context["expected"].replace(" or ", ", ").replace("'", "")
        return f"must be one of {names}, is {_shown(value)}"
    if type_ in ("too_short", "too_long"):
        few = type_ == "too_short"
        bound = context["min_length" if few else "max_length"]
        items = "item" if bound == 1 else "items"
        words = "at least" if few else "at most"
        return f"must hold {words} {bound} {items}, holds {context['actual_length']}"
    if type_ == "string_too_short":
        return "must not be empty" if value == "" else f"is shorter than {context['min_length']}"
    if type_ == "string_pattern_mismatch":
        # The text itself may be a secret in the wrong place, so it is not repeated.
        plain = context["pattern"] == KEY_PATTERN
        form = f"hold {KEY_RULE}" if plain else f"match {context['pattern']}"
        return f"must {form}"
    if type_ == "finite_number":
        return f"must be a finite number, is {_shown(value)}"
    kind = _KINDS.get(type_.split("_")[0])
    if kind is not None and type_.endswith(("_type", "_parsing", "_from_float")):
        return f"must be {kind}, is {_shown(value)}"
    return str(fault["msg"]).removeprefix("Value error, ")


def _shown(value: Any) -> str:
    """A value as YAML's reader would know it, short; of lists and mappings only what they are."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "a mapping of keys"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, int) and value.bit_length() > 128:
        return "a very large number"
    text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


def _keys_at(model: type[BaseModel], place: Sequence[int | str]) -> list[str]:
    """Keys of the section at a place; none where it cannot be told."""
    kinds: list[Any] = [model]
    for part in place:
        inner: list[Any] = []
        for kind in kinds:
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                field = kind.model_fields.get(str(part))
                inner += [] if field is None else _alternatives(field.annotation)
            elif get_origin(kind) in (dict, list, tuple):
                inner += _alternatives(get_args(kind)[1 if get_origin(kind) is dict else 0])
        kinds = inner
    sections = [one for one in kinds if isinstance(one, type) and issubclass(one, BaseModel)]
    return [name for section in sections for name in section.model_fields]


def _alternatives(annotation: Any) -> list[Any]:
    """A type itself, or each part of a union."""
    if isinstance(annotation, type) or get_origin(annotation) in (dict, list, tuple):
        return [annotation]
    return [one for part in get_args(annotation) for one in _alternatives(part)]
