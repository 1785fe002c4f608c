"""Aligned text becomes passages: consecutive segments of one document, in every language.

Files are merged on segment ids ``DOCUMENT:SEGMENT``; of two texts for one segment and language the
first by file name stays, and the contradiction is named. Segments stand in numeric order where all
ids of a document are numbers, else in order of first appearance. A last passage with fewer segments
than the others is left out and counted; a language version that lacks a segment of its passage is
not aligned, is left out and counted (our reading).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from isogloss.errors import DataError
from isogloss.languages import normalise_language
from isogloss.patents.archives import Entry, Walk
from isogloss.patents.ingest import Ingested, rules_of, select
from isogloss.patents.record import Publication, Refusal, Segment, Version, reason_of
from isogloss.patents.tmx import AlignedSegment, read_aligned_lines, read_tmx
from isogloss.patents.unknown_tags import count_unknown, parted
from isogloss.progress import track
from isogloss.settings import SourceSettings

SUFFIXES = frozenset([".tmx", ".jsonl"])

ID_FORM = "the id must be DOCUMENT:SEGMENT without white space"

# Document -> segment -> language -> text, each in order of first appearance.
Aligned = dict[str, dict[str, dict[str, str]]]


def ingest_parallel(files: Sequence[tuple[Path, str]], settings: SourceSettings) -> Ingested:
    """Read aligned text and cut it into passages.

    Args:
        files: (path, name) in name order: .tmx, .jsonl, or .zip with such files.
        settings: Target languages, passage length, documents left out.
    """
    walk = Walk(SUFFIXES, settings.max_unpacked_mb << 20)
    refused: list[Refusal] = []
    counts: Counter[str] = Counter()
    others: Counter[str] = Counter()
    conflicts: list[dict[str, Any]] = []
    aligned: Aligned = {}
    loaded = 0
    for path, name in track(files, "reading", total=len(files)):
        for entry in walk.entries(path, name):
            try:
                for segment in _segments(entry, refused):
                    if _add(aligned, segment, entry.name, conflicts, counts, refused):
                        loaded += 1
            except (DataError, OSError) as error:
                refused.append(Refusal(entry.name, reason_of(error)))
    for document in settings.exclude:
        counts["excluded_segments"] += len(aligned.pop(document, {}))
    publications = [
        passage
        for document, segments in aligned.items()
        for passage in _passages(document, segments, settings, counts, others)
    ]
    # Aligned text carries no codes, so the chemistry rule has nothing to look at.
    selected = select(publications, rules_of(settings, chemistry=False))
    refused = walk.refused + refused
    selected.records |= {"read": loaded + len(refused), "loaded": loaded, "refused": len(refused)}
    selected.refused = refused
    selected.not_read = walk.not_read
    selected.counts, selected.unknown_tags = parted(counts)
    selected.other_languages = others
    selected.conflicts = conflicts + selected.conflicts
    return selected


def split_id(identifier: str) -> tuple[str, str] | None:
    """Document and segment of an id, parted at its last colon; None where it has another form."""
    document, _, number = identifier.rpartition(":")
    if not document or not number or any(map(str.isspace, identifier)):
        return None
    return document, number


def _segments(entry: Entry, refused: list[Refusal]) -> Iterator[AlignedSegment]:
    with entry.open() as file:
        if entry.suffix == ".tmx":
            yield from read_tmx(file.read(), entry.name, refused)
        else:
            yield from read_aligned_lines(file, entry.name, refused)


def _add(
    aligned: Aligned,
    segment: AlignedSegment,
    name: str,
    conflicts: list[dict[str, Any]],
    counts: Counter[str],
    refused: list[Refusal],
) -> bool:
    parts = split_id(segment.id)
    if parts is None:
        refused.append(Refusal(name, ID_FORM, id=segment.id))
        return False
    document, number = parts
    texts = aligned.setdefault(document, {}).setdefault(number, {})
    for tag, text in segment.texts:
        language = normalise_language(tag)
        if language is None:
            count_unknown(counts, "language_unknown", tag)
        elif not text.strip():
            counts["segment_without_text"] += 1
        elif texts.setdefault(language, text) != text:
            conflicts.append({"id": f"{segment.id}:{language}", "kind": "text", "left_out": name})
    return True


def _passages(
    document: str,
    segments: dict[str, dict[str, str]],
    settings: SourceSettings,
    counts: Counter[str],
    others: Counter[str],
) -> Iterator[Publication]:
    size = settings.passage_segments
    numbers = _ordered(segments)
    if len(numbers) < size:
        counts["documents_shorter_than_a_passage"] += 1
    for start in range(0, len(numbers), size):
        group = numbers[start : start + size]
        if len(group) < size:
            counts["segments_of_short_last_passages"] += len(group)
            counts["short_last_passages"] += 1
            return
        family = f"{document}:{group[0]}" + (f"-{group[-1]}" if size > 1 else "")
        languages = sorted({language for number in group for language in segments[number]})
        versions = []
        found = 0
        for language in languages:
            texts = [segments[number].get(language) for number in group]
            present = [text for text in texts if text is not None]
            if len(present) < size:
                counts["versions_not_aligned"] += 1
                continue
            found += 1
            if language not in settings.languages:
                others[language] += 1
                continue
            versions.append(
                Version(
                    language,
                    abstract=" ".join(present),
                    segments=[
                        Segment(f"{document}:{number}", text)
                        for number, text in zip(group, present, strict=True)
                    ],
                )
            )
        yield Publication(number=family, cluster=family, versions=versions, found=found)


def _ordered(numbers: Iterable[str]) -> list[str]:
    found = list(numbers)
    if all(number.isascii() and number.isdecimal() for number in found):
        return sorted(found, key=int)
    return found
