"""One line of the book, and how a measurement becomes one."""

from dataclasses import dataclass, replace

from benchmarks.measure import Measured


@dataclass(frozen=True)
class Row:
    """One line of the book.

    Attributes:
        what: The work.
        who: Who does it.
        result: The figure with its unit.
        memory: Peak memory of the process.
        ratio: Against the peer of this group; empty for the peer itself.
        wanted: The target; empty where there is none.
        met: Whether the target was met; None without one.
    """

    what: str
    who: str
    result: str
    memory: str
    ratio: str = ""
    wanted: str = ""
    met: bool | None = None

    def asked(self, wanted: str, *, met: bool) -> "Row":
        """The row with another target."""
        return replace(self, wanted=wanted, met=met)


def seconds(value: float) -> str:
    """As the book prints them."""
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.2f} s"


def against(
    what: str, who: str, one: Measured, peer: Measured | None = None, most: float | None = None
) -> Row:
    """A row of measured work.

    Args:
        what: The work.
        who: Who does it.
        one: What was measured.
        peer: What it is held against.
        most: The largest ratio of times that is wanted.
    """
    ratio = None if peer is None else one.seconds / peer.seconds
    return Row(
        what=what,
        who=who,
        result=seconds(one.seconds),
        memory=f"{one.peak_mb:.0f} MB",
        ratio="" if ratio is None else f"{ratio:.2f}x the time",
        wanted="" if most is None else f"at most {most:g}x",
        met=None if most is None or ratio is None else ratio <= most,
    )
