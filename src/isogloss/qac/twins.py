"""Texts that stand in a benchmark more than once, and queries that quote a document.

The rule (**our reading**; ChemCLIR-Bench does not state one): the qrels alone decide what is gold.
A document that no qrel names counts as non-relevant even if its text equals a gold document's text
or its family belongs to the same cluster. Such unjudged twins push gold documents down the ranking,
so they are reported with every benchmark and never corrected for. Ties between equal texts fall by
document id.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from isogloss.benchmark import Document, Query
from isogloss.qac.normal import normal_form

Gold = dict[str, set[str]]


@dataclass(frozen=True)
class Twins:
    """Groups of document ids, each group and all groups in order of id.

    Attributes:
        exact: Documents of the same text, to the last byte.
        normalised: Documents of the same text by `isogloss.qac.normal.normal_form`; holds the
            exact groups too.
    """

    exact: list[list[str]]
    normalised: list[list[str]]


def find_twins(documents: Iterable[Document]) -> Twins:
    """Group documents of equal text; documents without any text are no twins."""
    exact: dict[str, list[str]] = defaultdict(list)
    normalised: dict[str, list[str]] = defaultdict(list)
    for document in documents:
        folded = normal_form(document.content)
        if folded:
            exact[document.content].append(document.id)
            normalised[folded].append(document.id)
    return Twins(_groups(exact), _groups(normalised))


def _groups(by_text: dict[str, list[str]]) -> list[list[str]]:
    return sorted(sorted(ids) for ids in by_text.values() if len(ids) > 1)


def find_repeated_queries(queries: Iterable[Query]) -> list[list[str]]:
    """Group ids of queries of one normalised text and language: one question, several answers."""
    by_text: dict[str, list[str]] = defaultdict(list)
    for query in queries:
        by_text[f"{query.metadata.language} {normal_form(query.text)}"].append(query.id)
    return _groups(by_text)


def queries_with_twins(twins: Twins, gold: Gold) -> list[str]:
    """Ids of queries whose gold has a twin, by normalised text, that is not gold."""
    group_of = {name: group for group in twins.normalised for name in group}
    return sorted(
        query
        for query, relevant in gold.items()
        if any(other not in relevant for one in relevant for other in group_of.get(one, ()))
    )


def find_cluster_twins(
    documents: Iterable[Document], queries: Iterable[Query], gold: Gold
) -> dict[str, list[str]]:
    """Documents of other publications of a query's cluster that the qrels do not name as gold.

    Returns:
        Query id to document ids, for the queries that have any.
    """
    members: dict[str, list[Document]] = defaultdict(list)
    for document in documents:
        members[document.cluster].append(document)
    found = {}
    for query in queries:
        relevant = gold.get(query.id, set())
        others = [
            document.id
            for document in members[query.cluster]
            if document.metadata.family != query.metadata.family and document.id not in relevant
        ]
        if others:
            found[query.id] = sorted(others)
    return found


@dataclass(frozen=True)
class Leakage:
    """Queries that can be answered by string comparison.

    Attributes:
        equal: (query id, document id) where the query equals the document's text, title or both
            together, in normal form.
        contained: Ids of queries that stand whole inside the text of one of their gold documents.
    """

    equal: list[tuple[str, str]]
    contained: list[str]


def find_leakage(documents: Sequence[Document], queries: Iterable[Query], gold: Gold) -> Leakage:
    """Find queries that equal a document or stand inside one of their gold documents."""
    holders: dict[str, set[str]] = defaultdict(set)
    contents = {}
    for document in documents:
        contents[document.id] = normal_form(document.content)
        for part in (document.content, document.title, document.text):
            if part:
                holders[normal_form(part)].add(document.id)
    equal: list[tuple[str, str]] = []
    contained = []
    for query in queries:
        text = normal_form(query.text)
        equal += [(query.id, name) for name in holders.get(text, ())]
        if text and any(text in contents[name] for name in gold.get(query.id, ())):
            contained.append(query.id)
    return Leakage(sorted(equal), sorted(contained))
