"""Several returned files together: one answer for each person and id, clashes named."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

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
        untouched: (person, id) of rows that nobody has filled in yet.
        absent: (person, id) of rows that are gone.
    """

    entries: dict[tuple[str, str], Entries] = field(default_factory=dict)
    places: dict[tuple[str, str], str] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    refused: set[tuple[str, str]] = field(default_factory=set)
    untouched: set[tuple[str, str]] = field(default_factory=set)
    absent: set[tuple[str, str]] = field(default_factory=set)

    def account(self) -> dict[str, dict[str, Any]]:
        """By person: how many rows were read, and the ids of the others, each under its reason."""
        people = sorted({who for who, _ in self.entries.keys() | self.refused | self.open_rows})
        return {
            who: {
                "read": sum(one == who for one, _ in self.entries),
                "refused": sorted(one for other, one in self.refused if other == who),
                "untouched": sorted(one for other, one in self.untouched if other == who),
                "missing": sorted(one for other, one in self.absent if other == who),
            }
            for who in people
        }

    @property
    def open_rows(self) -> set[tuple[str, str]]:
        """Rows without an answer that broke no rule."""
        return self.untouched | self.absent


def account_lines(account: Mapping[str, Mapping[str, Any]], shown: int = 5) -> list[str]:
    """What lacks, as one line a person; of long id lists the first few."""
    lines = []
    for who, held in account.items():
        parts = [f"{held['read']} rows read"]
        for reason in ("refused", "untouched", "missing"):
            ids = held[reason]
            if ids:
                more = f" and {len(ids) - shown} more" if len(ids) > shown else ""
                parts.append(f"{len(ids)} {reason} ({', '.join(ids[:shown])}{more})")
        lines.append(f"{who}: {', '.join(parts)}")
    return lines


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
        found.untouched |= {(who, identifier) for identifier in returned.untouched}
        found.absent |= {(who, identifier) for identifier in returned.absent}
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
    # What one file of a person answers is not open for lacking in another of theirs.
    found.refused = (found.refused | clashes) - found.entries.keys()
    found.untouched -= found.entries.keys() | found.refused
    found.absent -= found.entries.keys() | found.refused | found.untouched
    return found
