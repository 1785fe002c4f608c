"""Language tags that nobody knows: counted, and the first few named, among a reader's counts."""

from collections import Counter

from isogloss.foreign_text import shown

# Counts travel from processes and stored parts as they are; keys that begin so hold a tag each.
_PREFIX = "unknown language tag: "
MOST_NAMED = 5
_LONGEST_TAG = 20


def count_unknown(counts: Counter[str], reason: str, tag: str | None) -> None:
    """Count a text under an unknown tag, and note the tag where few have been noted so far."""
    counts[reason] += 1
    key = f"{_PREFIX}{shown(tag or '', _LONGEST_TAG) or 'none'}"
    if key in counts or sum(one.startswith(_PREFIX) for one in counts) < MOST_NAMED:
        counts[key] += 1


def named_tags(counts: Counter[str]) -> list[str]:
    """The tags that were noted, the most frequent first."""
    tags = [(key.removeprefix(_PREFIX), count) for key, count in counts.items() if _is_tag(key)]
    ranked = sorted(tags, key=lambda one: (-one[1], one[0]))
    return [tag for tag, _ in ranked[:MOST_NAMED]]


def without_tags(counts: Counter[str]) -> Counter[str]:
    """The counts alone."""
    return Counter({key: count for key, count in counts.items() if not _is_tag(key)})


def _is_tag(key: str) -> bool:
    return key.startswith(_PREFIX)
