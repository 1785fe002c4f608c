"""The route grid: from every query language to every document language."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.patches import Rectangle

from isogloss.report.layout.figures import FAINT, new_figure, save, style

# A single hue from light to dark reads in print and with any colour vision.
COLOURS = "YlGnBu"
DARK = 0.55
FRAME = "#D55E00"


def route_heatmap(
    routes: Mapping[str, Sequence[Any]], title: str, notes: Sequence[str] = ()
) -> bytes:
    """Draw recall@10 of each route with its number of gold pairs.

    Args:
        routes: Columns query_language, document_language, n and recall_at_10; a route without
            gold pairs has no row and stays blank.
        title: What is shown.
        notes: Sentences to put below.

    Returns:
        A PNG.
    """
    sources = sorted(set(routes["query_language"]))
    targets = sorted(set(routes["document_language"]))
    grid = np.full((len(sources), len(targets)), np.nan)
    with style():
        figure = new_figure(0.72 * len(targets) + 2.6, 0.6 * len(sources) + 2.2)
        axes = figure.subplots()
        for source, target, n, recall in zip(
            routes["query_language"],
            routes["document_language"],
            routes["n"],
            routes["recall_at_10"],
            strict=True,
        ):
            row, column = sources.index(source), targets.index(target)
            grid[row, column] = recall
            ink = "white" if recall > DARK else "#111111"
            axes.text(column, row - 0.1, f"{recall:.2f}", ha="center", va="center", color=ink)
            axes.text(column, row + 0.27, f"n={n}", ha="center", va="center", color=ink, fontsize=6)
            if source == target:
                box = Rectangle((column - 0.47, row - 0.47), 0.94, 0.94, fill=False, linewidth=1.8)
                box.set_edgecolor(FRAME)
                axes.add_patch(box)
        image = axes.imshow(grid, cmap=COLOURS, vmin=0, vmax=1, aspect="auto")
        axes.set_xticks(range(len(targets)), targets)
        axes.set_yticks(range(len(sources)), sources)
        axes.tick_params(length=0)
        axes.xaxis.set_label_position("top")
        axes.xaxis.tick_top()
        axes.set_xlabel("document language")
        axes.set_ylabel("query language")
        axes.set_xticks(np.arange(len(targets) - 1) + 0.5, minor=True)
        axes.set_yticks(np.arange(len(sources) - 1) + 0.5, minor=True)
        axes.grid(which="minor", color="white", linewidth=1.5)
        axes.tick_params(which="minor", length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)
        bar = figure.colorbar(image, ax=axes, fraction=0.05, pad=0.02, ticks=[0, 0.5, 1])
        bar.set_label("recall@10", color=FAINT)
        bar.outline.set_visible(False)
        framed = "Framed: the query's own language; blank: no gold pairs; n: gold pairs."
        return save(figure, title, [*notes, framed])
