"""Models on one benchmark: what the change of language costs each of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from isogloss.report.evaluation.language_bars import SideRecall
from isogloss.report.layout.figures import (
    CROSS,
    FAINT,
    SAME,
    legend_above,
    new_figure,
    save,
    share_axis,
    style,
)


@dataclass(frozen=True)
class ModelRecall:
    """Both sides of one model; a side without queries is None."""

    model: str
    same: SideRecall | None
    cross: SideRecall | None
    gated: bool = False


def model_gaps(rows: Sequence[ModelRecall], title: str, notes: Sequence[str] = ()) -> bytes:
    """Draw recall@10 within and across languages of every model, joined by its gap.

    Args:
        rows: One a model, best first.
        title: What is shown.
        notes: Sentences to put below.

    Returns:
        A PNG.
    """
    with style():
        figure = new_figure(7.4, 0.42 * len(rows) + 1.9)
        axes = figure.subplots()
        for place, row in enumerate(rows):
            if row.same and row.cross:
                ends = [row.cross.value, row.same.value]
                axes.plot(ends, [place, place], color="#CFCFCF", linewidth=5, solid_capstyle="butt")
            _point(axes, place - 0.13, row.same, SAME, "o")
            _point(axes, place + 0.13, row.cross, CROSS, "s")
        names = [row.model + (" (gate failed)" if row.gated else "") for row in rows]
        axes.set_yticks(range(len(rows)), names)
        axes.set_ylim(len(rows) - 0.5, -0.6)
        axes.tick_params(axis="y", length=0)
        share_axis(axes, "recall@10, language-balanced, with 95% intervals", horizontal=True)
        (same,) = axes.plot([], [], "o", color=SAME, label=f"same language{_n(rows, 'same')}")
        (cross,) = axes.plot([], [], "s", color=CROSS, label=f"other language{_n(rows, 'cross')}")
        legend_above(axes, 2, handles=[same, cross])
        return save(figure, title, notes)


def _point(axes: Axes, y: float, side: SideRecall | None, colour: str, marker: str) -> None:
    if side is None:
        axes.text(0.01, y, "—", color=FAINT, va="center")
        return
    if side.interval is not None:
        axes.plot(list(side.interval), [y, y], color=colour, linewidth=1.3)
    # Whole at 0 and at 1, too.
    axes.plot([side.value], [y], marker, color=colour, markersize=6, clip_on=False, zorder=3)


def _n(rows: Sequence[ModelRecall], side: str) -> str:
    counts = {found.n for row in rows if (found := getattr(row, side)) is not None}
    return f" (n={counts.pop()})" if len(counts) == 1 else ""
