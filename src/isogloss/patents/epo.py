"""EPO specifications become publications: titles, first claims, and the A document's abstract."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from isogloss.engine import LOCAL, Engine
from isogloss.languages import normalise_language
from isogloss.patents.codes import compact
from isogloss.patents.epo_read import read_all
from isogloss.patents.epo_record import SPECIFICATIONS, EpoRecord
from isogloss.patents.ingest import Ingested, rules_of, select
from isogloss.patents.placeholders import is_placeholder
from isogloss.patents.raw_files import Named
from isogloss.patents.record import Publication, Version
from isogloss.patents.unknown_tags import count_unknown, parted
from isogloss.settings import SourceSettings


def ingest_epo(
    files: Sequence[Named],
    settings: SourceSettings,
    surechembl: Path | None = None,
    workers: int = 1,
    engine: Engine = LOCAL,
) -> Ingested:
    """Read and select the EPO's full-text documents and text-analytics files.

    Args:
        files: (path, name) in name order: .xml, .txt, .tsv, or .zip with such files.
        settings: Target languages and rules.
        surechembl: File of numbers that count as chemistry.
        workers: Processes at most; the result does not depend on it.
        engine: Where files are read; the result does not depend on it.
    """
    read = read_all(files, settings.max_unpacked_mb << 20, workers, engine)
    records, refused = read.records, read.archives + read.refused
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
    selected.not_read = read.not_read
    selected.counts, selected.unknown_tags = parted(counts)
    selected.other_languages = others
    selected.conflicts = conflicts + selected.conflicts
    return selected


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
