"""Rows of one publication number become one publication (ChemCLIR A.4)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

from isogloss.languages import normalise_language
from isogloss.patents.codes import compact
from isogloss.patents.google_rows import Localized, Row
from isogloss.patents.identifiers import cluster_of, iso_date
from isogloss.patents.placeholders import LONGEST, is_placeholder
from isogloss.patents.record import Publication, Version
from isogloss.patents.unknown_tags import count_unknown

_language = lru_cache(maxsize=4096)(normalise_language)

# A row, its versions in any language, and those in target languages with their codes.
RowVersions = tuple[Row, int, list[tuple[str, Localized]]]


def row_versions(row: Row, targets: frozenset[str]) -> RowVersions:
    """A row with its number of versions and those in target languages; counts go nowhere."""
    found, wanted = target_versions(row.abstract_localized or (), targets, Counter(), Counter())
    return row, found, wanted


def target_versions(
    entries: Iterable[Localized],
    targets: frozenset[str],
    counts: Counter[str],
    others: Counter[str],
) -> tuple[int, list[tuple[str, Localized]]]:
    """Of the abstracts of a row, how many are versions, and which are in target languages.

    Args:
        entries: In the order of the array.
        targets: Target languages.
        counts: Takes entries without text, placeholders and unknown languages.
        others: Takes versions in other languages.
    """
    found, wanted = 0, []
    for entry in entries:
        text = entry.text
        if not text or text.isspace():
            counts["abstract_without_text"] += 1
            continue
        if len(text) <= LONGEST and is_placeholder(text):
            counts["placeholder_abstract"] += 1
            continue
        found += 1
        language = _language(entry.language)
        if language in targets:
            wanted.append((str(language), entry))
        elif language is None:
            count_unknown(counts, "language_unknown", entry.language)
        else:
            others[language] += 1
    return found, wanted


def row_codes(row: Row) -> list[str]:
    """The codes of a row as written, CPC first."""
    return [
        code.code
        for codes in (row.cpc, row.ipc)
        if codes
        for code in codes
        if code.code is not None
    ]


def _titles(row: Row) -> dict[str, str]:
    titles: dict[str, str] = {}
    for entry in row.title_localized or ():
        language = _language(entry.language)
        if language is not None and entry.text and not entry.text.isspace():
            titles.setdefault(language, entry.text)
    return titles


def join(number: str, rows: Sequence[RowVersions]) -> Publication:
    """Join the rows of one number: codes united, versions pooled in the order of the rows.

    Office, date and cluster are those of the first row that knows them (our reading); rows that
    contradict each other on date or cluster are named among the conflicts.
    """
    codes: set[str] = set()
    versions: list[Version] = []
    titles: dict[str, str] = {}
    known: dict[str, list[str]] = defaultdict(list)
    for row, _, wanted in rows:
        codes.update(filter(None, map(compact, row_codes(row))))
        own = _titles(row)
        versions += [
            Version(language, own.get(language, ""), entry.text or "", "", bool(entry.truncated))
            for language, entry in wanted
        ]
        for language, title in own.items():
            titles.setdefault(language, title)
        known["office"].append((row.country_code or "").strip().upper())
        known["date"].append(iso_date(row.publication_date) or "")
        cluster = cluster_of(row.family_id, number)
        known["cluster"].append("" if cluster == number else cluster)
    values = {name: list(dict.fromkeys(filter(None, found))) for name, found in known.items()}
    conflicts = [
        {"id": number, "kind": name, "values": len(found)}
        for name, found in values.items()
        if len(found) > 1
    ]
    return Publication(
        number=number,
        office=next(iter(values["office"]), number[:2]),
        cluster=next(iter(values["cluster"]), number),
        date=next(iter(values["date"]), None),
        codes=sorted(codes),
        versions=versions,
        found=sum(found for _, found, _ in rows),
        titles=titles,
        conflicts=list(conflicts),
    )
