"""The shift from English in every other language: each model, their quartiles and their mean."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.patches import Rectangle

from isogloss.medical.panel import ENGLISH, FLOOR_GROUP
from isogloss.progress import counted
from isogloss.report.layout.figures import INK, legend_above, name_columns, new_figure, save, style
from isogloss.report.medical.medical_style import (
    GROUP_NAMES,
    Scale,
    by_group,
    floors_note,
    look,
    mark,
    mean_over,
    over_datasets,
    span,
    words_only,
)

BOX = "#E3ECF3"


def english_shifts(
    section: Mapping[str, Any],
    groups: Mapping[str, str],
    languages: Sequence[str],
    scale: Scale,
    title: str,
    notes: Sequence[str] = (),
) -> bytes:
    """Draw shift = score in a language - score in English, over models.

    Args:
        section: ``accuracy`` or ``qa`` of an arm of scores.json.
        groups: Group by model.
        languages: Codes, in the order to be drawn; English is left out.
        scale: How the score is printed.
        title: What is shown.
        notes: Sentences to put below.

    Returns:
        A PNG.
    """
    others = [language for language in languages if language != ENGLISH]
    over = section["over_models"]["shift"]
    blocks = by_group(section, groups)
    known = [language for language in others if over[language]["value"] is not None]
    with style():
        if not known:
            why = "no model is scored in English and in another language, in every dataset"
            return words_only(title, why, notes)
        figure = new_figure(max(7.0, 0.95 * len(others) + 1.6), 4.4)
        axes = figure.subplots()
        axes.axhline(0, color=INK, linewidth=0.8)
        ticks = []
        for place, language in enumerate(others):
            found = over[language]
            if found["n"] > 1:
                low, high = found["q1"] * scale.factor, found["q3"] * scale.factor
                box = Rectangle((place - 0.36, low), 0.72, high - low, facecolor=BOX, linewidth=0.8)
                box.set_edgecolor("#9DB4C4")
                axes.add_patch(box)
            for block, (group, models) in enumerate(blocks):
                off = (block + 0.5) / len(blocks) * 0.52 - 0.26 + 0.06
                for model in models:
                    one = {**section["shift"][model][language], "ci": None}
                    mark(
                        axes, place + off, 0, one, scale, upright=True, marker="o", markersize=4,
                        **look(group),
                    )  # fmt: skip
            mark(
                axes, place - 0.28, 0, found, scale, upright=True, color=INK, marker="D",
                markersize=5,
            )  # fmt: skip
            ticks.append(f"{language}\n{scale.ranged(found, '+').replace(' [', chr(10) + '[')}")
        name_columns(axes, ticks, fontsize=7.5)
        axes.set_ylabel(f"shift from English ({scale.change})")
        axes.grid(axis="y")
        mean = axes.plot(
            [],
            [],
            "D",
            color=INK,
            label=mean_over(section),
            markersize=5,
        )
        dots = [
            axes.plot([], [], "o", markersize=4, label=_named(group, len(models)), **look(group))[0]
            for group, models in blocks
        ]
        legend_above(axes, 3, handles=[*mean, *dots], columnspacing=1.2)
        counts = [
            section["macro"][model][language]["n"]
            for group, models in blocks
            if group != FLOOR_GROUP or len(blocks) == 1
            for model in models
            for language in known
            if section["shift"][model][language]["value"] is not None
        ]
        averaged = max(over[language]["n"] for language in known)
        explained = (
            f"Below each language: {_whose(section, averaged)} and its 95% interval over items"
            f"{'; box: quartiles over models' if averaged > 1 else ''}. {span(counts)} scored"
            " replies a model and language."
        )
        said = [*notes, explained, over_datasets(section), floors_note(section, groups)]
        return save(figure, title, said)


def _whose(section: Mapping[str, Any], averaged: int) -> str:
    said = mean_over(section)
    if said == "mean over models":
        return f"the mean over {counted(averaged, 'model')}"
    return said if said.startswith("mean") else f"the shift of {said}"


def _named(group: str, models: int) -> str:
    return f"{GROUP_NAMES[group]}: {models}"
