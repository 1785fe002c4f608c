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
    from isogloss.progress import note

    for fault in faults:
        note(str(fault))
    if faults and strict:
        raise DataError(f"{faults[0]} ({len(faults)} broken rules in all); nothing was imported")
    if faults:
        note(f"{len(faults)} broken rules, {refused} rows left out; the rest is imported")
