"""How one figure of metrics.json is printed: gated, censored, undefined or as a number."""

from collections.abc import Mapping
from typing import Any

GATED_PREFIXES = ("xrc_", "rrc_at_", "knee", "ari_at_")

GATED = "gated"
CENSORED = ">1000"
UNDEFINED = "-"
# The figure that the degeneracy gate is about.
GATE_KEY = "recall_at_10/cross"
MOST_DIGITS = 17
STANDARD_ERROR = "k80: ± one bootstrap standard error"


def is_gated(metrics: Mapping[str, Any], key: str) -> bool:
    """Whether a figure says nothing, because the degeneracy gate failed."""
    return metrics.get("gate") == "failed" and key.startswith(GATED_PREFIXES)


def shown(metrics: Mapping[str, Any], key: str, digits: int = 3) -> str:
    """A figure as tables print it.

    Args:
        metrics: The content of metrics.json.
        key: One of its flat keys.
        digits: Decimals of a share; whole numbers have none.

    Returns:
        "gated" for XRC, RRC, knee and ARI where the degeneracy gate failed, ">1000" for a censored
        depth, "-" for what is undefined, else the number.
    """
    if is_gated(metrics, key):
        return GATED
    value = metrics.get(key)
    if value is None:
        why = str(metrics.get("notes", {}).get(key, ""))
        return CENSORED if key.startswith("k80/") and why.startswith("censored") else UNDEFINED
    return f"{value:.{digits}f}" if isinstance(value, float) else str(value)


def beside_gate(value: float, digits: int, gate: float | None) -> str:
    """A share with as many more decimals as it takes not to contradict the gate's verdict.

    0.095 stands as 0.10 among other shares, but not where it failed a gate of 0.10.
    """
    text = f"{value:.{digits}f}"
    while gate is not None and digits < MOST_DIGITS and (float(text) < gate) != (value < gate):
        digits += 1
        text = f"{value:.{digits}f}"
    return text


def shown_interval(
    metrics: Mapping[str, Any], key: str, digits: int = 3, gate: float | None = None
) -> str:
    """A figure with its interval, where there is one.

    Args:
        metrics: The content of metrics.json.
        key: One of its flat keys.
        digits: Decimals of a share.
        gate: What the figure that the gate is about must reach, where that is known.
    """
    text = shown(metrics, key, digits)
    if key == GATE_KEY and isinstance(metrics.get(key), float):
        text = beside_gate(metrics[key], digits, gate)
    bounds = metrics.get(f"ci/{key}")
    if bounds is None or text in (GATED, UNDEFINED):
        return text
    return f"{text} [{bounds[0]:.{digits}f}, {bounds[1]:.{digits}f}]"


def shown_depth(metrics: Mapping[str, Any], name: str) -> str:
    """A k80 with its standard error, where there is one."""
    text = shown(metrics, f"k80/{name}")
    error = metrics.get(f"k80/{name}_se")
    return text if error is None else f"{text} ± {error:.0f}"
