"""What a re-ranker reaches: its first stage, itself and its ceiling, figure by figure."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from isogloss.report.evaluation.reranking_text import LABELS, says_nothing
from isogloss.report.layout.figures import (
    CROSS,
    FAINT,
    INK,
    SAME,
    legend_above,
    name_columns,
    new_figure,
    save,
    style,
)
from isogloss.report.layout.shown import GATED

BAR = 0.27
CEILING = 2.0
SERIES = (("first", "first stage", FAINT), ("reranked", "re-ranked", SAME))


def reranking_bars(
    rows: Sequence[Mapping[str, Any]],
    title: str,
    notes: Sequence[str] = (),
) -> bytes:
    """Draw each figure before and after re-ranking under its ceiling.

    Args:
        rows: Those of reranking.csv.
        title: What is shown.
        notes: Sentences to put below.

    Returns:
        A PNG.
    """
    # A first stage that finds little has a low ceiling: the axis ends a little above it.
    highest = max((row["ceiling"] or 0.0 for row in rows), default=0.0)
    top = min(1.0, highest) * 1.15 or 1.0
    with style():
        figure = new_figure(6.4, 3.7)
        axes = figure.subplots()
        for place, row in enumerate(rows):
            for offset, (name, _, colour) in enumerate(SERIES):
                value, x = row[name], place + (offset - 0.5) * (BAR + 0.03)
                silent = says_nothing(row, name)
                if value is None or silent:
                    word = GATED if silent else "—"
                    axes.text(x, 0.012 * top, word, ha="center", color=FAINT, fontsize=8)
                    continue
                axes.bar([x], [value], width=BAR, color=colour)
                # Inside its bar, where the line of the ceiling cannot cross it; a low one above.
                low = value < 0.12 * top
                axes.text(
                    x,
                    value + (0.012 if low else -0.045) * top,
                    f"{value:.3f}",
                    ha="center",
                    fontsize=7.5,
                    color=INK if low else "white",
                )
            if row["ceiling"] is not None and not says_nothing(row, "ceiling"):
                axes.plot(
                    [place - 0.36, place + 0.36],
                    [row["ceiling"]] * 2,
                    color=CROSS,
                    linewidth=CEILING,
                )
                silent = row["share"] is None or says_nothing(row, "share")
                reached = "—" if silent else f"{row['share']:.0%} reached"
                axes.text(
                    place,
                    row["ceiling"] + 0.055 * top,
                    reached,
                    ha="center",
                    color=CROSS,
                    fontsize=8,
                )
        name_columns(axes, [LABELS[row["figure"]] for row in rows])
        axes.set_ylim(0, top)
        axes.set_ylabel("share")
        axes.grid(axis="y")
        label = "ceiling: the best order of the same documents"
        ceiling = Line2D([], [], color=CROSS, linewidth=CEILING, label=label)
        bars = [Patch(color=colour, label=label) for _, label, colour in SERIES]
        legend_above(axes, 3, handles=[ceiling, *bars])
        return save(figure, title, notes)
