"""Machine-translated items against reviewed ones, cell by cell, adjusted by the English control."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.patches import Rectangle

from isogloss.medical.panel import ENGLISH, dataset_name, in_panel_order
from isogloss.report.layout.figures import new_figure, save, style
from isogloss.report.medical.medical_style import Scale, in_order, label, words_only

# Told apart with any kind of colour vision; white is no change.
COLOURS = "PuOr_r"
FRAME = "#111111"
ALPHA = 0.05
DARK = 0.62
GAP = 0.35


def arm_heatmap(
    section: Mapping[str, Any], scale: Scale, title: str, notes: Sequence[str] = ()
) -> bytes:
    """Draw reviewed - machine-translated by language and dataset, with Holm-marked cells framed.

    Args:
        section: ``accuracy`` or ``qa`` of ``mt_against_reviewed``; or only its reason.
        scale: How the score is printed.
        title: What is shown.
        notes: Sentences to put below.

    Returns:
        A PNG; a sentence instead of the grid where there is nothing to compare.
    """
    with style():
        if "cells" not in section:
            return words_only(title, section["reason"], notes)
        languages = [code for code in in_order(section["cells"]) if code != ENGLISH]
        datasets = in_panel_order(section["cells"][ENGLISH])
        figure = new_figure(
            max(1.12 * (len(datasets) + 1) + 2.0, 7.2), 0.56 * (len(languages) + 1) + 2.3
        )
        axes = figure.subplots()
        values = [
            abs(cell["value"]) for cells in section["cells"].values() for cell in cells.values()
        ]
        most = max(*(value * scale.factor for value in values), scale.least)
        # English stands apart below the translated languages: it is the control.
        rows: list[tuple[float, str]] = [(place, code) for place, code in enumerate(languages)]
        rows.append((len(languages) + GAP, ENGLISH))
        colours = _colours(most)
        for y, code in rows:
            for x, dataset in enumerate(datasets):
                cell = section["cells"][code][dataset]
                value = cell["value"] * scale.factor
                box = Rectangle((x - 0.48, y - 0.47), 0.96, 0.94, facecolor=colours(value))
                axes.add_patch(box)
                marked = cell["p_holm"] is not None and cell["p_holm"] < ALPHA
                if marked:
                    box.set(edgecolor=FRAME, linewidth=2.0)
                ink = "white" if abs(value) > DARK * most else "#111111"
                words = scale.text(cell["value"], "+") + ("*" if marked else "")
                axes.text(x, y - 0.14, words, ha="center", va="center", color=ink, fontsize=9)
                axes.text(
                    *(x, y + 0.16, _small(cell, scale)), ha="center", va="center", color=ink,
                    fontsize=5.8,
                )  # fmt: skip
            overall = section["english_overall"] if code == ENGLISH else section["overall"][code]
            axes.text(
                *(len(datasets) + 0.1, y, scale.ranged(overall, "+" if code == ENGLISH else "")),
                ha="center", va="center", fontsize=7.5,
            )  # fmt: skip
        axes.set_xlim(-0.55, len(datasets) + 0.75)
        axes.set_ylim(len(languages) + GAP + 0.55, -0.55)
        names = [dataset_name(dataset) for dataset in datasets]
        axes.set_xticks([*range(len(datasets)), len(datasets) + 0.1], [*names, "overall"])
        axes.set_yticks([y for y, _ in rows], [*languages, "en (control)"])
        axes.tick_params(length=0)
        axes.xaxis.tick_top()
        for spine in axes.spines.values():
            spine.set_visible(False)
        said = [
            *notes,
            f"Reviewed minus machine-translated ({scale.change}), {_models(section)},"
            " minus the same in English, which is the same text in both; the row en is unadjusted."
            " Overall: mean of absolute changes over models and datasets, for en the signed mean.",
            "In a cell: 95% interval and n items. Framed and starred: Holm-corrected p < 0.05 over"
            " all cells (sign flips of items). Overall intervals are percentiles of a mean of"
            " absolute values, which resampling inflates.",
        ]
        return save(figure, title, said)


def _small(cell: Mapping[str, Any], scale: Scale) -> str:
    bounds = cell["ci"]
    words = "no interval"
    if bounds is not None:
        words = f"[{scale.text(bounds[0], '+')}, {scale.text(bounds[1], '+')}]"
    return f"{words}\nn={cell['n']}"


def _models(section: Mapping[str, Any]) -> str:
    first, *others = section["models"]
    return f"mean over {len(others) + 1} models" if others else f"{label(first)} alone"


def _colours(most: float) -> Any:
    from matplotlib import colormaps
    from matplotlib.colors import Normalize

    scheme, norm = colormaps[COLOURS], Normalize(-most, most)
    return lambda value: tuple(np.round(scheme(float(norm(value))), 6))
