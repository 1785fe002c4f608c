"""Curves of coverage by depth as paths on a logarithmic axis, in the units of one drawing."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from isogloss.report.comparison.depth_panels import Curve
from isogloss.report.page.gathered import Target

WIDTH, HEIGHT = 620, 300
LEFT, RIGHT, TOP, BOTTOM = 46, 16, 14, 42
TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
LOOKS = 12
"""Ways to draw a line; more models than that share one."""


@dataclass(frozen=True)
class Line:
    """One model's curve.

    Attributes:
        model: Its key.
        look: Which of the ways of drawing, from 0.
        path: SVG path data.
        knee: x, y and K of the knee, where there is one.
    """

    model: str
    look: int
    path: str
    knee: tuple[float, float, int] | None = None


@dataclass(frozen=True)
class Chart:
    """A drawing with its axes.

    Attributes:
        key: An id.
        title: What it shows.
        summary: The same in words, for those who do not see it.
        x_label: What the horizontal axis is.
        y_label: What the vertical axis is.
        lines: One a model that is not gated.
        gated: Models left out, because the gate failed.
    """

    key: str
    title: str
    summary: str
    x_label: str
    y_label: str
    lines: Sequence[Line]
    gated: Sequence[str]

    width = WIDTH
    height = HEIGHT
    left = LEFT
    right = WIDTH - RIGHT
    top = TOP
    bottom = HEIGHT - BOTTOM

    @property
    def x_ticks(self) -> list[tuple[float, str]]:
        """Places and labels along the horizontal axis."""
        return [(x_of(k), str(k)) for k in TICKS]

    @property
    def y_ticks(self) -> list[tuple[float, str]]:
        """Places and labels along the vertical axis."""
        return [(y_of(share), f"{share:.0%}") for share in (0, 0.2, 0.4, 0.6, 0.8, 1)]


def x_of(k: float) -> float:
    """Where a depth stands."""
    return round(LEFT + (WIDTH - LEFT - RIGHT) * math.log10(k) / 3, 1)


def y_of(share: float) -> float:
    """Where a share stands."""
    return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share, 1)


def step_path(curve: Curve) -> str:
    """A curve as steps: one corner where it rises, and nothing between."""
    parts = [f"M{x_of(1)} {y_of(float(curve[0]))}"]
    last = parts[0].rpartition(" ")[2]
    for k in range(2, len(curve) + 1):
        if curve[k - 1] == curve[k - 2]:
            continue
        height = str(y_of(float(curve[k - 1])))
        if height != last:
            parts.append(f"H{x_of(k)}V{height}")
            last = height
    return "".join([*parts, f"H{x_of(len(curve))}"])


def looks(targets: Iterable[Target]) -> dict[str, int]:
    """How each model is drawn, wherever it is: by its place among all names on the page."""
    models = {one.model for target in targets for one in target.evaluated}
    return {model: place % LOOKS for place, model in enumerate(sorted(models))}


def reach_chart(target: Target, drawn: Mapping[str, int]) -> Chart:
    """RRC by depth with each model's knee.

    Args:
        target: Whose models.
        drawn: How each is drawn; see `looks`.
    """
    lines, said = [], []
    for one in target.evaluated:
        curve = one.curves.get("rrc")
        if curve is None or one.gated:
            continue
        k = one.metrics.get("knee")
        knee = None if k is None else (x_of(k), y_of(float(curve[k - 1])), int(k))
        lines.append(Line(one.model, drawn[one.model], step_path(curve), knee))
        said.append(f"{one.model} {curve[9]:.2f}, {curve[99]:.2f} and {curve[-1]:.2f}")
    summary = f"At depths 10, 100 and 1000: {'; '.join(said)}." if said else "No curve is drawn."
    return Chart(
        key=f"chart-reach-{target.slug}",
        title=f"{target.key}: share of queries with foreign gold in the top K",
        summary=summary,
        x_label="K, documents read per query (logarithmic; diamond: knee)",
        y_label="share of queries",
        lines=lines,
        gated=[one.model for one in target.evaluated if one.gated],
    )
