"""Several returned files together: one answer for each person and id, clashes named."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from isogloss.review.returns import Return
from isogloss.review.row_rules import Entries, Fault


@dataclass
class Gathered:
    """What all files together say.

    Attributes:
        entries: By person and id.
        places: Where each stands.
        faults: Of all files, clashes between files included.
        refused: (person, id) of rows that broke a rule.
    """

    entries: dict[tuple[str, str], Entries] = field(default_factory=dict)
    places: dict[tuple[str, str], str] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    refused: set[tuple[str, str]] = field(default_factory=set)


def gather(returns: Iterable[tuple[str, Return]]) -> Gathered:
    """Join returns; a row that two files hold alike counts once, a row they hold otherwise never.

    Args:
        returns: Person and return, file by file.
    """
    found = Gathered()
    clashes: set[tuple[str, str]] = set()
    for who, returned in returns:
        found.faults += returned.faults
        found.refused |= {(who, identifier) for identifier in returned.refused}
        for identifier, values in returned.entries.items():
            key = (who, identifier)
            if key not in found.entries:
                found.entries[key], found.places[key] = values, returned.rows[identifier]
            elif found.entries[key] != values:
                clashes.add(key)
                message = f"differs from {found.places[key]}; keep one of the two files"
                found.faults.append(Fault(returned.rows[identifier], identifier, message))
    for key in clashes:
        del found.entries[key]
    found.refused = (found.refused | clashes) - found.entries.keys()
    return found
