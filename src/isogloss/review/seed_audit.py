"""The audit of machine-translated seed documents: adequacy, fluency, accept or reject."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from isogloss.errors import DataError
from isogloss.review.criteria import decision_column, explanations, score_columns, task
from isogloss.review.design import Column, Remark, Sheet, Workbook
from isogloss.review.people import person
from isogloss.review.returns import Return
from isogloss.review.sampling import stratified_sample
from isogloss.schema import conform
from isogloss.statistics.agreement import wilson

# One row a machine-translated document. `stratum` is what the sample is spread over.
SEED_AUDIT = pa.schema(
    [
        pa.field(name, pa.string(), nullable=False)
        for name in ("document", "stratum", "source", "translation")
    ]
)


@dataclass(frozen=True)
class SeedRating:
    """One annotator's judgement of one translation."""

    document: str
    annotator: str
    adequacy: int
    fluency: int
    accepted: bool
    comment: str


def checked_seeds(table: pa.Table, where: str) -> list[dict[str, Any]]:
    """The rows of a seed table, checked.

    Raises:
        DataError: The table breaks its schema, or an id comes twice.
    """
    rows: list[dict[str, Any]] = conform(table, SEED_AUDIT, where).to_pylist()
    seen: set[str] = set()
    for number, row in enumerate(rows, start=1):
        if row["document"] in seen:
            raise DataError(
                f"{where}, row {number}, document {row['document']!r}: is there already; drop one"
            )
        seen.add(row["document"])
    return rows


def sample_seeds(rows: list[dict[str, Any]], size: int, seed: int) -> list[dict[str, Any]]:
    """Draw a seeded sample, spread over the strata in proportion."""
    drawn = stratified_sample(
        [row["document"] for row in rows], [row["stratum"] for row in rows], size, seed
    )
    by_id = {row["document"]: row for row in rows}
    return [by_id[document] for document in drawn]


def seed_workbook(sample: list[dict[str, Any]], benchmark: str, annotator: str) -> Workbook:
    """Lay a sample out for one annotator."""
    columns = (
        Column("id", "Document", width=20),
        Column("source", "English source", width=70),
        Column("translation", "Chinese translation", width=60),
        *score_columns("seed"),
        decision_column(),
        Column("comment", "Comment", Remark(), 30),
    )
    rows = tuple(
        {"id": row["document"], "source": row["source"], "translation": row["translation"]}
        for row in sample
    )
    return Workbook(
        f"seed-audit/{benchmark}/{person(annotator)}",
        (Sheet("Translations", columns, rows),),
        task("seed")["introduction"],
        explanations("seed"),
    )


def seed_ratings(returned: Return, annotator: str) -> list[SeedRating]:
    """The ratings of a returned sheet, by document id."""
    return [
        SeedRating(
            document,
            annotator,
            int(values["adequacy"] or 0),
            int(values["fluency"] or 0),
            values["decision"] == "accept",
            str(values["comment"] or ""),
        )
        for document, values in sorted(returned.entries.items())
    ]


def seed_figures(ratings: Sequence[SeedRating], n_sampled: int) -> dict[str, Any]:
    """Mean adequacy and fluency, and the share accepted (ChemCLIR-Bench A.3.1).

    Where several rated a document, its scores are their means, and it is accepted when more than
    half accept it (our reading).

    Returns:
        Counts, `adequacy`, `fluency`, `accepted`, `acceptance` with its Wilson interval, and
        `notes` with a reason for every null.
    """
    documents: dict[str, list[SeedRating]] = {}
    for rating in ratings:
        documents.setdefault(rating.document, []).append(rating)
    groups = list(documents.values())
    accepted = sum(2 * sum(one.accepted for one in group) > len(group) for group in groups)
    interval = wilson(accepted, len(groups))
    notes = [] if groups else ["no translation has been rated: every figure is null"]
    if groups and len(groups) < n_sampled:
        notes.append(f"{n_sampled - len(groups)} sampled translations are not rated")
    return {
        "n_sampled": n_sampled,
        "n_documents": len(groups),
        "n_ratings": len(ratings),
        "annotators": sorted({rating.annotator for rating in ratings}),
        "adequacy": _mean([[one.adequacy for one in group] for group in groups]),
        "fluency": _mean([[one.fluency for one in group] for group in groups]),
        "accepted": accepted,
        "acceptance": accepted / len(groups) if groups else None,
        "acceptance_ci": list(interval) if interval else None,
        "notes": notes,
    }


def _mean(groups: Sequence[Sequence[int]]) -> float | None:
    return sum(sum(group) / len(group) for group in groups) / len(groups) if groups else None
