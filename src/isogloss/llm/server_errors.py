"""What a server's error means for the request and for the run."""

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from enum import Enum
from typing import Any

FILTERS = {"content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation"}
QUOTAS = {
    "insufficient_quota",
    "billing_hard_limit_reached",
    "billing_not_active",
    "insufficient_balance",
    "exceeded_current_quota_error",
}
FORMAT_WORDS = ("response_format", "json_schema", "structured output")
TRANSIENT = {408, 409, 425, 429}


class Meaning(Enum):
    """What to do about an error."""

    RETRY = "the fault may pass"
    FILTERED = "the content filter took the request"
    NO_SCHEMA = "the server knows no structured output"
    STOP = "every further request would fail alike"
    FAILED = "this request cannot be served"


def meaning_of(status: int, body: Any) -> Meaning:
    """Classify an HTTP error by its status and decoded body (None where it is no JSON).

    A filter and an empty account come with statuses that otherwise call for a retry or for giving
    up on one request, so the codes of the body are looked at first.
    """
    codes = _codes(body)
    if codes & FILTERS:
        return Meaning.FILTERED
    if codes & QUOTAS or status in {401, 402, 403, 404}:
        return Meaning.STOP
    if status in {400, 422} and any(word in message_of(body).lower() for word in FORMAT_WORDS):
        return Meaning.NO_SCHEMA
    if status in TRANSIENT or status >= 500:
        return Meaning.RETRY
    return Meaning.FAILED


def _error(body: Any) -> Mapping[str, Any]:
    error = body.get("error", body) if isinstance(body, dict) else {}
    return error if isinstance(error, dict) else {"message": str(error)}


def _codes(body: Any) -> set[str]:
    error = _error(body)
    inner = error.get("innererror")
    values = [error.get("code"), error.get("type")]
    values.append(inner.get("code") if isinstance(inner, dict) else None)
    return {value for value in values if isinstance(value, str)}


def message_of(body: Any) -> str:
    """The server's own words, with the parameter it names; empty where it gave none."""
    error = _error(body)
    return " ".join(str(error[name]) for name in ("message", "param") if error.get(name))


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that the server asks to wait, or None.

    Args:
        headers: With lower-case names or any mapping that ignores case.
        now: Seconds since 1970, for the form that gives a date.
    """
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) * scale
        except ValueError:
            continue
        return seconds if 0 <= seconds < float("inf") else None
    try:
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - now)
    except (ValueError, OverflowError):
        return None
