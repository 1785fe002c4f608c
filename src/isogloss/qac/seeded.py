"""Seeded choices by hash: they depend on names alone, not on row order or a library."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence


def draw(seed: int, *names: str) -> int:
    """A number of 256 bits from a seed and some names, the same on every machine."""
    return int.from_bytes(hashlib.sha256("\0".join((str(seed), *names)).encode()).digest(), "big")


def balanced(options: Mapping[str, Sequence[str]], seed: int) -> dict[str, str]:
    """Choose one option for each name so that the options are used as evenly as they can be.

    Names are taken in seeded order, each gets the option used least so far; ties are drawn.
    One more name can therefore change the option of others.

    Args:
        options: What each name may get; none may be empty.
        seed: Another seed, another choice.

    Returns:
        The chosen option of every name.
    """
    used: Counter[str] = Counter()
    chosen: dict[str, str] = {}
    for name in sorted(options, key=lambda name: (draw(seed, "order", name), name)):
        chosen[name] = min(
            options[name], key=lambda option: (used[option], draw(seed, name, option))
        )
        used[chosen[name]] += 1
    return chosen
