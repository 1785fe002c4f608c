"""How broken rules of returned sheets reach the person who imports them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from isogloss.errors import DataError

if TYPE_CHECKING:
    from isogloss.review.row_rules import Fault

ALIKE = 3
"""So many rows with one and the same fault are shown; of the others it is said how many."""


def fault_lines(faults: "Sequence[Fault]") -> list[str]:
    """Broken rules, one a line; a fault that many rows of a file share is not repeated for each.

    Args:
        faults: All of them, in the order in which they are shown.
    """
    alike: dict[tuple[str, str], list[Fault]] = {}
    for fault in faults:
        alike.setdefault((_file(fault), fault.message), []).append(fault)
    lines = []
    for (file, message), group in alike.items():
        lines += [str(fault) for fault in group[:ALIKE]]
        more = len(group) - ALIKE
        if more > 0:
            lines.append(f"{file}: {more} more like this: {message}")
    return lines


def _file(fault: "Fault") -> str:
    # Places are a file, or a file, a sheet and a row, parted by commas.
    return fault.place.partition(", sheet ")[0].partition(", row ")[0]


def settle_faults(faults: "Sequence[Fault]", refused: int, *, strict: bool) -> None:
    """Print broken rules, and fail where that is asked for.

    Args:
        faults: All of them.
        refused: How many rows are left out for it.
        strict: Fail if there is any.

    Raises:
        DataError: With `strict`, if there is any fault.
    """
    from isogloss.progress import counted, note

    for line in fault_lines(faults):
        note(line)
    if faults and strict:
        raise DataError(
            f"{faults[0]} ({counted(len(faults), 'broken rule')} in all); nothing was imported"
        )
    if faults:
        rows = f"{counted(refused, 'row')} left out"
        note(f"{counted(len(faults), 'broken rule')}, {rows}; the rest is imported")
