"""How medical figures show models and numbers: groups apart, floors hollow, gaps said in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes

from isogloss.medical.panel import (
    FLOOR_GROUP,
    HAND_GROUP,
    LANGUAGES,
    dataset_name,
    group_of,
    model_name,
)
from isogloss.report.layout.figures import FAINT, new_figure, save
from isogloss.report.layout.shown import UNDEFINED

Found = Mapping[str, Any]
"""A figure of scores.json: value, ci, n and a reason for what is missing."""

GROUP_NAMES = {
    "proprietary": "proprietary",
    "open": "open weights",
    "medical": "medical",
    "other": "other (not in the panel)",
    HAND_GROUP: "written by hand (no model)",
    FLOOR_GROUP: "floors (no language model)",
}
GROUP_COLOURS = {
    "proprietary": "#0072B2",
    "open": "#D55E00",
    "medical": "#009E73",
    "other": "#CC79A7",
    HAND_GROUP: "#56B4E9",
    FLOOR_GROUP: FAINT,
}
SHADE = "#F3F3F3"
INTERVALS = (
    "Lines: 95% intervals over items; a mark without one hides an interval narrower than itself, or"
    " has none that is estimable (the tables say which)."
)
APART = "which enter no mean over models"
ALONE = "which are all that answered here, so that means over models are theirs"


@dataclass(frozen=True)
class Scale:
    """How a score is printed: accuracy in percent, or open-ended replies from 1 to 5.

    Attributes:
        factor: What a value is multiplied with.
        decimals: Digits of a printed value.
        low: Where the axis begins.
        high: Where it ends.
        label: What the axis is called.
        unit: The same in a word or two.
        change: What a difference is called.
        least: Colours of differences reach at least so far, so that noise stays pale.
    """

    factor: float
    decimals: int
    low: float
    high: float
    label: str
    unit: str
    change: str
    least: float = 0.0

    def text(self, value: float, sign: str = "") -> str:
        """A value as it is printed; a rounded zero has no minus sign."""
        written = f"{value * self.factor:{sign}.{self.decimals}f}"
        zero = f"{0:.{self.decimals}f}"
        return f"{sign}{zero}" if written == f"-{zero}" else written

    def ranged(self, found: Found, sign: str = "") -> str:
        """A figure with its interval; a dash where it is undefined."""
        if found["value"] is None:
            return UNDEFINED
        value = self.text(found["value"], sign)
        if found["ci"] is None:
            return f"{value} [{UNDEFINED}]"
        low, high = (self.text(bound, sign) for bound in found["ci"])
        return f"{value} [{low}, {high}]"


ACCURACY = Scale(100, 1, 0, 100, "accuracy (%)", "accuracy", "points", 5)
OPEN_ENDED = Scale(
    1, 2, 1, 5, "judge's overall score (1-5)", "open-ended score", "score points", 0.25
)
SCALES = {"accuracy": ACCURACY, "qa": OPEN_ENDED}


def by_group(section: Mapping[str, Any], groups: Mapping[str, str]) -> list[tuple[str, list[str]]]:
    """The models of a score section by group, each group best mean first, floors last.

    Args:
        section: ``accuracy`` or ``qa`` of an arm.
        groups: Group by model.
    """

    def place(model: str) -> tuple[bool, float, str]:
        value = section["mean"][model]["value"]
        return value is None, -(value or 0), model

    held: dict[str, list[str]] = {}
    for model in section["mean"]:
        held.setdefault(groups[model], []).append(model)
    order = list(GROUP_NAMES)
    return [(group, sorted(held[group], key=place)) for group in sorted(held, key=order.index)]


def in_order(languages: Iterable[str]) -> list[str]:
    """Language codes in the panel's order; the keys of scores.json are sorted by letter."""
    held = set(languages)
    return [code for code in LANGUAGES if code in held]


def look(group: str) -> dict[str, Any]:
    """Colour and fill of a group's marks."""
    colour = GROUP_COLOURS[group]
    fill = "white" if group == FLOOR_GROUP else colour
    return {"color": colour, "markerfacecolor": fill, "markeredgecolor": colour}


def mark(
    axes: Axes, x: float, y: float, found: Found, scale: Scale, *, upright: bool, **style: Any
) -> None:
    """Draw one figure with its interval; nothing where it is undefined.

    Args:
        axes: Where.
        x: Its place across, unless it stands upright ("upright" puts the value on y).
        y: Its place along y, unless it stands upright.
        found: The figure.
        scale: Of the axis.
        upright: The value lies on y instead of x.
        style: Of the mark.
    """
    if found["value"] is None:
        return
    value = found["value"] * scale.factor
    colour = style["color"]
    if found["ci"] is not None:
        ends = [bound * scale.factor for bound in found["ci"]]
        line = ([x, x], ends) if upright else (ends, [y, y])
        axes.plot(*line, color=colour, linewidth=1.1, solid_capstyle="butt", zorder=2)
    place = (x, value) if upright else (value, y)
    axes.plot(*[[one] for one in place], clip_on=False, zorder=3, linestyle="none", **style)


def beside(axes: Axes, y: float, points: float, words: str, **style: Any) -> None:
    """Write words at the right of the axes, so many points from its edge."""
    axes.annotate(
        words, (1, y), xycoords=axes.get_yaxis_transform(), xytext=(points, 0),
        textcoords="offset points", annotation_clip=False,
        **{"va": "center", "fontsize": 7.5, **style},
    )  # fmt: skip


def floors_note(section: Mapping[str, Any], groups: Mapping[str, str]) -> str:
    """What hollow marks are; empty where there are none."""
    floors = {model for model in section["mean"] if groups[model] == FLOOR_GROUP}
    if not floors:
        return ""
    alone = floors & set(section["over_models"]["models"])
    return f"Hollow marks: floors, no language models, {ALONE if alone else APART}."


def mean_over(section: Mapping[str, Any]) -> str:
    """What a mean over models is over: it is no mean of one, and no model wrote by hand."""
    members = section["over_models"]["models"]
    if len(members) == 1:
        return f"{label(members[0])} alone"
    if all(group_of(model) == HAND_GROUP for model in members):
        return f"mean over {len(members)} answerers by hand"
    return "mean over models"


def label(model: str) -> str:
    """A model's printed name, cut where it is very long."""
    name = model_name(model)
    return name if len(name) <= 30 else f"{name[:28]}…"


def span(counts: Sequence[int]) -> str:
    """How many replies stand behind marks: one number, or from the least to the most."""
    low, high = min(counts, default=0), max(counts, default=0)
    return f"n={low:,}" if low == high else f"n={low:,}-{high:,}"


def over_datasets(section: Mapping[str, Any]) -> str:
    """What a macro mean is over."""
    names = [dataset_name(dataset) for dataset in section["datasets"]]
    return f"Means over datasets, each with the same weight: {', '.join(names)}."


def words_only(title: str, words: str, notes: Sequence[str]) -> bytes:
    """A figure that says why there is nothing to draw; to be used inside `style`."""
    figure = new_figure(7.2, 1.5)
    axes = figure.subplots()
    axes.set_axis_off()
    axes.text(0.5, 0.5, f"Not defined: {words}.", ha="center", color=FAINT)
    return save(figure, title, notes)


def reason(found: Found) -> str:
    """Why a figure or its interval is missing."""
    return str(found.get("reason", "")).removeprefix("not estimable: ")
