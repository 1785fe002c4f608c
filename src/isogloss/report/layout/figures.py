"""The one look of all figures, and bytes that depend on the data alone.

Everything is drawn on matplotlib's own defaults (whatever the machine's matplotlibrc says), with
the font that matplotlib ships, and saved without date or software name.
"""

import io
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

# Okabe and Ito's palette: told apart with any kind of colour vision, and in print.
SAME = "#0072B2"
CROSS = "#D55E00"
SERIES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#8C6D1F", "#555555")
DASHES = ("-", "--", "-.", (0, (1, 1)), (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (5, 3)), ":")
INK = "#222222"
FAINT = "#6B6B6B"
GRID = "#E4E4E4"
GATED = "gated"

DPI = 160
NOTE_SIZE = 7.5
NOTE_CHARACTERS_PER_INCH = 17.5
TITLE_SIZE = 11.5
TITLE_CHARACTERS_PER_INCH = 9.5
TITLE_LINE_INCHES = 0.2

_STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "text.color": INK,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "svg.hashsalt": "isogloss",
}


@contextmanager
def style() -> Iterator[None]:
    """Draw with this project's look, whatever the machine's settings are."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE)
        yield


def new_figure(width: float, height: float) -> Figure:
    """A figure that lays itself out, in inches; to be used inside `style`."""
    figure = Figure(figsize=(width, height), dpi=DPI, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def save(figure: Figure, title: str, notes: Sequence[str]) -> bytes:
    """Put the title above and the notes below, and give the PNG's bytes.

    Args:
        figure: Drawn inside `style`.
        title: What the figure shows.
        notes: What a reader must know beside it, one sentence each.
    """
    width = int(figure.get_figwidth() * NOTE_CHARACTERS_PER_INCH)
    # A narrow figure gets a title of several lines, and grows by them, instead of a cut one.
    room = int(figure.get_figwidth() * TITLE_CHARACTERS_PER_INCH)
    heading = textwrap.wrap(title, room, break_on_hyphens=False)
    more = TITLE_LINE_INCHES * max(len(heading) - 1, 0)
    figure.set_figheight(figure.get_figheight() + more)
    figure.suptitle("\n".join(heading), x=0.01, ha="left", fontsize=TITLE_SIZE, fontweight="bold")
    lines = [line for note in notes if note for line in textwrap.wrap(note, width)]
    if lines:
        figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=NOTE_SIZE, color=FAINT)
    out = io.BytesIO()
    figure.savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()


def name_columns(axes: Axes, names: Sequence[str], **look: Any) -> None:
    """Name what stands side by side, column 0 first, with the same room at both ends."""
    axes.set_xticks(range(len(names)), list(names), **look)
    axes.set_xlim(-0.6, max(len(names) - 0.4, 0.6))
    axes.tick_params(axis="x", length=0)


def legend_above(axes: Axes, columns: int, **look: Any) -> None:
    """Put the legend between title and axes, where it covers no mark."""
    look = {"borderaxespad": 0.2, **look}
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=columns, **look)


def share_axis(axes: Axes, label: str, *, horizontal: bool = False) -> None:
    """Make an axis of shares: from 0 to 1 with a faint grid."""
    if horizontal:
        axes.set_xlim(0, 1)
        axes.set_xlabel(label)
        axes.grid(axis="x")
    else:
        axes.set_ylim(0, 1)
        axes.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1])
        axes.set_ylabel(label)
        axes.grid(axis="y")
