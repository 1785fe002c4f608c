"""How broken rules of returned sheets reach the person who imports them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from isogloss.errors import DataError

if TYPE_CHECKING:
    from isogloss.review.row_rules import Fault


def settle_faults(faults: "Sequence[Fault]", refused: int, *, strict: bool) -> None:
    """Print every broken rule, one a line, and fail where that is asked for.

    Args:
        faults: All of them.
        refused: How many rows are left out for it.
        strict: Fail if there is any.

    Raises:
        DataError: With `strict`, if there is any fault.
    """
    from isogloss.progress import counted, note

    for fault in faults:
        note(str(fault))
    if faults and strict:
        raise DataError(
            f"{faults[0]} ({counted(len(faults), 'broken rule')} in all); nothing was imported"
        )
    if faults:
        rows = f"{counted(refused, 'row')} left out"
        note(f"{counted(len(faults), 'broken rule')}, {rows}; the rest is imported")
