"""Edit distance over words."""

from collections.abc import Hashable, Sequence


def edit_distance(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Levenshtein distance: fewest insertions, deletions and replacements of whole items.

    The columns of the dynamic program are kept as bit vectors (Myers 1999, in the form of Hyyrö
    2003), so that a long text costs one pass over its words.

    Args:
        first: Any sequence, for instance the words of a text.
        second: The sequence it is compared with.

    Returns:
        The number of edits; at most the length of the longer sequence.
    """
    if not first or not second:
        return max(len(first), len(second))
    places: dict[Hashable, int] = {}
    for index, item in enumerate(first):
        places[item] = places.get(item, 0) | 1 << index
    full, last = (1 << len(first)) - 1, 1 << (len(first) - 1)
    rises, falls, distance = full, 0, len(first)
    for item in second:
        match = places.get(item, 0)
        diagonal = (((match & rises) + rises) ^ rises) | match | falls
        up, down = falls | ~(diagonal | rises) & full, rises & diagonal
        distance += bool(up & last) - bool(down & last)
        up, down = (up << 1 | 1) & full, (down << 1) & full
        rises, falls = down | ~(diagonal | up) & full, up & diagonal
    return distance
