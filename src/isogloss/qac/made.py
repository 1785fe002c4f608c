"""What a query maker hands over: documents, queries, qrels, and a count of what was left out."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from isogloss.benchmark import Document, Query, QueryMetadata
from isogloss.qac.versions import Family, Version

SETUP = "known-item"


@dataclass(frozen=True)
class Made:
    """A benchmark as a maker made it.

    Attributes:
        qrels: (query id, document id, value) triples.
        counts: What was read, kept and left out, by reason; every level adds up.
    """

    documents: tuple[Document, ...]
    queries: tuple[Query, ...]
    qrels: tuple[tuple[str, str, int], ...]
    counts: dict[str, object]


def known_item_query(family: Family, language: str, mode: str, text: str) -> Query:
    """A query of a family whose id, setup and mode say that it is a known item."""
    return Query(
        id=f"{family.id}:{language}:{mode}",
        text=text,
        metadata=QueryMetadata(
            language=language,
            family=family.id,
            setup=SETUP,
            mode=mode,
            cluster=family.cluster if family.cluster != family.id else None,
        ),
    )


def gold(query: Query, versions: Iterable[Version]) -> list[tuple[str, str, int]]:
    """Every version of the query's family is gold, in its own language and in others."""
    return [(query.id, version.id, 1) for version in versions]


def with_text(read: list[Family]) -> tuple[list[Family], int]:
    """Leave out versions whose evidence block holds nothing but a title.

    A query maker takes text out of the block, and an encoder cannot embed what is left of these. A
    family without any version left is kept, empty, so that its maker counts it.

    Returns:
        The families with the versions that have text, and how many versions were left out.
    """
    kept = [
        Family(family.id, family.cluster, tuple(one for one in family.versions if one.body))
        for family in read
    ]
    total = sum(len(family.versions) for family in read)
    return kept, total - sum(len(family.versions) for family in kept)


def count_documents(read: list[Family], without_text: int) -> dict[str, int]:
    """Documents read = documents kept + documents without text."""
    total = sum(len(family.versions) for family in read)
    return {"read": total, "kept": total - without_text, "without_text": without_text}


def tally(reasons: Iterable[str], known: Iterable[str]) -> dict[str, int]:
    """Count reasons; those that never came up are shown as 0."""
    counted = Counter(reasons)
    return {reason: counted[reason] for reason in known}


def counts_text(counts: Mapping[str, object]) -> str:
    """Counts in words, those of 0 left out: ``documents: read 2, kept 2; de: no title 1``."""
    single: list[str] = []
    groups: list[str] = []
    for key, value in counts.items():
        if not isinstance(value, Mapping):
            single += [f"{key.replace('_', ' ')} {value}"] if value else []
        elif any(isinstance(inner, Mapping) for inner in value.values()):
            groups.append(counts_text(value))
        elif inside := counts_text(value):
            groups.append(f"{key.replace('_', ' ')}: {inside}")
    return "; ".join([", ".join(single), *groups] if single else groups)
