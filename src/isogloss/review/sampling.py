"""Seeded samples over strata that depend on ids alone, not on the order in which rows come."""

from collections.abc import Sequence

from isogloss.files import sha256_bytes


def shuffled(identifiers: Sequence[str], seed: int) -> list[str]:
    """The ids in an order that looks random and is the same on every machine."""
    return sorted(identifiers, key=lambda one: (sha256_bytes(f"{seed}\0{one}".encode()), one))


def shares(sizes: Sequence[int], wanted: int) -> list[int]:
    """Share a sample out over strata in proportion to their sizes.

    Every stratum gets one while there are enough; after that, whichever lies furthest under its
    proportional part comes next. Earlier strata win ties.

    Args:
        sizes: How many there are in each stratum, all at least 1.
        wanted: Size of the sample.

    Returns:
        How many to take from each; they add up to the smaller of `wanted` and all there are.
    """
    total = sum(sizes)
    wanted = min(wanted, total)
    taken = [1 if place < wanted else 0 for place in range(len(sizes))]
    for _ in range(wanted - sum(taken)):
        # Times `total`, so that parts are compared as integers.
        lacks = {
            place: size * wanted - taken[place] * total
            for place, size in enumerate(sizes)
            if taken[place] < size
        }
        taken[max(lacks, key=lambda place: (lacks[place], -place))] += 1
    return taken


def stratified_sample(
    identifiers: Sequence[str], strata: Sequence[str], size: int, seed: int
) -> list[str]:
    """Draw a sample with every stratum in proportion (ChemCLIR-Bench A.3; the rule is our reading).

    Args:
        identifiers: Unique ids.
        strata: The stratum of each, in the same order.
        size: How many to draw; all where there are no more.
        seed: Another seed gives another sample.

    Returns:
        The drawn ids: strata in the order of their names, shuffled inside.
    """
    groups: dict[str, list[str]] = {}
    for identifier, stratum in zip(identifiers, strata, strict=True):
        groups.setdefault(stratum, []).append(identifier)
    # Names in shuffled order, so that no alphabet decides who gets the last seats.
    names = shuffled(list(groups), seed)
    counts = dict(zip(names, shares([len(groups[name]) for name in names], size), strict=True))
    return [
        identifier
        for name in sorted(groups)
        for identifier in shuffled(groups[name], seed)[: counts[name]]
    ]
