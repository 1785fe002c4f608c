"""Outcomes of rows become outcomes of publications; what must be joined is read again.

A number that occurs in one row only has been judged already. Of the others, those that no rule can
save are settled by arithmetic; the rest is read a second time, joined and judged as a whole.
"""

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from isogloss.patents.google_join import join, row_versions
from isogloss.patents.google_rows import Row
from isogloss.patents.google_scan import Kept, Scan, Task, hash_number, keep, read_again
from isogloss.patents.pool import in_order
from isogloss.patents.selection import OUTCOME, Outcomes, Rules, judge, outcomes_array


def merge(
    tasks: Sequence[Task], scans: Sequence[Scan], rules: Rules, workers: int
) -> tuple[Outcomes, list[Kept]]:
    """Turn outcomes of rows into outcomes of publications, reading again what must be joined."""
    rows = np.concatenate([found.outcomes for found in scans])
    offsets = np.cumsum([0, *(len(found.outcomes) for found in scans)])
    if not len(rows):
        return rows, []
    order = np.argsort(rows["number"], kind="stable")
    ordered = rows[order]
    starts = np.flatnonzero(np.r_[True, ordered["number"][1:] != ordered["number"][:-1]])
    merged = np.empty(len(starts), OUTCOME)
    merged["number"] = ordered["number"][starts]
    for name, reduce in (
        ("found", np.add),
        ("targeted", np.add),
        ("chemical", np.maximum),
        ("worded", np.add),
        ("languages", np.bitwise_or),
    ):
        merged[name] = reduce.reduceat(ordered[name], starts)
    sizes = np.diff(np.r_[starts, len(rows)])
    all_chemical = np.minimum.reduceat(ordered["chemical"], starts).astype(bool)
    # Words of a row without chemistry were not counted; texts of a row that left were not kept.
    again = np.flatnonzero(
        (sizes > 1)
        & merged["chemical"].astype(bool)
        & (merged["targeted"] > 0)
        & (~all_chemical | (np.bitwise_count(merged["languages"]) >= rules.minimum_languages))
    )
    members = [order[starts[group] : starts[group] + sizes[group]] for group in again]
    places = np.sort(np.concatenate(members)) if members else np.empty(0, np.int64)
    taken = set(places.tolist())
    kept = [
        one
        for offset, found in zip(offsets, scans, strict=False)
        for one in found.kept
        if offset + one.row not in taken
    ]
    if members:
        joined, survivors = _join_again(tasks, offsets, places, rules, workers)
        untouched = np.ones(len(merged), bool)
        untouched[again] = False
        merged = np.concatenate([merged[untouched], joined])
        kept += survivors
    return merged, kept


def _join_again(
    tasks: Sequence[Task],
    offsets: npt.NDArray[np.int64],
    places: npt.NDArray[np.int64],
    rules: Rules,
    workers: int,
) -> tuple[Outcomes, list[Kept]]:
    """Read the rows at the given places again and judge each number as a whole."""
    owner = np.searchsorted(offsets, places, side="right") - 1
    wanted = [
        (tasks[index], (places[owner == index] - offsets[index]).tolist())
        for index in np.unique(owner).tolist()
    ]
    found: list[tuple[str, int, Row]] = []
    batches = in_order(read_again, wanted, workers, "joining rows of one number")
    for batch in batches:
        found += [(number, len(found) + index, row) for index, (number, row) in enumerate(batch)]
    results = bytearray()
    kept: list[Kept] = []
    found.sort(key=itemgetter(0, 1))
    targets = frozenset(rules.languages)
    for number, group in groupby(found, key=itemgetter(0)):
        publication = join(number, [row_versions(row, targets) for _, _, row in group])
        outcome = judge(publication, rules)
        if outcome.chosen is not None:
            kept.append(keep(-1, outcome.chosen))
        results += outcome.packed(hash_number(number))
    return outcomes_array(results), kept
