"""Two releases in figures: what each route lost or won, and how many neighbours stayed."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.colors import TwoSlopeNorm
from matplotlib.patches import Rectangle

from isogloss.report.layout.figures import (
    DASHES,
    FAINT,
    SERIES,
    new_figure,
    save,
    share_axis,
    style,
)

# Two hues that meet in white, told apart with any kind of colour vision.
COLOURS = "PuOr"
FRAME = "#111111"
SMALLEST_SCALE = 0.1
DARK = 0.6
SMALLEST = 1e-12


def route_changes_figure(
    routes: Mapping[str, Mapping[str, Any]],
    lost: Sequence[str],
    title: str,
    notes: Sequence[str] = (),
) -> bytes:
    """Draw the change of recall@10 on each route.

    Args:
        routes: By ``query>document``: `n` and `delta`.
        lost: The routes that fail the gate.
        title: What is shown.
        notes: Sentences to put below.

    Returns:
        A PNG.
    """
    pairs = {name: tuple(name.split(">")) for name in routes}
    sources = sorted({source for source, _ in pairs.values()})
    targets = sorted({target for _, target in pairs.values()})
    grid = np.full((len(sources), len(targets)), np.nan)
    scale = max([SMALLEST_SCALE, *(abs(route["delta"]) for route in routes.values())])
    with style():
        figure = new_figure(0.8 * len(targets) + 2.8, 0.62 * len(sources) + 2.4)
        axes = figure.subplots()
        for name, (source, target) in pairs.items():
            row, column = sources.index(source), targets.index(target)
            delta, n = routes[name]["delta"], routes[name]["n"]
            grid[row, column] = delta
            ink = "white" if abs(delta) > DARK * scale else "#111111"
            text = f"{delta:+.2f}" if abs(delta) >= SMALLEST else "0"
            axes.text(column, row - 0.1, text, ha="center", va="center", color=ink)
            axes.text(column, row + 0.27, f"n={n}", ha="center", va="center", color=ink, fontsize=6)
            if name in lost:
                box = Rectangle((column - 0.46, row - 0.46), 0.92, 0.92, fill=False, linewidth=2)
                box.set_edgecolor(FRAME)
                axes.add_patch(box)
        image = axes.imshow(grid, cmap=COLOURS, norm=TwoSlopeNorm(0, -scale, scale), aspect="auto")
        axes.set_xticks(range(len(targets)), targets)
        axes.set_yticks(range(len(sources)), sources)
        axes.tick_params(length=0)
        axes.xaxis.set_label_position("top")
        axes.xaxis.tick_top()
        axes.set_xlabel("document language")
        axes.set_ylabel("query language")
        for spine in axes.spines.values():
            spine.set_visible(False)
        bar = figure.colorbar(image, ax=axes, fraction=0.05, pad=0.02)
        bar.set_label("change of recall@10", color=FAINT)
        bar.outline.set_visible(False)
        framed = "Framed: a significant loss; blank: no gold pairs; n: queries."
        return save(figure, title, [*notes, framed])


def neighbours_figure(
    overlaps: Mapping[str, npt.NDArray[np.float64]], title: str, notes: Sequence[str] = ()
) -> bytes:
    """Draw, for each measure of overlap, the share of queries that keep at least so much.

    Args:
        overlaps: By measure, float64 (n_queries,) from 0 to 1; NaN where not defined.
        title: What is shown.
        notes: Sentences to put below.

    Returns:
        A PNG.
    """
    with style():
        figure = new_figure(6.4, 3.8)
        axes = figure.subplots()
        for place, (name, values) in enumerate(overlaps.items()):
            kept = np.sort(values[~np.isnan(values)])
            if not len(kept):
                continue
            share = 1 - np.arange(len(kept)) / len(kept)
            label = name.replace("_at_", "@").replace("_", " ")
            axes.step(
                np.concatenate([[0], kept, [1]]),
                np.concatenate([[1], share, [share[-1] if kept[-1] >= 1 else 0]]),
                where="pre",
                color=SERIES[place],
                linestyle=DASHES[place],
                label=f"{label}, mean {kept.mean():.2f}",
            )
        axes.set_xlim(0, 1)
        axes.set_xlabel("overlap of the two releases' results, at least")
        share_axis(axes, "share of queries")
        axes.legend(loc="lower left")
        return save(figure, title, notes)
