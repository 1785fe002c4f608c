"""The rules of the corpus, in order, over publications whose rows are joined (ChemCLIR A.4).

Each publication leaves a row of numbers, so counts add up however many processes did the work:
0 versions found, 1 target languages, 2 chemistry, 3 words, 4 one version a language, 5 languages.
A publication leaves with its last version.
"""

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from isogloss.patents.cleaning import clean
from isogloss.patents.codes import is_chemical
from isogloss.patents.record import Publication, Version
from isogloss.patents.surechembl import listed_numbers
from isogloss.patents.word_count import has_words

OUTCOME = np.dtype(
    [
        ("number", "<u8"),  # hash of the normalised number
        ("found", "<u4"),  # versions in any language
        ("targeted", "<u4"),  # versions in target languages
        ("chemical", "u1"),
        ("worded", "<u4"),  # of the targeted ones, when chemical: with enough words
        ("languages", "<u8"),  # bit i: target language i has such a version
    ]
)
Outcomes = npt.NDArray[np.void]
# Packs one row: (number hash, found, targeted, chemical, worded, languages). A list of tuples
# would cost five times the memory and the time.
pack_outcome = struct.Struct("<QIIBIQ").pack


@dataclass(frozen=True)
class Rules:
    """The selection of one source, ready to be sent to worker processes.

    Attributes:
        languages: Target languages, at most 64.
        chemistry: Whether publications outside chemistry leave.
        surechembl: File of numbers that count as chemistry whatever their codes; None = none.
        minimum_words: Words the abstract (the first claim, where there is one) needs.
        minimum_languages: Languages a publication needs to stay.
        limit: Publications at most, newest first; None = all.
    """

    languages: tuple[str, ...]
    chemistry: bool
    surechembl: Path | None
    minimum_words: int
    minimum_languages: int
    limit: int | None


@dataclass(frozen=True)
class Outcome:
    """How one publication fares.

    Attributes:
        found: Versions in any language.
        targeted: Versions in target languages.
        chemical: Whether the chemistry rule lets it pass.
        worded: Versions left after the word rule.
        languages: Bit mask of target languages left.
        chosen: The publication with one version a language; None when it leaves.
    """

    found: int
    targeted: int
    chemical: bool
    worded: int
    languages: int
    chosen: Publication | None

    def packed(self, number: int) -> bytes:
        """As a row of `OUTCOME`, under the hash of its number."""
        return pack_outcome(
            number, self.found, self.targeted, self.chemical, self.worded, self.languages
        )


def passes_chemistry(number: str, codes: list[str], rules: Rules) -> bool:
    """Rule 1: a chemical code, or a number on the given list; always true when switched off."""
    if not rules.chemistry or any(map(is_chemical, codes)):
        return True
    return rules.surechembl is not None and number in listed_numbers(rules.surechembl)


def judge(publication: Publication, rules: Rules) -> Outcome:
    """Take one publication through the rules, cheap ones first where the counts stay the same."""
    targeted = len(publication.versions)
    chemical = passes_chemistry(publication.number, publication.codes, rules)
    if not chemical or not targeted:
        return Outcome(publication.found, targeted, chemical, 0, 0, None)
    texts = [(version.language, version.body) for version in publication.versions]
    worded = long_enough(texts, rules)
    mask = mask_of((publication.versions[index].language for index, _ in worded), rules)
    chosen = None
    if mask.bit_count() >= rules.minimum_languages:
        chosen = choose(publication, worded)
    return Outcome(publication.found, targeted, chemical, len(worded), mask, chosen)


def long_enough(texts: Sequence[tuple[str, str]], rules: Rules) -> list[tuple[int, int]]:
    """Rule 2: index and cleaned length of the (language, text) pairs with enough words."""
    found = []
    for index, (language, text) in enumerate(texts):
        cleaned = clean(text)
        if has_words(cleaned, language, rules.minimum_words):
            found.append((index, len(cleaned)))
    return found


def mask_of(languages: Iterable[str], rules: Rules) -> int:
    """Target languages as a bit mask."""
    mask = 0
    for language in languages:
        mask |= 1 << rules.languages.index(language)
    return mask


def choose(publication: Publication, worded: Sequence[tuple[int, int]]) -> Publication:
    """Rule 3: not truncated, then most characters of cleaned text, then first in order.

    Args:
        publication: With its versions in order; it is changed and returned.
        worded: Index and cleaned length of the versions that rule 2 leaves.
    """
    by_language: dict[str, list[tuple[Version, int]]] = {}
    for index, length in worded:
        version = publication.versions[index]
        by_language.setdefault(version.language, []).append((version, length))
    versions = []
    for language in sorted(by_language):
        candidates = by_language[language]
        best = candidates[0][0]
        if len(candidates) > 1:
            texts = {version.body for version, _ in candidates}
            if len(texts) > 1:
                publication.conflicts.append(
                    {"id": f"{publication.number}:{language}", "kind": "text", "values": len(texts)}
                )
            best, _ = min(candidates, key=lambda found: (found[0].truncated, -found[1]))
        if not best.title:
            best.title = publication.titles.get(language, "")
        versions.append(best)
    publication.versions = versions
    publication.titles = {}
    return publication


def outcomes_array(packed: bytes | bytearray) -> Outcomes:
    """Rows joined from `pack_outcome` as an array."""
    return np.frombuffer(packed, dtype=OUTCOME)


def count_rules(outcomes: Outcomes, rules: Rules) -> list[dict[str, Any]]:
    """Publications and documents before and after each rule, without the limit.

    Args:
        outcomes: One row a publication.
        rules: The selection; a rule that is switched off has no row.

    Returns:
        One dict a rule, in order; each begins where the one before ended.
    """
    languages = np.bitwise_count(outcomes["languages"]).astype(np.int64)
    found, targeted, worded = (
        outcomes[name].astype(np.int64) for name in ("found", "targeted", "worded")
    )
    chemical = outcomes["chemical"].astype(bool)
    enough = languages >= rules.minimum_languages
    steps = [
        ("has a text", found > 0, found),
        ("target languages", targeted > 0, targeted),
        ("chemistry", (targeted > 0) & chemical, np.where(chemical, targeted, 0)),
        (f"at least {rules.minimum_words} words", worded > 0, worded),
        ("one version per language", languages > 0, languages),
        (
            f"at least {rules.minimum_languages} languages",
            enough & (languages > 0),
            np.where(enough, languages, 0),
        ),
    ]
    applied = (True, True, rules.chemistry, rules.minimum_words > 0, True, True)
    steps = list(compress(steps, applied))
    publications, documents = len(outcomes), int(found.sum())
    counts = []
    for name, stays, left in steps:
        after = {"publications": int(stays.sum()), "documents": int(left.sum())}
        counts.append(
            {
                "rule": name,
                "before": {"publications": publications, "documents": documents},
                "after": after,
            }
        )
        publications, documents = after["publications"], after["documents"]
    return counts


def add_counts(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Counts of `count_rules` over two sets of publications, as over both together."""
    return [
        {"rule": left["rule"]}
        | {
            when: {what: left[when][what] + right[when][what] for what in left[when]}
            for when in ("before", "after")
        }
        for left, right in zip(one, other, strict=True)
    ]


def newest_first(date: str | None, number: str) -> tuple[int, int, str]:
    """Sort key of the limit: newest date first, ties by number ascending, unknown dates last."""
    if date is None:
        return (1, 0, number)
    return (0, -int(date.replace("-", "")), number)
