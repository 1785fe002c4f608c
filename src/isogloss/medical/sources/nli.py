"""MedNLI and BioNLI: a premise, a hypothesis, and a relation that is compared by name."""

import re
from collections.abc import Mapping
from typing import Any

from isogloss.medical.relations import RELATIONS, is_unlabelled, relation
from isogloss.medical.sources.draft import Draft, LeftOutError, RefusedError, text_of

NO_GOLD = "no gold label"
POSITIVE = "pos"
NEGATIVE = (
    "generation", "generation_nd", "generation_nd_SEN", "generation_nd_SRE", "SRE", "SREO", "SEN",
    "SEP", "LPR", "swap_number", "posToNeg", "negToPos",
)  # fmt: skip
"""Categories of bent conclusions in the published code."""
_MARKS = re.compile(r"\s*<(?:re|er|el|le|exp|end)>\s*")


def mednli_draft(record: Mapping[str, Any], dataset: str, language: str) -> Draft:
    """Make a draft of one pair in SNLI's JSONL form (``sentence1``, ``sentence2``, ``gold_label``).

    Raises:
        LeftOutError: The annotators agreed on no label (``-``).
        RefusedError: A field is missing, or the label names none of the three relations.
    """
    gold = _gold(record, "gold_label")
    found = relation(str(gold))
    if found is None:
        raise RefusedError(f"gold_label {gold!r} names no relation")
    lines = {
        "Premise": text_of(record, "sentence1"),
        "Hypothesis": text_of(record, "sentence2"),
    }
    options = [name.capitalize() for name in RELATIONS]
    return Draft(dataset, language, lines, RELATIONS.index(found), options)


def bionli_draft(record: Mapping[str, Any], dataset: str, language: str) -> Draft:
    """Make a draft of one row of the published CSV (``supp_set``, ``conclusion``, ``label_cat``).

    ``pos`` marks the author's own conclusion; every other category names how a conclusion was
    bent into its opposite, so there are two relations, as in the publishers' own classifier, which
    leaves the category ``SET`` out. Entity marks are removed.

    Raises:
        LeftOutError: The row has no category, or SET.
        RefusedError: A field is missing, or the category is none of the publishers'.
    """
    gold = _gold(record, "label_cat")
    lines = {
        "Premise": _unmarked(text_of(record, "supp_set")),
        "Hypothesis": _unmarked(text_of(record, "conclusion")),
    }
    category = str(gold).strip()
    if category == "SET":
        raise LeftOutError("category SET")
    if category not in (POSITIVE, *NEGATIVE):
        raise RefusedError(f"label_cat {category!r} is no category of BioNLI")
    right = 0 if category == POSITIVE else 1
    return Draft(dataset, language, lines, right, ["Entailment", "Contradiction"])


def _gold(record: Mapping[str, Any], key: str) -> Any:
    """A record without the field is another file's; one with an empty field has no gold label."""
    if key not in record:
        raise RefusedError(f"field {key!r} is missing")
    gold = record[key]
    if gold is None or is_unlabelled(str(gold)):
        raise LeftOutError(NO_GOLD)
    return gold


def _unmarked(text: str) -> str:
    plain = " ".join(_MARKS.sub(" ", text).split())
    return re.sub(r"\s+([.,;:])(?=\s|$)", r"\1", plain)
