"""Cheap local checks beside a verifier's scores: stored for each query, they decide nothing."""

from dataclasses import dataclass

from isogloss.qac.candidates import Candidate
from isogloss.qac.normal import normal_form
from isogloss.qac.quantities import missing_quantities
from isogloss.qac.question_language import question_language
from isogloss.words import words


@dataclass(frozen=True)
class Checks:
    """What can be told of a candidate without a model.

    Attributes:
        evidence_occurs: The evidence span is in the document, case and white space aside.
        missing_quantities: Numbers and units of the answer that the document does not hold.
        question_language: The language found; None where none could be told.
        lexical_overlap: General mode: share of the question's distinct words that the document
            holds too, 0 to 1; None in technical mode or without words.
    """

    evidence_occurs: bool
    missing_quantities: tuple[str, ...]
    question_language: str | None
    lexical_overlap: float | None


def check(candidate: Candidate, block: str, languages: tuple[str, ...]) -> Checks:
    """Check a candidate against the evidence block of its document.

    Args:
        candidate: One that holds a question.
        block: The evidence block.
        languages: The languages that the question may be in.
    """
    overlap = None
    if candidate.mode == "general":
        overlap = lexical_overlap(
            candidate.question, candidate.language, block, candidate.document_language
        )
    return Checks(
        evidence_occurs=normal_form(candidate.evidence) in normal_form(block),
        missing_quantities=tuple(missing_quantities(candidate.answer, block)),
        question_language=question_language(candidate.question, languages),
        lexical_overlap=overlap,
    )


def lexical_overlap(
    question: str, language: str, document: str, document_language: str
) -> float | None:
    """Share of the question's distinct words that occur in the document, 0 to 1."""
    asked = {word.casefold() for word in words(question, language)}
    if not asked:
        return None
    there = {word.casefold() for word in words(document, document_language)}
    return round(len(asked & there) / len(asked), 6)
