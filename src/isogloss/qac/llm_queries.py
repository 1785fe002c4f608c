"""Kept candidates become queries; every version of their family is gold."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from isogloss.benchmark import Query, QueryMetadata, by_maintainers
from isogloss.errors import DataError
from isogloss.qac.candidates import CANDIDATE, Candidate
from isogloss.qac.criteria import BANDS
from isogloss.qac.made import Made, count_documents, gold, tally, with_text
from isogloss.qac.selection import KEPT, NOT_BEST, REASONS, reasons
from isogloss.qac.verified import VERIFIED
from isogloss.qac.versions import Family
from isogloss.schema import conform

METHOD = (
    "Questions written by the chat model {generator} from one language version of a family each, "
    "in a language, mode and setup that a seeded plan fixed beforehand, three candidates a planned "
    "query. The chat model {verifier} scored each on eight criteria; the best of the three is the "
    "query unless its composite lies in the band reject. Every version of the family is gold. No "
    "person has read them unless an audit says so."
)
BY_HAND = (
    "Questions written by hand by the maintainers of isogloss in place of a chat model's replies, "
    "and recorded as those of {generator}: from one language version of a family each, in a "
    "language, mode and setup that a seeded plan fixed beforehand, three candidates a planned "
    "query. The scores of {verifier} on eight criteria are a second reading by the maintainers, "
    "not an independent one; the best of the three is the query unless its composite lies in the "
    "band reject. Every version of the family is gold. Nobody outside the project has read them "
    "unless an audit says so."
)


_ROLES = ("generator", "verifier")


def make_llm_queries(read: list[Family], verified: pa.Table, where: str) -> Made:
    """Make a benchmark of the candidates that selection kept.

    Args:
        read: Families, as `isogloss.qac.versions.families` gives them.
        verified: The table of the stage verify.
        where: Names the table in errors.

    Returns:
        Documents with their whole evidence block, queries, qrels; in `counts`, planned = queries +
        each reason in `skipped`, and candidates = each fate.

    Raises:
        DataError: The table has another schema, or names a family that the corpus lacks.
    """
    rows = conform(verified, VERIFIED, where).to_pylist()
    kept, without_text = with_text(read)
    by_id = {family.id: family for family in kept}
    queries: list[Query] = []
    qrels: list[tuple[str, str, int]] = []
    for row in rows:
        if row["fate"] != KEPT:
            continue
        family = by_id.get(row["family"])
        if family is None or not family.versions:
            raise DataError(
                f"{where}: family {row['family']} is not in the corpus; plan the queries again"
            )
        query = _query(row, family)
        queries.append(query)
        qrels += gold(query, family.versions)
    documents = tuple(
        version.document(version.title, version.body)
        for family in kept
        for version in family.versions
    )
    counts = {"documents": count_documents(read, without_text), **selection_counts(rows)}
    return Made(documents, tuple(queries), tuple(qrels), counts)


def _query(row: Mapping[str, Any], family: Family) -> Query:
    return Query(
        id=row["id"],
        text=row["question"],
        metadata=QueryMetadata(
            language=row["language"],
            family=family.id,
            setup=row["setup"],
            mode=row["mode"],
            office=_office(family, row["document"]),
            cluster=family.cluster if family.cluster != family.id else None,
            generator=row["generator"],
        ),
    )


def _office(family: Family, document: str) -> str:
    """The office of the version that the query was asked of; of its family where that has left."""
    shown = (version.office for version in family.versions if version.id == document)
    return next(shown, family.versions[0].office)


def selection_counts(rows: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    """Counts over planned queries and candidates that add up, and what local checks found.

    Args:
        rows: Rows of verified.parquet.
    """
    candidates = [Candidate(**{name: row[name] for name in CANDIDATE.names}) for row in rows]
    decided = [row["fate"] for row in rows]
    ends = reasons(candidates, decided)
    kept = [row for row in rows if row["fate"] == KEPT]
    bands = Counter(row["band"] for row in kept)
    return {
        "planned": len(ends),
        "queries": len(kept),
        "skipped": tally((end for end in ends.values() if end != KEPT), REASONS),
        "candidates": {"asked": len(rows), **tally(decided, (KEPT, NOT_BEST, *REASONS))},
        "bands": {name: bands[name] for name in BANDS},
        "checks": {
            "evidence_missing": sum(not row["evidence_occurs"] for row in kept),
            "quantities_missing": sum(bool(row["missing_quantities"]) for row in kept),
            "other_language": sum(row["in_planned_language"] is False for row in kept),
            "language_unknown": sum(row["in_planned_language"] is None for row in kept),
        },
    }


def method_line(verified: pa.Table) -> str:
    """How the queries came about, with the names of the models."""
    names = {role: sorted(set(verified.column(role).to_pylist())) for role in _ROLES}
    by_hand = all(by_maintainers(name) for found in names.values() for name in found)
    text = BY_HAND if by_hand else METHOD
    return text.format(**{role: ", ".join(found) for role, found in names.items()})
