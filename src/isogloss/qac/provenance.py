"""Where a benchmark's text comes from, how its queries were made and who is to be credited."""

from dataclasses import dataclass, field

# No more than a source declares with the word: who wrote or translated stands in its attribution.
ORIGINS = {
    "published": "published text, as its publication gives it",
    "synthetic": "made up for a purpose; no such publication exists",
    "human-translated": "originals and translations by people",
    "machine-translated": "translated by machine, in whole or in part",
    "unknown": "not stated",
}


@dataclass(frozen=True)
class Provenance:
    """What a card must say and the three benchmark files do not.

    Attributes:
        source: Key of the source, or the name of the imported folder.
        method: Sentences on how queries and evidence came about.
        counts: What was read, kept and left out.
        remarks: Further sentences a reader must know, such as distractors kept on purpose.
        attribution: Licence and credit as given beside the raw data; empty where none was given.
    """

    source: str
    method: str
    counts: dict[str, object] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    attribution: str = ""


TITLE_METHOD = (
    "Known-item queries from titles, made without a language model: the title of a document in its "
    "language is the query, every language version of its family is gold, and titles are taken out "
    "of the evidence. These are not questions that a person asked."
)
CLOZE_METHOD = (
    "Known-item queries by inverse cloze, made without a language model: one sentence of one "
    "language version, chosen by seed {seed}, is the query, every version of its family is gold, "
    "and the aligned sentence is taken out of every version. Families whose sentences do not align "
    "stay in the pool and give no query. These are not questions that a person asked."
)
