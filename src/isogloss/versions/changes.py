"""What changed from one dataset version to another: families, queries and gold."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from isogloss.benchmark import Benchmark, Document, Query

Item = TypeVar("Item", Document, Query)


@dataclass(frozen=True)
class FamilyChange:
    """A family that differs.

    Attributes:
        family: Its name.
        kind: ``appeared``, ``left`` or ``changed``.
        added: Languages of documents that it gained.
        removed: Languages of documents that it lost.
        edited: Languages of documents whose text or metadata differ.
    """

    family: str
    kind: str
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    edited: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class DatasetChanges:
    """What two dataset versions of a benchmark differ in.

    Attributes:
        families: Those that differ, by name.
        unchanged: How many families are the same in both.
        queries_appeared: Ids.
        queries_left: Ids.
        queries_changed: Ids of queries whose text or metadata differ.
        gold_changed: Ids of queries that are the same but have other gold.
        same_queries: Ids of queries that are the same and have the same gold.
    """

    families: list[FamilyChange]
    unchanged: int
    queries_appeared: list[str]
    queries_left: list[str]
    queries_changed: list[str]
    gold_changed: list[str]
    same_queries: list[str]

    def of_kind(self, kind: str) -> list[FamilyChange]:
        """The families that appeared, left or changed."""
        return [change for change in self.families if change.kind == kind]

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "families": {
                **{
                    kind: [change.family for change in self.of_kind(kind)]
                    for kind in ("appeared", "left", "changed")
                },
                "unchanged": self.unchanged,
            },
            "queries": {
                "appeared": self.queries_appeared,
                "left": self.queries_left,
                "changed": self.queries_changed,
                "gold_changed": self.gold_changed,
                "unchanged": len(self.same_queries),
            },
        }


def dataset_changes(before: Benchmark, after: Benchmark) -> DatasetChanges:
    """Compare two dataset versions by the ids of families, documents and queries."""
    first, second = _families(before.documents), _families(after.documents)
    changes = [
        change
        for family in sorted({*first, *second})
        if (change := _family_change(family, first.get(family), second.get(family)))
    ]
    asked, asks = _by_id(before.queries), _by_id(after.queries)
    shared = sorted(set(asked) & set(asks))
    gold, golds = _gold(before), _gold(after)
    equal = [key for key in shared if asked[key] == asks[key]]
    return DatasetChanges(
        families=changes,
        unchanged=len({*first, *second}) - len(changes),
        queries_appeared=sorted(set(asks) - set(asked)),
        queries_left=sorted(set(asked) - set(asks)),
        queries_changed=[key for key in shared if asked[key] != asks[key]],
        gold_changed=[key for key in equal if gold[key] != golds[key]],
        same_queries=[key for key in equal if gold[key] == golds[key]],
    )


def _families(documents: Iterable[Document]) -> dict[str, dict[str, Document]]:
    found: dict[str, dict[str, Document]] = defaultdict(dict)
    for document in documents:
        found[document.metadata.family][document.id] = document
    return found


def _family_change(
    family: str, before: Mapping[str, Document] | None, after: Mapping[str, Document] | None
) -> FamilyChange | None:
    if before is None or after is None:
        documents = (before or after or {}).values()
        languages = sorted(document.metadata.language for document in documents)
        if before is None:
            return FamilyChange(family, "appeared", added=languages)
        return FamilyChange(family, "left", removed=languages)
    if before == after:
        return None
    return FamilyChange(
        family,
        "changed",
        added=sorted(after[key].metadata.language for key in after.keys() - before.keys()),
        removed=sorted(before[key].metadata.language for key in before.keys() - after.keys()),
        edited=sorted(
            after[key].metadata.language
            for key in before.keys() & after.keys()
            if before[key] != after[key]
        ),
    )


def _by_id(items: Iterable[Item]) -> dict[str, Item]:
    return {item.id: item for item in items}


def _gold(benchmark: Benchmark) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for query, document, value in zip(
        benchmark.judged_queries.tolist(),
        benchmark.judged_documents.tolist(),
        benchmark.judged_values.tolist(),
        strict=True,
    ):
        if value > 0:
            found[benchmark.queries[query].id].add(benchmark.documents[document].id)
    return found
