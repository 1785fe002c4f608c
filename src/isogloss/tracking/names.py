"""Metric names and values as MLflow takes them: one to one, all of them or none."""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from isogloss.errors import TrackingError

LONGEST_NAME = 250
_WORDS = (("@", "_at_"), ("→", "-"), ("->", "-"), (">", "-"))
_FOREIGN = re.compile(r"[^A-Za-z0-9_. -]")


def metric_name(name: str) -> str:
    """Spell one name with letters, digits, ``_ . -``, blanks and single inner slashes only.

    ``recall@10`` becomes ``recall_at_10`` and ``zh→en`` becomes ``zh-en``; every other foreign
    character is spelled by its code point, so no two characters fall together.

    Raises:
        TrackingError: Nothing of the name is left, or it is too long.
    """
    spelled = name
    for sign, word in _WORDS:
        spelled = spelled.replace(sign, word)
    parts = [_part(part) for part in spelled.split("/") if part]
    spelled = "/".join(parts)
    if not spelled:
        raise TrackingError(f"metric {name!r}: nothing is left to name it by")
    if len(spelled) > LONGEST_NAME:
        raise TrackingError(
            f"metric {name!r}: its name has {len(spelled)} characters, {LONGEST_NAME} are allowed"
        )
    return spelled


def _part(part: str) -> str:
    spelled = _FOREIGN.sub(lambda sign: f"u{ord(sign.group()):04x}", part)
    # A part of dots only is a path that leads elsewhere.
    return spelled.replace(".", "u002e") if not spelled.strip(".") else spelled


def metric_names(names: Iterable[str]) -> dict[str, str]:
    """Map names one to one onto names that MLflow takes.

    Raises:
        TrackingError: Two names fall together; both are named.
    """
    spelled: dict[str, str] = {}
    owners: dict[str, str] = {}
    for name in names:
        spelled[name] = metric_name(name)
        owner = owners.setdefault(spelled[name], name)
        if owner != name:
            raise TrackingError(
                f"metrics {owner!r} and {name!r} would share the name {spelled[name]!r}; rename one"
            )
    return spelled


def flatten(metrics: Mapping[str, Any]) -> dict[str, float]:
    """Flatten the content of metrics.json; what is undefined becomes a mark, never a number.

    Args:
        metrics: Numbers, nulls, two-sided intervals ``[low, high]`` and nested objects by key, and
            under ``notes`` the reason of each null. Text and truth values are no metrics.

    Returns:
        Finite numbers by name. A null whose reason begins with "censored" gives
        ``<key>_censored = 1``, any other null ``<key>_undefined = 1``. A null ``reason`` gives no
        mark, nor does the interval of a figure that is undefined itself.

    Raises:
        TrackingError: A number is NaN or infinite.
    """
    given = metrics.get("notes")
    notes = given if isinstance(given, Mapping) else {}
    return _flat({key: metrics[key] for key in metrics if key != "notes"}, "", notes)


def _flat(metrics: Mapping[str, Any], prefix: str, notes: Mapping[str, Any]) -> dict[str, float]:
    flat: dict[str, float] = {}
    for key, value in metrics.items():
        name = f"{prefix}{key}"
        if value is None and _is_no_figure(key, metrics):
            continue
        if value is None:
            censored = str(notes.get(name, "")).startswith("censored")
            flat[f"{name}_{'censored' if censored else 'undefined'}"] = 1.0
        elif isinstance(value, Mapping):
            flat.update(_flat(value, f"{name}/", notes))
        elif _is_interval(value):
            flat.update(_flat({"low": value[0], "high": value[1]}, f"{name}/", notes))
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            if not math.isfinite(value):
                raise TrackingError(f"metric {name}: {value} is no finite number; log null instead")
            flat[name] = float(value)
    return flat


def _is_no_figure(key: str, metrics: Mapping[str, Any]) -> bool:
    if key == "reason":
        return True
    if key == "ci":
        return metrics.get("delta") is None
    figure = key.removeprefix("ci/")
    return figure != key and metrics.get(figure) is None


def _is_interval(value: object) -> bool:
    return (
        isinstance(value, (list, tuple))
        and len(value) == 2
        and all(isinstance(end, (int, float)) and not isinstance(end, bool) for end in value)
    )


def metric_values(metrics: Mapping[str, Any]) -> dict[str, float]:
    """The metrics of a run under the names MLflow takes.

    Raises:
        TrackingError: Two names fall together, or a number is not finite.
    """
    flat = flatten(metrics)
    names = metric_names(flat)
    return {names[name]: value for name, value in flat.items()}
