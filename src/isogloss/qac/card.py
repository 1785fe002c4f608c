"""The dataset card: what a benchmark is, how it was made, how large it is, and what it is not."""

from collections.abc import Mapping
from typing import Any

from isogloss.qac.made import SETUP
from isogloss.qac.provenance import ORIGINS, Provenance

# Below this many documents a depth figure measures the pool's end, not the model.
DEPTH_MINIMUM = 1000
LAYOUT = " Layout: BEIR, with language and family in the metadata."
ATTRIBUTION_HEADING = "## Licence and attribution"
NO_ATTRIBUTION = (
    "None was given with the raw data. Find out and state it before sharing this benchmark."
)


def card(name: str, stats: Mapping[str, Any], provenance: Provenance) -> str:
    """Write a benchmark's card in Markdown, with the front matter that dataset hubs read.

    Args:
        name: The benchmark's key.
        stats: The content of stats.json.
        provenance: What the files themselves do not tell.
    """
    sections = [
        _front_matter(stats),
        f"# {name}",
        _what(stats, provenance),
        f"## How it was made\n\n{provenance.method}",
        f"## Size\n\n{_size(stats)}",
        f"## Languages\n\n{_languages(stats)}",
        f"## Origin of the text\n\n{_origins(stats)}",
        f"## Limits\n\n{_limits(stats, provenance)}",
        f"{ATTRIBUTION_HEADING}\n\n{provenance.attribution.strip() or NO_ATTRIBUTION}",
    ]
    return "\n\n".join(sections) + "\n"


def _front_matter(stats: Mapping[str, Any]) -> str:
    # Codes stand in quotes: a bare `no` is false to many YAML readers.
    lines = ["---", "language:", *(f'- "{code}"' for code in stats["languages"])]
    lines += ["task_categories:", "- text-retrieval"]
    if "synthetic" in stats["origins"]:
        lines.append("synthetic: true")
    return "\n".join([*lines, "---"])


def _what(stats: Mapping[str, Any], provenance: Provenance) -> str:
    known = " of known items" if SETUP in stats["setups"] else ""
    return (
        f"A benchmark for cross-lingual retrieval{known} over the source `{provenance.source}`: "
        f"{stats['queries']} queries, {stats['corpus_docs']} documents, {stats['qrels']} gold "
        f"pairs, {stats['cross_qrels']} of them across languages. Dataset version "
        f"`{stats['dataset_version']}` (SHA-256 over corpus.jsonl, queries.jsonl and "
        f"qrels/test.tsv, first 32 hex digits).{LAYOUT}"
    )


def _size(stats: Mapping[str, Any]) -> str:
    rows = [
        ("documents", stats["corpus_docs"]),
        ("families", stats["families"]),
        ("queries", stats["queries"]),
        ("gold pairs", stats["qrels"]),
        ("gold pairs across languages", stats["cross_qrels"]),
        ("queries with gold in their own and in another language", stats["queries_dual_gold"]),
        ("words per query, mean ± SD", _spread(stats, "q")),
        ("words per document, mean ± SD", _spread(stats, "c")),
        ("vocabulary of queries", stats["q_vocab"]),
        ("vocabulary of documents", stats["c_vocab"]),
    ]
    return _table(("", "count"), rows) + f"\n\nWords as segmented by {stats['segmenter']}."


def _spread(stats: Mapping[str, Any], side: str) -> str:
    mean, spread = stats[f"{side}_tokens_mean"], stats[f"{side}_tokens_sd"]
    return f"{mean:.1f} ± {spread:.1f}" if spread is not None else f"{mean:.1f}"


def _languages(stats: Mapping[str, Any]) -> str:
    rows = [
        (code, counts["documents"], counts["queries"], counts["gold"])
        for code, counts in stats["languages"].items()
    ]
    return _table(("language", "documents", "queries", "gold pairs to it"), rows)


def _origins(stats: Mapping[str, Any]) -> str:
    return "\n".join(
        f"- `{origin}`, {count} documents: {ORIGINS.get(origin, 'as its source declares it')}"
        for origin, count in stats["origins"].items()
    )


def _limits(stats: Mapping[str, Any], provenance: Provenance) -> str:
    lines = list(provenance.remarks)
    if stats["corpus_docs"] < DEPTH_MINIMUM:
        lines.append(
            f"Too small for depth figures: {stats['corpus_docs']} documents, fewer than "
            f"{DEPTH_MINIMUM}."
        )
    twins, leakage = stats["twins"], stats["leakage"]
    lines += [
        "Groups of documents with one text, after folding case, width and white space: "
        f"{len(twins['normalised'])}, of which equal to the last byte: {len(twins['exact'])}. A "
        "twin that the qrels do not name counts as non-relevant; queries whose gold has one: "
        f"{len(twins['queries'])}.",
        "Queries with other publications of their cluster in the pool, which are unjudged and "
        f"count as non-relevant: {len(twins['clusters'])}.",
        "Groups of queries of one text in one language, whose gold may differ: "
        f"{len(twins['repeated_queries'])}.",
        f"Leakage: queries equal to a document's text: {len(leakage['equal'])}; queries that stand "
        f"word for word in a gold document: {len(leakage['contained'])}.",
    ]
    if stats["queries_without_gold"]:
        lines.append(
            "Queries without gold, which leave every mean and are named in stats.json: "
            f"{len(stats['queries_without_gold'])}."
        )
    if stats["documents_without_text"]:
        lines.append(
            "Documents without text, which cannot be embedded and are named in stats.json: "
            f"{len(stats['documents_without_text'])}."
        )
    return "\n".join(f"- {line}" for line in lines)


def _table(header: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    lines = [header, tuple("---" for _ in header), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in lines)
