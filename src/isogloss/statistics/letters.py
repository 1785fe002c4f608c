"""Compact letter display: what does not differ significantly shares a letter (Piepho 2004)."""

import string
from collections.abc import Collection, Sequence


def compact_letters(names: Sequence[str], differing: Collection[frozenset[str]]) -> dict[str, str]:
    """Give letters to systems so that two share one exactly when they do not differ.

    Args:
        names: The systems in the order in which letters are given out, best first.
        differing: The pairs that differ significantly.

    Returns:
        Letters by name; after "z" follow "a1", "b1", and so on.
    """
    columns: list[set[str]] = [set(names)]
    for pair in sorted(differing, key=sorted):
        split: list[set[str]] = []
        for column in columns:
            # A column that holds both is replaced by one without each of them.
            parts = [column - {name} for name in sorted(pair)] if pair <= column else [column]
            split += [part for part in parts if part and part not in split]
        columns = [part for part in split if not any(part < other for other in split)]
    columns.sort(key=lambda column: sorted(names.index(name) for name in column))
    return {
        name: "".join(_letter(place) for place, column in enumerate(columns) if name in column)
        for name in names
    }


def _letter(place: int) -> str:
    turn, letter = divmod(place, len(string.ascii_lowercase))
    return string.ascii_lowercase[letter] + (str(turn) if turn else "")
