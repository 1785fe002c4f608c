"""Figures of metrics.json as cells."""

from collections.abc import Mapping
from typing import Any

from isogloss.report.comparison.leaderboard import gap_text
from isogloss.report.layout.shown import (
    CENSORED,
    GATED,
    UNDEFINED,
    shown,
    shown_depth,
    shown_interval,
)
from isogloss.report.page.table import Cell

Metrics = Mapping[str, Any]
# Kinds of cells that hold words instead of a number.
WORDS = {GATED: "gated", CENSORED: "censored", UNDEFINED: "undefined"}


def figure(metrics: Metrics, key: str, digits: int = 2) -> Cell:
    """A figure without interval."""
    text = shown(metrics, key, digits)
    return Cell(text, _number(metrics, key, text), kind=WORDS.get(text, ""))


def interval(metrics: Metrics, key: str, digits: int = 2, gate: float | None = None) -> Cell:
    """A figure with its interval, the interval on a line below."""
    text, whole = shown(metrics, key, digits), shown_interval(metrics, key, digits, gate)
    bounds = metrics.get(f"ci/{key}")
    if text in WORDS:
        return Cell(text, _number(metrics, key, text), kind=WORDS[text])
    if bounds is None:
        return Cell(whole, _number(metrics, key, text))
    return Cell(whole, metrics[key], bounds[0], bounds[1])


def depth(metrics: Metrics, name: str) -> Cell:
    """A k80 with its standard error; CSV holds the figure alone."""
    text, plain = shown_depth(metrics, name), shown(metrics, f"k80/{name}")
    value = metrics.get(f"k80/{name}")
    return Cell(text, plain if value is None else value, kind=WORDS.get(plain, ""))


def gap(metrics: Metrics) -> Cell:
    """The gap with interval and p."""
    found = metrics.get("gap") or {}
    low, high = found.get("ci") or (None, None)
    text = gap_text(metrics)
    return Cell(text, found.get("delta"), low, high, kind=WORDS.get(text, ""))


def sides(metrics: Metrics) -> Cell:
    """Recall@10 of both sides with their intervals, to be drawn."""
    marks: dict[str, float] = {}
    for side in ("same", "cross"):
        value = metrics.get(f"recall_at_10/{side}")
        if value is not None:
            marks[side] = value
            bounds = metrics.get(f"ci/recall_at_10/{side}")
            if bounds is not None:
                marks[f"{side}_low"], marks[f"{side}_high"] = bounds
    return Cell("", marks=marks)


def _number(metrics: Metrics, key: str, text: str) -> float | int | str | None:
    return None if text == UNDEFINED else text if text in WORDS else metrics.get(key)
