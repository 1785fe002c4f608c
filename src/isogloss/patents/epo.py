"""EPO specifications become publications: titles, first claims, and the A document's abstract."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from isogloss.errors import DataError
from isogloss.languages import normalise_language
from isogloss.patents.archives import Entry, Walk
from isogloss.patents.codes import compact
from isogloss.patents.epo_record import SPECIFICATIONS, EpoRecord, read_document
from isogloss.patents.epo_tsv import has_rows, read_rows
from isogloss.patents.ingest import Ingested, rules_of, select
from isogloss.patents.placeholders import is_placeholder
from isogloss.patents.record import Publication, Refusal, Version, reason_of
from isogloss.patents.unknown_tags import count_unknown, parted
from isogloss.progress import track
from isogloss.settings import SourceSettings

SUFFIXES = frozenset([".xml", ".txt", ".tsv"])


def ingest_epo(
    files: Sequence[tuple[Path, str]], settings: SourceSettings, surechembl: Path | None = None
) -> Ingested:
    """Read and select the EPO's full-text documents and text-analytics files.

    Args:
        files: (path, name) in name order: .xml, .txt, .tsv, or .zip with such files.
        settings: Target languages and rules.
        surechembl: File of numbers that count as chemistry.
    """
    walk = Walk(SUFFIXES, settings.max_unpacked_mb << 20)
    records: list[EpoRecord] = []
    refused: list[Refusal] = []
    for path, name in track(files, "reading", total=len(files)):
        for entry in walk.entries(path, name):
            records += _read(entry, refused, walk.not_read)
    refused = walk.refused + refused
    counts: Counter[str] = Counter()
    others: Counter[str] = Counter()
    conflicts: list[dict[str, Any]] = []
    kept = _without_repeats(records, conflicts)
    abstracts = _abstracts(kept)
    publications = []
    for record in kept:
        if record.kind in SPECIFICATIONS:
            publications.append(
                _publication(record, abstracts.get(record.base, []), settings, counts, others)
            )
        else:
            counts[f"kind_{record.kind}_makes_no_document"] += 1
    selected = select(publications, rules_of(settings, surechembl=surechembl))
    _cluster(selected.publications)
    selected.records |= {
        "read": len(records) + len(refused),
        "loaded": len(records),
        "refused": len(refused),
    }
    selected.refused = refused
    selected.not_read = walk.not_read
    selected.counts, selected.unknown_tags = parted(counts)
    selected.other_languages = others
    selected.conflicts = conflicts + selected.conflicts
    return selected


def _read(entry: Entry, refused: list[Refusal], not_read: dict[str, str]) -> list[EpoRecord]:
    try:
        with entry.open() as file:
            if entry.suffix == ".xml":
                return [read_document(file.read(), entry.name)]
            if not has_rows(file):
                not_read[entry.name] = "none of its first lines is one of the text-analytics format"
                return []
        with entry.open() as file:
            return list(read_rows(file, entry.name, refused))
    except (DataError, OSError) as error:
        refused.append(Refusal(entry.name, reason_of(error)))
        return []


def _without_repeats(
    records: Iterable[EpoRecord], conflicts: list[dict[str, Any]]
) -> list[EpoRecord]:
    """Of records with one number the first by file name stays; the others are named."""
    first: dict[str, EpoRecord] = {}
    for record in records:
        known = first.setdefault(record.number, record)
        if known is not record:
            conflicts.append(
                {
                    "id": record.number,
                    "kind": "number",
                    "kept": known.source,
                    "left_out": record.source,
                }
            )
    return list(first.values())


def _abstracts(records: Iterable[EpoRecord]) -> dict[str, list[tuple[str | None, str]]]:
    """Abstracts of each patent's A documents, A1 before A2, in order of file name."""
    applications = [record for record in records if record.kind.startswith("A")]
    found: dict[str, list[tuple[str | None, str]]] = {}
    for record in sorted(applications, key=lambda record: record.kind):
        found.setdefault(record.base, []).extend(record.abstracts)
    return found


def _publication(
    record: EpoRecord,
    abstracts: list[tuple[str | None, str]],
    settings: SourceSettings,
    counts: Counter[str],
    others: Counter[str],
) -> Publication:
    titles = _first_by_language(record.titles)
    texts = _first_by_language(
        [(tag, text) for tag, text in [*record.abstracts, *abstracts] if not is_placeholder(text)]
    )
    versions: list[Version] = []
    seen: set[str] = set()
    found = 0
    for tag, claim in record.claims:
        language = normalise_language(tag)
        if language is None:
            count_unknown(counts, "claims_language_unknown", tag)
            continue
        # The first set of claims of a language counts; later ones are for other states.
        if language in seen:
            counts["further_claims_of_a_language"] += 1
            continue
        seen.add(language)
        if not claim.strip():
            counts["first_claim_empty"] += 1
            continue
        found += 1
        if language in settings.languages:
            versions.append(
                Version(language, titles.get(language, ""), texts.get(language, ""), claim)
            )
        else:
            others[language] += 1
    return Publication(
        number=record.number,
        office=record.country,
        cluster=record.number,
        date=record.date,
        codes=sorted(set(filter(None, map(compact, record.codes)))),
        versions=versions,
        found=found,
    )


def _first_by_language(pairs: Iterable[tuple[str | None, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for tag, text in pairs:
        language = normalise_language(tag)
        if language is not None and text.strip():
            found.setdefault(language, text)
    return found


def _cluster(publications: Sequence[Publication]) -> None:
    """Several specifications of one patent (B1 and B2) share a cluster: the first of them."""
    first: dict[str, str] = {}
    for publication in publications:
        patent = publication.number[: -len("B1")]
        publication.cluster = first.setdefault(patent, publication.number)
