"""Language tags that nobody knows: counted, and the first few named, among a reader's counts."""

from collections import Counter

from isogloss.foreign_text import shown

# Counts travel from processes and stored parts as they are; keys that begin so hold a tag each.
_PREFIX = "unknown language tag: "
MOST_NAMED = 5
_LONGEST_TAG = 20


def count_unknown(counts: Counter[str], reason: str, tag: str | None) -> None:
    """Count a text under an unknown tag, and note the tag where it is among the first by name."""
    counts[reason] += 1
    key = f"{_PREFIX}{shown(tag or '', _LONGEST_TAG) or 'none'}"
    counts[key] += 1
    noted = [one for one in counts if one.startswith(_PREFIX)]
    if len(noted) > MOST_NAMED:
        del counts[max(noted)]


def parted(counts: Counter[str]) -> tuple[Counter[str], list[str]]:
    """The counts alone, and the first few unknown tags by name, however the source was cut up."""
    tags = sorted(key.removeprefix(_PREFIX) for key in counts if key.startswith(_PREFIX))
    alone = {key: count for key, count in counts.items() if not key.startswith(_PREFIX)}
    return Counter(alone), tags[:MOST_NAMED]
