"""Table 1 of the corpus: tokens per document, vocabulary, offices, languages, IPC classes.

Tokens are ICU dictionary words of the evidence block (title, abstract, first claim, each where
there is one); the vocabulary is their distinct case-folded forms (ChemCLIR-Bench, Table 1; the
segmentation is our reading). The standard deviation is that of a sample (n - 1).
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from math import sqrt
from typing import Any

from isogloss.patents.codes import ipc_class
from isogloss.patents.language_check import check_language
from isogloss.words import segmenter_version, words

TOP_CLASSES = 25
NAMED_MISMATCHES = 100


def evidence(row: Mapping[str, Any]) -> str:
    """The evidence block of a corpus row."""
    return "\n".join(filter(None, (row["title"], row["abstract"], row["claim"])))


class Spread:
    """Mean and sample standard deviation of whole numbers, exact whatever the order."""

    def __init__(self) -> None:
        self.count = self.total = self.squares = 0

    def add(self, value: int) -> None:
        """Take one more number in."""
        self.count += 1
        self.total += value
        self.squares += value * value

    def report(self) -> dict[str, Any]:
        """Count, mean and SD; what is undefined is null with a reason."""
        if not self.count:
            return {"n": 0, "mean": None, "sd": None, "reason": "no documents"}
        found: dict[str, Any] = {"n": self.count, "mean": self.total / self.count}
        if self.count == 1:
            return {**found, "sd": None, "reason": "one document has no spread"}
        # Integers keep the difference exact; floats would cancel.
        spread = self.count * self.squares - self.total * self.total
        return {**found, "sd": sqrt(spread / (self.count * (self.count - 1)))}


class CorpusStatistics:
    """Gathers statistics row by row, so that a corpus need not be in memory."""

    def __init__(self) -> None:
        self._tokens = Spread()
        self._tokens_by_language: dict[str, Spread] = defaultdict(Spread)
        self._vocabulary: dict[str, set[str]] = defaultdict(set)
        self._families: set[str] = set()
        self._clusters: set[str] = set()
        self._counts: dict[str, Counter[str]] = defaultdict(Counter)
        self._without: Counter[str] = Counter()
        self._mismatches: list[str] = []
        self._mismatch_count = 0

    def add(self, row: Mapping[str, Any]) -> None:
        """Take in one row of the corpus."""
        language, text = row["language"], evidence(row)
        tokens = words(text, language)
        self._tokens.add(len(tokens))
        self._tokens_by_language[language].add(len(tokens))
        self._vocabulary[language].update(map(str.casefold, tokens))
        self._families.add(row["family"])
        self._clusters.add(row["cluster"])
        self._counts["languages"][language] += 1
        self._counts["offices"][row["office"] or "none"] += 1
        self._counts["classes"].update({ipc_class(code) for code in row["codes"]} - {None})  # type: ignore[arg-type]
        self._without.update(name for name in ("title", "abstract", "claim") if not row[name])
        if row["date"] is None:
            self._without["date"] += 1
        if check_language(text, language).mismatch:
            self._mismatch_count += 1
            if len(self._mismatches) < NAMED_MISMATCHES:
                self._mismatches.append(row["id"])

    def report(self) -> dict[str, Any]:
        """All statistics as plain values for JSON."""
        classes = sorted(self._counts["classes"].items(), key=lambda item: (-item[1], item[0]))
        return {
            "documents": self._tokens.count,
            "families": len(self._families),
            "clusters": len(self._clusters),
            "languages": dict(self._counts["languages"]),
            "offices": dict(self._counts["offices"]),
            "ipc_classes_top_25": [
                {"class": name, "documents": count} for name, count in classes[:TOP_CLASSES]
            ],
            "tokens": self._tokens.report(),
            "tokens_by_language": {
                language: spread.report() for language, spread in self._tokens_by_language.items()
            },
            "vocabulary": len(set().union(*self._vocabulary.values())),
            "vocabulary_by_language": {
                language: len(found) for language, found in self._vocabulary.items()
            },
            "documents_without": dict(self._without),
            "language_mismatches": {"n": self._mismatch_count, "first": self._mismatches},
            "segmenter": segmenter_version(),
        }
