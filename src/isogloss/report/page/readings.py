"""Recall with machine-translated documents and without them, side by side."""

from isogloss.report.layout.shown import UNDEFINED
from isogloss.report.page import cells
from isogloss.report.page.gathered import Gathered, Target
from isogloss.report.page.table import Cell, Column, Row, Table

SIDES = (("same", "same language"), ("cross", "other languages"))


def readings_table(gathered: Gathered, second: Target) -> tuple[Target, Table]:
    """Both readings of a benchmark.

    Args:
        gathered: Everything.
        second: The reading without machine-translated documents.

    Returns:
        The whole benchmark, and the table.
    """
    (whole,) = (target for target in gathered.targets if target.key == second.whole)
    left = {one.model: one.metrics for one in second.evaluated}
    rows = []
    for one in whole.evaluated:
        found = []
        for side, _ in SIDES:
            key = f"recall_at_10/{side}"
            other = left.get(one.model, {})
            found += [cells.interval(one.metrics, key), cells.interval(other, key)]
            found.append(_moved(one.metrics.get(key), other.get(key)))
        rows.append(Row((one.model,), tuple(found), {"model": one.model}))
    columns = tuple(
        Column(f"{name}_{side}", word, f"recall@10, {label}", interval=name != "moved")
        for side, label in SIDES
        for name, word in (("with", "with"), ("without", "without"), ("moved", "difference"))
    )
    caption = f"{whole.key}: with and without machine-translated documents"
    notes = (
        "With: the whole pool. Without: machine-translated documents are taken out of pool and "
        "gold; the queries stay.",
    )
    key = f"readings.{whole.slug}"
    return whole, Table(key, caption, ("model",), columns, tuple(rows), notes)


def _moved(first: float | None, second: float | None) -> Cell:
    if first is None or second is None:
        return Cell(UNDEFINED, kind="undefined")
    return Cell(f"{second - first:+.2f}", second - first)
