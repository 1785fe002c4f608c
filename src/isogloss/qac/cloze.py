"""Inverse cloze: one sentence of a version is the query, its translations leave every version."""

from dataclasses import dataclass

from isogloss.benchmark import Document, Query
from isogloss.engine import LOCAL, Engine
from isogloss.qac.made import Made, count_documents, gold, known_item_query, tally, with_text
from isogloss.qac.normal import normal_form
from isogloss.qac.seeded import balanced, draw
from isogloss.qac.sentences import Pieces, pieces
from isogloss.qac.versions import Family
from isogloss.words import count_words

MODE = "cloze"
# Fewer ("1.", "See above.") name nothing that could be searched for or found.
MINIMUM_WORDS = 5
FAMILIES_AT_ONCE = 500

NO_TEXT = "no_text"
COUNTS_DIFFER = "sentence_counts_differ"
SEGMENTS_DIFFER = "segments_differ"
ONE_SENTENCE = "one_sentence"
NO_USABLE_SENTENCE = "no_usable_sentence"
REASONS = (NO_TEXT, COUNTS_DIFFER, SEGMENTS_DIFFER, ONE_SENTENCE, NO_USABLE_SENTENCE)


@dataclass(frozen=True)
class Candidate:
    """A family that can give a query: its pieces, and where each usable sentence can be asked."""

    family: Family
    pieces: tuple[Pieces, ...]
    usable: dict[int, tuple[str, ...]]
    """From the place of a sentence to the languages in which it is long enough for a query."""

    def place(self, seed: int) -> int:
        """The sentence that leaves: drawn from those usable in most languages.

        It depends on this family alone, so what another family adds or takes away never changes
        the documents of this one.
        """
        most = max(len(languages) for languages in self.usable.values())
        places = [place for place, languages in self.usable.items() if len(languages) == most]
        return places[draw(seed, "sentence", self.family.id) % len(places)]


def make_cloze_queries(read: list[Family], seed: int, engine: Engine = LOCAL) -> Made:
    """Make one query a family and take the aligned sentence out of every version.

    Inverse cloze task (**our reading** of a maker that needs no language model): were the sentence
    taken from its own version only, the foreign versions would keep its translation and the gap
    would turn round. Sentences align by place, so families whose counts differ give no query, nor
    do those of one sentence, which would be left without text; their documents stay in the pool. A
    parallel source aligns by segment id. A sentence is usable when it has `MINIMUM_WORDS` words,
    has a counterpart with text in each version, leaves as many words in each, and neither it nor a
    counterpart is still to be read in any version once it is out. Titles stay in the evidence.
    Versions without text leave the benchmark.

    Args:
        read: Families, as `isogloss.qac.versions.families` gives them.
        seed: Decides language (balanced over languages) and sentence; the order of rows does not.
        engine: Where families are looked at; nothing depends on it.

    Returns:
        Documents, queries, qrels; in `counts`, families = queries + each reason in `skipped`.
    """
    kept, without_text = with_text(read)
    parts = [kept[at : at + FAMILIES_AT_ONCE] for at in range(0, len(kept), FAMILIES_AT_ONCE)]
    examined = [one for part in engine.map(_examine_all, parts, 1) for one in part]
    candidates = {one.family.id: one for one in examined if isinstance(one, Candidate)}
    reasons = [one for one in examined if isinstance(one, str)]
    places = {name: one.place(seed) for name, one in candidates.items()}
    options = {name: sorted(one.usable[places[name]]) for name, one in candidates.items()}
    languages = balanced(options, seed)
    documents: list[Document] = []
    queries: list[Query] = []
    qrels: list[tuple[str, str, int]] = []
    for family in kept:
        candidate = candidates.get(family.id)
        if candidate is None:
            documents += [one.document(one.title, one.body) for one in family.versions]
            continue
        language = languages[family.id]
        index = places[family.id]
        text = candidate.pieces[family.languages.index(language)].texts[index]
        query = known_item_query(family, language, MODE, text)
        queries.append(query)
        qrels += gold(query, family.versions)
        documents += [
            version.document(version.title, cut.without(index))
            for version, cut in zip(family.versions, candidate.pieces, strict=True)
        ]
    counts: dict[str, object] = {
        "seed": seed,
        "documents": count_documents(read, without_text),
        "families": len(kept),
        "queries": len(queries),
        "skipped": tally(reasons, REASONS),
    }
    return Made(tuple(documents), tuple(queries), tuple(qrels), counts)


def _examine_all(families: list[Family]) -> list[Candidate | str]:
    return [_examine(family) for family in families]


def _examine(family: Family) -> Candidate | str:
    """What a query can be made of, or the reason why none can."""
    if not family.versions:
        return NO_TEXT
    cuts = tuple(pieces(version) for version in family.versions)
    if len({cut.ids for cut in cuts}) > 1:
        return SEGMENTS_DIFFER
    if len({len(cut.texts) for cut in cuts}) > 1:
        return COUNTS_DIFFER
    if len(cuts[0].texts) == 1:
        return ONE_SENTENCE
    apart = [index for index in range(len(cuts[0].texts)) if _is_apart(family, cuts, index)]
    usable = {
        index: tuple(
            version.language
            for version, cut in zip(family.versions, cuts, strict=True)
            if count_words(cut.texts[index], version.language) >= MINIMUM_WORDS
        )
        for index in apart
    }
    usable = {index: languages for index, languages in usable.items() if languages}
    return Candidate(family, cuts, usable) if usable else NO_USABLE_SENTENCE


def _is_apart(family: Family, cuts: tuple[Pieces, ...], index: int) -> bool:
    """Whether a sentence, with its counterparts, can be taken out and leaves no copy behind."""
    removed = {normal_form(cut.texts[index]) for cut in cuts}
    if "" in removed:
        return False
    rests = [cut.without(index) for cut in cuts]
    if any(
        count_words(rest, version.language) < MINIMUM_WORDS
        for version, rest in zip(family.versions, rests, strict=True)
    ):
        return False
    left = [
        normal_form(f"{version.title}\n{rest}")
        for version, rest in zip(family.versions, rests, strict=True)
    ]
    return not any(sentence in text for sentence in removed for text in left)
