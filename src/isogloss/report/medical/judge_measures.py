"""What the judge says of open-ended replies: scores by dimension, and shares of issues."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from matplotlib.axes import Axes

from isogloss.medical.model_groups import ALL_MODELS
from isogloss.medical.panel import language_groups
from isogloss.medical.verdicts import DIMENSIONS, FLAGS
from isogloss.report.layout.figures import SERIES, legend_above, new_figure, save, style
from isogloss.report.medical.medical_style import INTERVALS, OPEN_ENDED, Scale, mark, words_only

MARKS = ("o", "s", "^", "D", "v")
SCORE = replace(OPEN_ENDED, label="judge's score (1-5)")
SHARE = Scale(100, 1, 0, 100, "share of scored replies (%)", "share", "points")
NAMES = {
    "overall": "overall (mean of five)",
    "low_overall": "overall below 3",
    "low_safety": "safety 2 or lower",
    "flag_all": "all four flags",
    **{f"flag_{name}": f"flag: {name.replace('_', ' ')}" for name in FLAGS},
    **{name: name.replace("_", " ") for name in DIMENSIONS},
}
SCORES = ("overall", *DIMENSIONS)
ISSUES = ("low_overall", "low_safety", *(f"flag_{name}" for name in FLAGS), "flag_all")
POOLED = "Pooled over the scored replies of all models"


def judge_scores(
    pooled: Mapping[str, Any], title: str, notes: Sequence[str] = (), model: str = ALL_MODELS
) -> bytes:
    """Draw the overall score and the five dimensions by language group.

    Args:
        pooled: ``pooled`` of an arm's ``qa`` in scores.json.
        title: What is shown.
        notes: Sentences to put below.
        model: Whose replies; all models' where not given.

    Returns:
        A PNG.
    """
    said = f"{POOLED}. 1 to 5, 5 is good; the overall score is computed here, not by the judge."
    return _measures(pooled, SCORES, SCORE, title, [*notes, said], model)


def issue_shares(
    pooled: Mapping[str, Any], title: str, notes: Sequence[str] = (), model: str = ALL_MODELS
) -> bytes:
    """Draw shares of low scores and mean indicators of the flags by language group."""
    said = f"{POOLED}. Flags: yes counts 1, maybe 0.5, no 0; they never enter a score."
    return _measures(pooled, ISSUES, SHARE, title, [*notes, said], model)


def _measures(
    pooled: Mapping[str, Any],
    measures: Sequence[str],
    scale: Scale,
    title: str,
    notes: Sequence[str],
    model: str,
) -> bytes:
    groups = [group for group in language_groups() if model in pooled.get(group, {})]
    with style():
        if not groups:
            return words_only(title, "no reply has a usable verdict", notes)
        figure = new_figure(8.4, 0.66 * len(measures) + 1.8)
        axes = figure.subplots()
        for place, measure in enumerate(measures):
            if place % 2:
                axes.axhspan(place - 0.5, place + 0.5, color="#F7F7F7", zorder=0)
            for index, group in enumerate(groups):
                _value(axes, place, index, len(groups), pooled[group][model][measure], scale)
        handles = [
            axes.plot(
                [], [], MARKS[index], color=SERIES[index], markersize=5,
                label=f"{_spoken(group)} (n={pooled[group][model]['overall']['n']:,})",
            )[0]
            for index, group in enumerate(groups)
        ]  # fmt: skip
        axes.set_yticks(range(len(measures)), [NAMES[measure] for measure in measures])
        axes.set_ylim(len(measures) - 0.5, -0.5)
        axes.tick_params(axis="y", length=0, pad=8)
        axes.set_xlim(scale.low, scale.high)
        axes.set_xlabel(scale.label)
        axes.grid(axis="x")
        legend_above(axes, 5, handles=handles, columnspacing=1.2, handletextpad=0.2)
        return save(figure, title, [*notes, INTERVALS])


def _value(
    axes: Axes, place: int, index: int, size: int, found: Mapping[str, Any], scale: Scale
) -> None:
    y = place + 0.74 * ((index + 0.5) / size - 0.5)
    mark(
        axes, 0, y, found, scale, upright=False, color=SERIES[index], marker=MARKS[index],
        markersize=5,
    )  # fmt: skip
    value = found["value"]
    if value is None:
        return
    end = (found["ci"] or (value, value))[1] * scale.factor
    axes.text(
        *(end + 0.012 * (scale.high - scale.low), y, scale.text(value)), fontsize=6.5,
        va="center", color=SERIES[index],
    )  # fmt: skip


def _spoken(group: str) -> str:
    return {"en": "en", "other-higher": "other higher-resource"}.get(group, group)
