"""Language preference of the top k: which languages stand there more often than in the pool."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from isogloss.report.layout.figures import FAINT, INK, new_figure, save, style

# Two hues that part at 1, told apart with any kind of colour vision.
COLOURS = "PuOr_r"
WIDEST = 3.0
"""Doublings to either side of 1 at which the colour is full."""


def preference_heatmap(
    rows: Sequence[Mapping[str, Any]], title: str, notes: Sequence[str] = ()
) -> bytes:
    """Draw a grid for each k: preference of each query language for each document language.

    Args:
        rows: Those of language_preference.csv.
        title: What is shown.
        notes: Sentences to put below.

    Returns:
        A PNG.
    """
    cuts = sorted({row["k"] for row in rows})
    sources = sorted({row["query_language"] for row in rows})
    targets = sorted({row["document_language"] for row in rows})
    with style():
        width = len(cuts) * (0.62 * len(targets) + 1.1) + 1.3
        figure = new_figure(max(width, 6.4), 0.55 * len(sources) + 2.3)
        panels = np.atleast_1d(figure.subplots(1, len(cuts), sharey=True))
        image: Any = None
        for axes, k in zip(panels, cuts, strict=True):
            image = _grid(axes, [row for row in rows if row["k"] == k], sources, targets)
            axes.set_title(f"top {k}")
        panels[0].set_ylabel("query language")
        ticks = [-WIDEST, 0, WIDEST]
        bar = figure.colorbar(image, ax=list(panels), fraction=0.04, pad=0.02, ticks=ticks)
        bar.ax.set_yticklabels([f"{2.0**-WIDEST:g}", "1", f"{2**WIDEST:g}"])
        bar.set_label("times the pool's share", color=FAINT)
        bar.outline.set_visible(False)
        told = "Framed: the query's own language; 1: as often as in the pool; in brackets: 95%"
        told += " intervals, where they are estimable."
        whole = [f"Top {k}: {why}." for k in cuts if (why := _pool_note(rows, k))]
        return save(figure, title, [*notes, told, *whole])


def _pool_note(rows: Sequence[Mapping[str, Any]], k: int) -> str:
    """What the whole pool within the top k makes of its preferences."""
    found = {row["note"].split(";")[0] for row in rows if row["k"] == k}
    return next((note for note in sorted(found) if note.startswith("a pool of")), "")


def _grid(
    axes: Axes, rows: Sequence[Mapping[str, Any]], sources: list[str], targets: list[str]
) -> Any:
    grid = np.full((len(sources), len(targets)), np.nan)
    for row in rows:
        at, value = sources.index(row["query_language"]), row["preference"]
        column = targets.index(row["document_language"])
        if sources[at] == targets[column]:
            box = Rectangle((column - 0.47, at - 0.47), 0.94, 0.94, fill=False, linewidth=1.8)
            box.set_edgecolor(INK)
            axes.add_patch(box)
        if value is None:
            continue
        # Zero has no logarithm; it is drawn as the darkest shade and written as it is.
        grid[at, column] = np.clip(np.log2(max(value, 2.0**-9)), -WIDEST, WIDEST)
        ink = "white" if abs(grid[at, column]) > 0.7 * WIDEST else "#111111"
        axes.text(column, at - 0.12, f"{value:.2f}", ha="center", va="center", color=ink)
        if row["low"] is not None:
            bounds = f"[{row['low']:.2f}, {row['high']:.2f}]"
            axes.text(column, at + 0.25, bounds, ha="center", va="center", color=ink, fontsize=4.6)
    image = axes.imshow(grid, cmap=COLOURS, vmin=-WIDEST, vmax=WIDEST, aspect="auto")
    axes.set_xticks(range(len(targets)), targets)
    axes.set_yticks(range(len(sources)), sources)
    axes.tick_params(length=0)
    axes.set_xlabel("document language")
    for spine in axes.spines.values():
        spine.set_visible(False)
    return image
