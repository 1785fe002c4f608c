"""The reading budget as a table: depth and cost of a coverage, for each target and model."""

from collections.abc import Sequence
from decimal import Decimal

from isogloss.report.layout.shown import CENSORED, UNDEFINED
from isogloss.report.page.table import Cell, Column, Row, Table
from isogloss.retrieval.budget import ReadingDepth
from isogloss.retrieval.planning import Need
from isogloss.retrieval.ranking import DEPTH

EXHAUSTIVE = "at most 1000 documents, so their depth is exhaustive by construction"


def budget_table(
    rows: Sequence[Need],
    price: float | None = None,
    seconds: float | None = None,
    *,
    key: str = "plan",
    caption: str = "Documents to read per query for a wanted coverage",
) -> Table:
    """Lay out a plan.

    Args:
        rows: One a target, model and coverage.
        price: Of one document for a re-ranker; None leaves the cost out.
        seconds: Of one document for a re-ranker; None leaves the time out.
        key: The table's name.
        caption: What it shows.
    """
    columns = [
        Column("coverage", "coverage"),
        Column("n", "queries"),
        Column("depth", "depth", interval=True),
        Column("reach", "reach"),
    ]
    rates = []
    if price is not None:
        columns.append(Column("cost_per_query", "cost per query", interval=True))
        columns.append(Column("cost_per_1000", "per 1,000 queries", interval=True))
        rates += [price, price * 1000]
    if seconds is not None:
        columns.append(Column("seconds_per_query", "seconds per query", interval=True))
        rates.append(seconds)
    columns.append(Column("refused", "refused because"))
    body = []
    for need in rows:
        reading = need.reading
        cells = [
            Cell(share_text(reading.coverage), reading.coverage),
            Cell(str(reading.n), reading.n),
            depth_cell(reading),
            Cell(UNDEFINED)
            if reading.reach is None
            else Cell(f"{reading.reach:.2f}", reading.reach),
            *(rate_cell(reading, rate) for rate in rates),
            Cell(reading.refusal or "", reading.refusal or ""),
        ]
        marks = {"model": need.model, "coverage": repr(reading.coverage)}
        body.append(Row((need.target, need.model), tuple(cells), marks))
    if not any(need.reading.refusal for need in rows):
        columns.pop()
        body = [Row(row.heads, row.cells[:-1], row.marks) for row in body]
    heads = ("target", "model")
    return Table(key, caption, heads, tuple(columns), tuple(body), plan_notes(rows))


def share_text(share: float) -> str:
    """A wanted share in percent with all its digits, so that no two of them look alike."""
    return f"{(Decimal(repr(share)) * 100).normalize():f}%"


def depth_cell(reading: ReadingDepth) -> Cell:
    """Documents per query with their interval; an open upper bound is ``>1000`` and no number."""
    if reading.depth is None:
        return Cell(UNDEFINED, kind="undefined")
    text = str(reading.depth)
    high = CENSORED if reading.open_above else reading.high
    if reading.low is not None:
        text += f" [{reading.low}, {CENSORED if reading.open_above else reading.high}]"
    return Cell(text, reading.depth, reading.low, high)


def reach_cell(reading: ReadingDepth) -> Cell:
    """The coverage of the whole ranking."""
    if reading.reach is None:
        return Cell(UNDEFINED, kind="undefined")
    return Cell(f"{reading.reach:.2f}", reading.reach)


def rate_cell(reading: ReadingDepth, rate: float) -> Cell:
    """What the depth comes to at a rate per document."""
    if reading.depth is None:
        return Cell(UNDEFINED, kind="undefined")
    value = _times(reading.depth, rate)
    text = _short(value)
    if reading.low is None or reading.high is None:
        return Cell(text, value)
    low = _times(reading.low, rate)
    if reading.open_above:
        end = f">{_short(_times(DEPTH, rate))}"
        return Cell(f"{text} [{_short(low)}, {end}]", value, low, end)
    high = _times(reading.high, rate)
    return Cell(f"{text} [{_short(low)}, {_short(high)}]", value, low, high)


def _times(depth: int, rate: float) -> float:
    # Without the noise of binary fractions: 13 documents at 0.002 are 0.026.
    return float(f"{depth * rate:.15g}")


def _short(value: float) -> str:
    return f"{value:,.4g}" if value < 1000 else f"{value:,.0f}"


def plan_notes(rows: Sequence[Need]) -> tuple[str, ...]:
    """What a reader must know beside a plan."""
    notes = []
    small = list(dict.fromkeys(need.target for need in rows if need.exhaustive))
    if small:
        notes.append(f"{', '.join(small)}: {EXHAUSTIVE}.")
    open_ended = [need for need in rows if need.reading.open_above]
    if open_ended:
        notes.append(f"{CENSORED}: in some resamples the ranking does not reach the coverage.")
    reasons = sorted({need.reading.reason for need in rows if need.reading.reason})
    notes += [f"Without an interval: {reason}." for reason in reasons]
    return tuple(notes)
