"""One figure as scores.json holds it: value, interval, n, and a reason for what is missing."""

from typing import Any

from isogloss.medical.resampling import Estimate

DECIMALS = 12


def figure(estimate: Estimate, n: int, **more: Any) -> dict[str, Any]:
    """Write an estimate.

    Args:
        estimate: Value and interval.
        n: What it rests on: scored replies, or items where the text says so.
        more: Further keys.

    Returns:
        ``value``, ``ci`` ([low, high] or None), ``n``, the further keys, and ``reason`` where the
        value or its interval is missing.
    """
    value = None if estimate.value is None else round(estimate.value, DECIMALS)
    found = {"value": value, "ci": estimate.interval.bounds, "n": int(n), **more}
    if estimate.interval.reason is not None:
        found["reason"] = estimate.interval.reason
    return found


def rounded(numbers: dict[str, Any]) -> dict[str, Any]:
    """The floats of a flat mapping rounded as figures are."""
    return {
        key: round(value, DECIMALS) if isinstance(value, float) else value
        for key, value in numbers.items()
    }
