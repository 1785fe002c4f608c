"""Recall by query language: its own language beside every other."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from isogloss.report.layout.figures import (
    CROSS,
    FAINT,
    SAME,
    legend_above,
    name_columns,
    new_figure,
    save,
    share_axis,
    style,
)

Bounds = tuple[float, float] | None
BAR = 0.38


@dataclass(frozen=True)
class SideRecall:
    """One bar.

    Attributes:
        value: The mean recall.
        interval: Its 95% interval; None where it is not estimable.
        n: Number of queries.
    """

    value: float
    interval: Bounds
    n: int


@dataclass(frozen=True)
class LanguageRecall:
    """Both bars of one query language; a side without queries is None."""

    language: str
    same: SideRecall | None
    cross: SideRecall | None


def language_bars(rows: Sequence[LanguageRecall], title: str, notes: Sequence[str] = ()) -> bytes:
    """Draw recall@10 of each query language, same against cross, with intervals.

    Args:
        rows: One a query language, in the order to be drawn.
        title: What is shown.
        notes: Sentences to put below.

    Returns:
        A PNG.
    """
    with style():
        figure = new_figure(max(5.2, 1.0 * len(rows) + 2.2), 3.9)
        axes = figure.subplots()
        for place, row in enumerate(rows):
            _bar(axes, place - BAR / 2 - 0.01, row.same, SAME)
            _bar(axes, place + BAR / 2 + 0.01, row.cross, CROSS)
        name_columns(axes, [_label(row) for row in rows])
        axes.set_xlabel("query language (n = queries with same / cross gold)")
        share_axis(axes, "recall@10")
        axes.set_ylim(0, 1.07)  # Room for the number above a full bar.
        same = axes.bar([0], [0], color=SAME, label="gold in the query's language")
        cross = axes.bar([0], [0], color=CROSS, label="gold in other languages")
        legend_above(axes, 2, handles=[same, cross])
        return save(figure, title, [*notes, "Bars: means; lines: 95% intervals."])


def _bar(axes: Axes, x: float, side: SideRecall | None, colour: str) -> None:
    if side is None:
        axes.text(x, 0.012, "—", ha="center", color=FAINT)
        return
    axes.bar([x], [side.value], width=BAR, color=colour)
    top = side.value
    if side.interval is not None:
        low, high = side.interval
        axes.plot([x, x], [low, high], color="#222222", linewidth=1.1, solid_capstyle="butt")
        top = max(high, top)
    axes.text(x, top + 0.012, f"{side.value:.2f}", ha="center", fontsize=7.5)


def _label(row: LanguageRecall) -> str:
    counts = " / ".join(str(side.n) if side else "0" for side in (row.same, row.cross))
    return f"{row.language}\n{counts}"
