"""What reading and selecting one source gives, and the steps every format shares."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from isogloss.errors import SettingsError
from isogloss.patents.record import Publication, Refusal
from isogloss.patents.selection import Rules, count_rules, judge, newest_first, outcomes_array
from isogloss.patents.surechembl import listed_numbers
from isogloss.settings import SourceSettings

MOST_LANGUAGES = 64


@dataclass
class Ingested:
    """One source read and selected.

    Attributes:
        publications: Those that stay, one version a language, in the order of document ids.
        records: Records read, loaded and refused (read = loaded + refused), and the publications
            they make before any rule.
        rules: Publications and documents before and after each rule.
        counts: How often each smaller thing happened (a text missing, a language unknown, ...).
        other_languages: Versions in languages that are no target, by language.
        refused: Records and files that cannot be used; the rest loads.
        cut_short: Shards that end early; their whole rows are loaded.
        conflicts: What contradicts itself, by id.
        unknown_tags: The first few language tags that nobody knows.
        not_read: Text files of no known format and members of archives that are of no kind that
            is read, and why.
    """

    publications: Sequence[Publication]
    records: dict[str, int]
    rules: list[dict[str, Any]]
    counts: Counter[str] = field(default_factory=Counter)
    other_languages: Counter[str] = field(default_factory=Counter)
    refused: list[Refusal] = field(default_factory=list)
    cut_short: list[dict[str, str]] = field(default_factory=list)
    conflicts: list[dict[str, Any]] = field(default_factory=list)
    unknown_tags: list[str] = field(default_factory=list)
    not_read: dict[str, str] = field(default_factory=dict)


def rules_of(
    settings: SourceSettings, *, chemistry: bool | None = None, surechembl: Path | None = None
) -> Rules:
    """The selection rules of a source.

    Args:
        settings: The source's part of params.yaml.
        chemistry: Overrides the setting where a format knows no codes.
        surechembl: File of numbers that count as chemistry; the setting's path once it is resolved.

    Raises:
        SettingsError: More target languages than a mask of 64 bits holds.
        DataError: The SureChEMBL list cannot be read.
    """
    if len(settings.languages) > MOST_LANGUAGES:
        raise SettingsError(f"languages: {len(settings.languages)} named, {MOST_LANGUAGES} at most")
    if surechembl is not None:
        # A list that cannot be read is an error of the call, not of each shard.
        listed_numbers(surechembl)
    selection = settings.selection
    return Rules(
        languages=tuple(settings.languages),
        chemistry=selection.chemistry if chemistry is None else chemistry,
        surechembl=surechembl,
        minimum_words=selection.minimum_words,
        minimum_languages=selection.minimum_languages,
        limit=selection.limit,
    )


def document_order(number: str) -> str:
    """Sort key that puts families in the order of their documents' ids (``family:language``)."""
    return f"{number}:"


def limited(
    found: list[tuple[str, str | None, int]], rules: Rules, counts: list[dict[str, Any]]
) -> list[int]:
    """Apply the limit and give the order of document ids; the limit's row is added to `counts`.

    Args:
        found: (number, date, documents) of each publication that stays.
        rules: The selection.
        counts: Rows of `count_rules`, of which the last one says what is left so far.

    Returns:
        Indexes into `found`, those that stay, in document order.
    """
    indexes = list(range(len(found)))
    if rules.limit is not None:
        indexes.sort(key=lambda index: newest_first(found[index][1], found[index][0]))
        indexes = indexes[: rules.limit]
        documents = sum(found[index][2] for index in indexes)
        counts.append(limit_row(rules.limit, counts, len(indexes), documents))
    return sorted(indexes, key=lambda index: document_order(found[index][0]))


def limit_row(
    limit: int, counts: list[dict[str, Any]], publications: int, documents: int
) -> dict[str, Any]:
    """The limit's row of the counts: it begins where the last rule ended."""
    return {
        "rule": f"newest {limit} publications",
        "before": dict(counts[-1]["after"]),
        "after": {"publications": publications, "documents": documents},
    }


def select(publications: Sequence[Publication], rules: Rules) -> Ingested:
    """Take publications held in memory, each number once, through the rules.

    Returns:
        The publications that stay, the rules' counts and the conflicts; the rest is the reader's.
    """
    outcomes = bytearray()
    kept: list[Publication] = []
    for index, publication in enumerate(publications):
        outcome = judge(publication, rules)
        outcomes += outcome.packed(index)
        if outcome.chosen is not None:
            kept.append(outcome.chosen)
    counts = count_rules(outcomes_array(outcomes), rules)
    order = limited([(one.number, one.date, len(one.versions)) for one in kept], rules, counts)
    return Ingested(
        publications=[kept[index] for index in order],
        records={"publications": len(publications)},
        rules=counts,
        conflicts=[conflict for one in kept for conflict in one.conflicts],
    )
