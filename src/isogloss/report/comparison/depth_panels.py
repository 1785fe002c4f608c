"""How deep the foreign gold lies, over models: XRC, RRC and ARI side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

from isogloss.report.layout.figures import (
    DASHES,
    FAINT,
    GATED,
    SERIES,
    new_figure,
    save,
    share_axis,
    style,
)

Curve = npt.NDArray[np.float64]
HEADLINE_COVERAGE = 0.5


@dataclass(frozen=True)
class ModelCurves:
    """What is drawn of one model.

    Attributes:
        model: Its key.
        gated: The degeneracy gate failed: it is named, and nothing of it is drawn.
        curves: float64 (1000,) shares of queries covered by depth 1..1000, under ``rrc``,
            ``coverage/same`` and ``coverage/cross``; one without queries is absent.
        knee: K* of the RRC curve.
        n: Queries with cross gold.
    """

    model: str
    gated: bool
    curves: Mapping[str, Curve] = field(default_factory=dict)
    knee: int | None = None
    n: int = 0


def depth_panels(models: Sequence[ModelCurves], title: str, notes: Sequence[str] = ()) -> bytes:
    """Draw coverage by depth (XRC is the distance), the RRC curve with its knee, and ARI by K.

    Args:
        models: In the order of the legend.
        title: What is shown.
        notes: Sentences to put below.

    Returns:
        A PNG.
    """
    drawn = [model for model in models if not model.gated]
    gated = [model.model for model in models if model.gated]
    with style():
        figure = new_figure(10.6, 4.4)
        panels = figure.subplots(1, 3)
        handles: list[Any] = []
        # By name, so that a model looks the same in every figure of a comparison.
        names = sorted(model.model for model in models)
        for model in drawn:
            place = names.index(model.model)
            look = {"color": SERIES[place % len(SERIES)], "linestyle": DASHES[place % len(DASHES)]}
            _ratio(panels[0], model, look)
            handles += _recoverability(panels[1], model, look)
            _irreducibility(panels[2], model, look)
        _label(panels, gated, len(drawn))
        if handles:
            figure.legend(handles=handles, loc="outside right upper", title="model")
        words = [f"Gated (recall@10 across languages under the gate): {', '.join(gated)}."]
        return save(figure, title, [*notes, *(words if gated else [])])


def _ratio(axes: Axes, model: ModelCurves, look: dict[str, Any]) -> None:
    same, cross = model.curves.get("coverage/same"), model.curves.get("coverage/cross")
    if same is None or cross is None:
        return
    coverage = np.arange(1, 21) / 20
    ratio = depth_at(cross, coverage) / depth_at(same, coverage)
    axes.plot(coverage, ratio, linewidth=1.6, **look)
    at = np.array([HEADLINE_COVERAGE])
    headline = depth_at(cross, at) / depth_at(same, at)
    axes.plot(at, headline, marker="o", markersize=4, color=look["color"])


def depth_at(curve: Curve, coverage: Curve) -> Curve:
    """The smallest depth whose share of queries reaches a coverage; NaN where none does."""
    # A share is a count over n: a coverage that equals it up to rounding is reached.
    depth: Curve = np.searchsorted(curve, coverage - 1e-9).astype(np.float64) + 1
    depth[depth > len(curve)] = np.nan
    return depth


def _recoverability(axes: Axes, model: ModelCurves, look: dict[str, Any]) -> list[Any]:
    curve = model.curves.get("rrc")
    if curve is None:
        return []
    depths = np.arange(1, len(curve) + 1)
    look = {**look, "drawstyle": "steps-post"}
    lines = axes.plot(depths, curve, linewidth=1.6, label=f"{model.model} (n={model.n})", **look)
    if model.knee is not None:
        at = curve[model.knee - 1]
        look = {"color": look["color"], "clip_on": False}
        axes.plot(model.knee, at, marker="D", markersize=5, zorder=3, **look)
    return list(lines)


def _irreducibility(axes: Axes, model: ModelCurves, look: dict[str, Any]) -> None:
    curve = model.curves.get("rrc")
    if curve is None:
        return
    missed = 1 - curve
    share = np.full(len(curve), np.nan)
    np.divide(1 - curve[-1], missed, out=share, where=missed > 1e-12)
    depths = np.arange(1, len(curve) + 1)
    axes.plot(depths, share, linewidth=1.6, drawstyle="steps-post", **look)


def _label(panels: Sequence[Axes], gated: Sequence[str], drawn: int) -> None:
    ratio, rrc, ari = panels
    ratio.set_title("XRC: times deeper")
    ratio.set_yscale("log")
    ratio.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ratio.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ratio.yaxis.set_minor_locator(NullLocator())
    ratio.set_xlim(0, 1)
    ratio.axhline(1, color=FAINT, linewidth=0.8)
    ratio.axvline(HEADLINE_COVERAGE, color=FAINT, linewidth=0.8, linestyle=":")
    ratio.set_xlabel("coverage C (dot: C = 0.5)")
    ratio.set_ylabel("depth across / depth within a language")
    ratio.grid(axis="y")
    rrc.set_title("RRC: a re-ranker's reach")
    ari.set_title("ARI: beyond its reach")
    for axes, label in (
        (rrc, "share of queries with foreign gold in the top K"),
        (ari, "share of those missed at K that miss at 1000"),
    ):
        axes.set_xscale("log")
        axes.set_xlim(1, 1000)
        axes.set_xticks([1, 10, 100, 1000], ["1", "10", "100", "1000"])
        share_axis(axes, label)
    rrc.set_xlabel("K (diamond: the knee K*)")
    ari.set_xlabel("K")
    if not drawn:
        for axes in panels:
            words = GATED if gated else "no queries"
            place = axes.transAxes
            axes.text(0.5, 0.5, words, ha="center", transform=place, color=FAINT, fontsize=13)
