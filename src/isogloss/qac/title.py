"""Known-item queries from titles: the title in one language is the query, no title is evidence."""

from isogloss.benchmark import Document, Query
from isogloss.qac.made import Made, count_documents, gold, known_item_query, tally, with_text
from isogloss.qac.versions import Family

MODE = "title"
NO_VERSION = "no_version"
NO_TITLE = "no_title"
REASONS = (NO_VERSION, NO_TITLE)


def make_title_queries(read: list[Family]) -> Made:
    """Make one query of every title and take every title out of the evidence.

    Each language version with a title gives one query, whose gold are all versions of its family
    (known-item retrieval, **our reading** of a maker that needs no language model). A version
    without abstract, claim or passage would be left empty: it leaves the benchmark and is counted,
    and its title is no query.

    Args:
        read: Families, as `isogloss.qac.versions.families` gives them.

    Returns:
        Documents without titles, queries, qrels; `counts` holds for each language L of the corpus
        families = queries + no_version (nothing with text in L) + no_title (a text, but no title).
    """
    kept, without_text = with_text(read)
    queries: list[Query] = []
    qrels: list[tuple[str, str, int]] = []
    by_language: dict[str, dict[str, int]] = {}
    for language in sorted({language for family in read for language in family.languages}):
        reasons = []
        made = 0
        for family in kept:
            version = family.version(language)
            if version is None:
                reasons.append(NO_VERSION)
            elif not version.title.strip():
                reasons.append(NO_TITLE)
            else:
                query = known_item_query(family, language, MODE, version.title.strip())
                queries.append(query)
                qrels += gold(query, family.versions)
                made += 1
        skipped = tally(reasons, REASONS)
        by_language[language] = {"families": len(kept), "queries": made, **skipped}
    documents: list[Document] = [
        version.document(title="", text=version.body)
        for family in kept
        for version in family.versions
    ]
    counts = {"documents": count_documents(read, without_text), "by_language": by_language}
    return Made(tuple(documents), tuple(queries), tuple(qrels), counts)
