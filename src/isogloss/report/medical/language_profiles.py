"""Profiles over languages: each model's score in each language, one panel a group."""

from collections.abc import Mapping, Sequence
from typing import Any

from isogloss.medical.panel import FLOOR_GROUP
from isogloss.report.layout.figures import (
    DASHES,
    FAINT,
    SERIES,
    name_columns,
    new_figure,
    save,
    style,
)
from isogloss.report.medical.medical_style import (
    GROUP_NAMES,
    INTERVALS,
    Scale,
    by_group,
    floors_note,
    label,
    mark,
    over_datasets,
    span,
)

MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
SPREAD = 0.5


def language_profiles(
    section: Mapping[str, Any],
    groups: Mapping[str, str],
    languages: Sequence[str],
    scale: Scale,
    title: str,
    notes: Sequence[str] = (),
) -> bytes:
    """Draw each model's macro mean by language, with the floors as dotted lines in every panel.

    Args:
        section: ``accuracy`` or ``qa`` of an arm of scores.json.
        groups: Group by model.
        languages: Codes, in the order to be drawn.
        scale: How the score is printed.
        title: What is shown.
        notes: Sentences to put below.

    Returns:
        A PNG.
    """
    blocks = by_group(section, groups)
    floors = next((models for group, models in blocks if group == FLOOR_GROUP), [])
    panels = [block for block in blocks if block[0] != FLOOR_GROUP] or [(FLOOR_GROUP, [])]
    tall = [max(2.2, 0.24 * (len(models) + len(floors)) + 1.1) for _, models in panels]
    with style():
        figure = new_figure(9.2, sum(tall) + 1.2)
        grid = figure.subplots(
            len(panels), 1, sharex=True, squeeze=False, gridspec_kw={"height_ratios": tall}
        )
        for axes, (group, models) in zip(grid[:, 0], panels, strict=True):
            counts: list[int] = []
            for index, model in enumerate([*models, *floors]):
                floor = model in floors
                colour = FAINT if floor else SERIES[index % len(SERIES)]
                sign = MARKS[(index if not floor else floors.index(model)) % len(MARKS)]
                fill = "white" if floor else colour
                size = len(models) + len(floors)
                off = SPREAD * (index / max(size - 1, 1) - 0.5) if size > 1 else 0.0
                macros = section["macro"][model]
                dash: Any = (0, (1, 2)) if floor else DASHES[index % len(DASHES)]
                values = [macros[lang]["value"] for lang in languages]
                axes.plot(
                    [place + off for place in range(len(languages))],
                    [float("nan") if v is None else v * scale.factor for v in values],
                    color=colour, linewidth=1.0, linestyle=dash, alpha=0.75, zorder=1,
                )  # fmt: skip
                for place, lang in enumerate(languages):
                    mark(
                        axes, place + off, 0, macros[lang], scale, upright=True, color=colour,
                        marker=sign, markersize=4.5, markerfacecolor=fill,
                    )  # fmt: skip
                if not floor or not models:
                    drawn = [macros[lang] for lang in languages]
                    counts += [found["n"] for found in drawn if found["value"] is not None]
                axes.plot(
                    [], [], color=colour, marker=sign, markerfacecolor=fill, markersize=4.5,
                    linestyle=dash, linewidth=1.0,
                    label=label(model) + (" (floor)" if floor else ""),
                )  # fmt: skip
            for place in range(1, len(languages)):
                axes.axvline(place - 0.5, color="#ECECEC", linewidth=0.8, zorder=0)
            said = f" ({span(counts)} scored replies a mark)" if counts else ": nothing is defined"
            axes.set_title(f"{GROUP_NAMES[group]}{said}", fontsize=9)
            axes.set_ylim(scale.low, scale.high)
            # The same marks in every panel, however tall it is.
            step = 1 if scale.high <= 5 else 20
            axes.set_yticks(range(int(scale.low), int(scale.high) + 1, step))
            axes.set_ylabel(scale.label, fontsize=8)
            axes.grid(axis="y")
            axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
            name_columns(axes, languages)
            axes.tick_params(axis="x", labelbottom=True)
        said = f"{over_datasets(section)} {INTERVALS} No mark: undefined."
        return save(figure, title, [*notes, said, floors_note(section, groups)])
