"""The figures of ChemCLIR-Bench table 1 and the counts beside them, for any benchmark."""

import statistics
from collections import Counter
from collections.abc import Iterable

from isogloss.benchmark import Benchmark, Document, Query
from isogloss.words import segmenter_version, words


def describe(benchmark: Benchmark) -> dict[str, object]:
    """Count what a benchmark holds.

    Tokens are ICU dictionary words (Unicode word segmentation), the spread is the sample standard
    deviation and the vocabulary counts case-folded words over all languages (all **our reading** of
    table 1). A document's tokens are those of its title and text together.

    Returns:
        The columns of table 1 under its names; `languages`, `routes` (pairs of a query and a gold
        document), `offices`, `origins`, `setups` and `modes`; queries by the kind of gold they
        have. A figure that does not exist is null, with its reason under `notes`.
    """
    pairs = gold_pairs(benchmark)
    languages: dict[str, Counter[str]] = {}
    routes: Counter[str] = Counter()
    kinds: dict[str, set[bool]] = {}
    for document in benchmark.documents:
        languages.setdefault(document.metadata.language, Counter())["documents"] += 1
    for query in benchmark.queries:
        languages.setdefault(query.metadata.language, Counter())["queries"] += 1
    for query, document in pairs:
        source, target = query.metadata.language, document.metadata.language
        languages[target]["gold"] += 1
        routes[f"{source}>{target}"] += 1
        kinds.setdefault(query.id, set()).add(source == target)
    without = [query.id for query in benchmark.queries if query.id not in kinds]
    return {
        "dataset_version": benchmark.version,
        "corpus_docs": len(benchmark.documents),
        "queries": len(benchmark.queries),
        "qrels": len(pairs),
        "cross_qrels": sum(q.metadata.language != d.metadata.language for q, d in pairs),
        **_token_figures("q", ((one.text, one.metadata.language) for one in benchmark.queries)),
        **_token_figures(
            "c", ((one.content, one.metadata.language) for one in benchmark.documents)
        ),
        "families": len({document.metadata.family for document in benchmark.documents}),
        "clusters": len({document.cluster for document in benchmark.documents}),
        "languages": {
            code: {key: languages[code][key] for key in ("documents", "queries", "gold")}
            for code in sorted(languages)
        },
        "routes": dict(sorted(routes.items())),
        "offices": _counted(document.metadata.office for document in benchmark.documents),
        "origins": _counted(document.metadata.origin for document in benchmark.documents),
        "setups": _counted(query.metadata.setup for query in benchmark.queries),
        "modes": _counted(query.metadata.mode for query in benchmark.queries),
        "queries_dual_gold": sum(sides == {True, False} for sides in kinds.values()),
        "queries_same_gold_only": sum(sides == {True} for sides in kinds.values()),
        "queries_cross_gold_only": sum(sides == {False} for sides in kinds.values()),
        "queries_without_gold": without,
        "documents_without_text": [one.id for one in benchmark.documents if not one.content],
        "segmenter": segmenter_version(),
    }


def gold_pairs(benchmark: Benchmark) -> list[tuple[Query, Document]]:
    """Query and document of every qrel above 0, in the benchmark's order."""
    return [
        (benchmark.queries[query], benchmark.documents[document])
        for query, document, value in zip(
            benchmark.judged_queries,
            benchmark.judged_documents,
            benchmark.judged_values,
            strict=True,
        )
        if value > 0
    ]


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(name or "unknown" for name in names).items()))


def _token_figures(side: str, texts: Iterable[tuple[str, str]]) -> dict[str, float | int | None]:
    """Mean, spread and vocabulary of one side; a single text has no spread."""
    lengths = []
    vocabulary: set[str] = set()
    for text, language in texts:
        found = words(text, language)
        lengths.append(len(found))
        vocabulary.update(word.casefold() for word in found)
    return {
        f"{side}_tokens_mean": round(statistics.fmean(lengths), 4) if lengths else None,
        f"{side}_tokens_sd": round(statistics.stdev(lengths), 4) if len(lengths) > 1 else None,
        f"{side}_vocab": len(vocabulary),
    }
