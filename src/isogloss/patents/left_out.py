"""What a reader left out before any rule, in words: counts of the report that took text away."""

from collections.abc import Mapping

from isogloss.patents.ingest import Ingested
from isogloss.settings import SourceSettings

# (singular, plural) behind the number; a count that is not named here took nothing away.
_WORDS = {
    "documents_shorter_than_a_passage": (
        "document shorter than passage_segments ({size})",
        "documents shorter than passage_segments ({size})",
    ),
    "short_last_passages": (
        "last passage of fewer than passage_segments ({size}) segments",
        "last passages of fewer than passage_segments ({size}) segments",
    ),
    "versions_not_aligned": (
        "version of a passage without a text for each of its segments",
        "versions of a passage without a text for each of its segments",
    ),
    "excluded_segments": (
        "segment of documents named under exclude",
        "segments of documents named under exclude",
    ),
    "segment_without_text": ("segment without text", "segments without text"),
    "language_unknown": (
        "text under a language tag that is not known",
        "texts under language tags that are not known",
    ),
    "abstract_without_text": ("abstract without text", "abstracts without text"),
    "placeholder_abstract": ("placeholder for an abstract", "placeholders for abstracts"),
    "claims_language_unknown": (
        "set of claims under a language tag that is not known",
        "sets of claims under language tags that are not known",
    ),
    "first_claim_empty": ("empty first claim", "empty first claims"),
    "further_claims_of_a_language": (
        "further set of claims of a language",
        "further sets of claims of a language",
    ),
}
_KIND = ("kind_", "_makes_no_document")


def left_out(found: Ingested, settings: SourceSettings) -> list[str]:
    """Say each count that is not zero, versions in other languages among them.

    Args:
        found: A source as it was read.
        settings: The source's part of params.yaml.
    """
    counts = dict(found.counts)
    tags = f" ({', '.join(found.unknown_tags)})" if found.unknown_tags else ""
    # A document that is shorter than a passage is its own last passage: told once.
    short = counts.get("documents_shorter_than_a_passage", 0)
    counts["short_last_passages"] = counts.get("short_last_passages", 0) - short
    size = settings.passage_segments
    lines = [
        _said(counts.get(key, 0), (one.format(size=size), many.format(size=size)))
        + (tags if key.endswith("language_unknown") and counts.get(key, 0) else "")
        for key, (one, many) in _WORDS.items()
    ]
    lines += _kinds(counts)
    others = sum(found.other_languages.values())
    codes = ", ".join(sorted(found.other_languages))
    versions = "in languages that are no target"
    lines.append(_said(others, (f"version {versions} ({codes})", f"versions {versions} ({codes})")))
    return [line for line in lines if line]


def _kinds(counts: Mapping[str, int]) -> list[str]:
    before, after = _KIND
    return [
        _said(count, (f"record of kind {kind}", f"records of kind {kind}"))
        + ", which makes no document"
        for key, count in sorted(counts.items())
        if key.startswith(before) and key.endswith(after) and count
        for kind in (key.removeprefix(before).removesuffix(after),)
    ]


def _said(count: int, words: tuple[str, str]) -> str:
    return f"{count} {words[count != 1]}" if count else ""
