"""Scores of every model: means over all, higher- and lower-resource languages, and the gap."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes

from isogloss.medical.panel import FLOOR_GROUP, HIGHER, LOWER
from isogloss.report.layout.figures import (
    CROSS,
    FAINT,
    INK,
    SAME,
    legend_above,
    new_figure,
    save,
    style,
)
from isogloss.report.medical.medical_style import (
    GROUP_NAMES,
    INTERVALS,
    SHADE,
    Scale,
    beside,
    by_group,
    floors_note,
    label,
    mark,
    over_datasets,
    reason,
)

PARTS = (
    ("higher", "higher-resource", SAME, "^", -0.2),
    ("mean", "all languages", INK, "D", 0.0),
    ("lower", "lower-resource", CROSS, "s", 0.2),
)
# Points at the right of the axes where the gap and n stand.
COLUMNS = (9, 122)
EMPTY = "#8A8A8A"


def model_scores(
    section: Mapping[str, Any],
    groups: Mapping[str, str],
    scale: Scale,
    title: str,
    notes: Sequence[str] = (),
) -> bytes:
    """Draw the means of each model and its resource gap.

    Args:
        section: ``accuracy`` or ``qa`` of an arm of scores.json.
        groups: Group by model.
        scale: How the score is printed.
        title: What is shown.
        notes: Sentences to put below.

    Returns:
        A PNG.
    """
    blocks = by_group(section, groups)
    rows = sum(len(models) + 1 for _, models in blocks)
    with style():
        figure = new_figure(9.2, 0.34 * rows + 1.9)
        axes = figure.subplots()
        ticks: list[tuple[float, str]] = []
        place = 0
        for group, models in blocks:
            axes.text(
                *(0.0, place + 0.1, GROUP_NAMES[group]),
                transform=axes.get_yaxis_transform(), fontsize=8, fontweight="bold", color=FAINT,
                va="center",
            )  # fmt: skip
            for model in models:
                place += 1
                ticks.append((place, label(model)))
                _row(axes, place, section, model, scale, floor=group == FLOOR_GROUP)
            place += 1
        axes.set_yticks([at for at, _ in ticks], [name for _, name in ticks])
        axes.set_ylim(place - 0.3, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.set_xlim(scale.low, scale.high)
        axes.set_xlabel(f"{scale.label}, macro mean over datasets")
        axes.grid(axis="x")
        for points, heading in zip(COLUMNS, ("gap [95%]", "n"), strict=True):
            beside(axes, -0.75, points, heading, fontweight="bold", color=FAINT)
        handles = [
            axes.plot([], [], sign, color=colour, label=name, markersize=5)[0]
            for _, name, colour, sign, _ in PARTS
        ]
        legend_above(axes, 3, handles=handles)
        said = [
            *notes,
            over_datasets(section),
            f"Gap: mean of {', '.join(HIGHER)} minus mean of {', '.join(LOWER)}. n: scored"
            f" replies in all languages. {INTERVALS}",
            floors_note(section, groups),
        ]
        return save(figure, title, said)


def _row(
    axes: Axes, place: int, section: Mapping[str, Any], model: str, scale: Scale, *, floor: bool
) -> None:
    if floor:
        axes.axhspan(place - 0.5, place + 0.5, color=SHADE, zorder=0)
    ends = [section[name][model]["value"] for name in ("lower", "higher")]
    if None not in ends:
        axes.plot(
            [end * scale.factor for end in ends], [place, place], color="#D5D5D5", linewidth=5,
            solid_capstyle="butt", zorder=1,
        )  # fmt: skip
    for name, _, colour, sign, off in PARTS:
        mark(
            axes, 0, place + off, section[name][model], scale, upright=False, color=colour,
            marker=sign, markersize=5, markerfacecolor="white" if floor else colour,
        )  # fmt: skip
    found = section["mean"][model]
    if all(section[name][model]["value"] is None for name, *_ in PARTS):
        axes.text(
            *(0.01, place, f"not defined: {reason(found)}"), color=EMPTY, va="center",
            fontsize=7, transform=axes.get_yaxis_transform(),
        )  # fmt: skip
    words = scale.ranged(section["gap"][model], "+"), f"{found['n']:,}"
    for points, text in zip(COLUMNS, words, strict=True):
        beside(axes, place, points, text)
