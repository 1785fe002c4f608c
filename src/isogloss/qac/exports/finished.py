"""A finished benchmark folder as exports read it: data, statistics, and what its card says."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from isogloss.benchmark import Benchmark, read_benchmark
from isogloss.errors import BenchmarkError
from isogloss.files import one_line
from isogloss.qac.card import ATTRIBUTION_HEADING, LAYOUT, NO_ATTRIBUTION
from isogloss.qac.export import CARD_FILE, STATS_FILE

_FENCE = "---\n"
# Setups and origins that a folder from elsewhere does not state are no labels.
_UNSTATED = "unknown"
_STATS = {"dataset_version", "languages", "setups", "origins", "made", "cross_qrels"}


@dataclass(frozen=True)
class Finished:
    """One benchmark and everything an export says of it.

    Attributes:
        stats: The content of stats.json.
        description: The card's first paragraph.
        card: The card's Markdown without front matter and without the section on licence.
        attribution: Licence and credit as the card quotes them; empty where none was given.
    """

    benchmark: Benchmark
    stats: Mapping[str, Any]
    description: str
    card: str
    attribution: str

    @property
    def name(self) -> str:
        """The benchmark's key."""
        return self.benchmark.name

    @property
    def languages(self) -> list[str]:
        """Codes of every language of a document or query, ascending."""
        return list(self.stats["languages"])

    @property
    def labels(self) -> list[str]:
        """How text and queries came about: setups and origins, such as known-item or synthetic."""
        found = {*self.stats["setups"], *self.stats["origins"]} - {_UNSTATED}
        return sorted(found)


def read_finished(folder: Path) -> Finished:
    """Read a benchmark folder with its statistics and card.

    Raises:
        BenchmarkError: A file is missing or broken, or statistics and card are those of another
            dataset version than the data.
    """
    benchmark = read_benchmark(folder)
    for part in (STATS_FILE, CARD_FILE):
        if not (folder / part).is_file():
            raise BenchmarkError(
                f"{folder}: {part} is missing; make the benchmark again (isogloss queries or "
                "isogloss benchmark import)"
            )
    stats = _read_stats(folder / STATS_FILE)
    text = (folder / CARD_FILE).read_text("utf-8")
    for part, fits in (
        (STATS_FILE, stats["dataset_version"] == benchmark.version),
        (CARD_FILE, f"`{benchmark.version}`" in text),
    ):
        if not fits:
            raise BenchmarkError(
                f"{folder / part}: is not of dataset version {benchmark.version}, which the data "
                "has; make the benchmark again"
            )
    card, heading, attribution = without_front_matter(text).partition(f"{ATTRIBUTION_HEADING}\n\n")
    # Exports have a layout of their own.
    card = card.replace(LAYOUT, "")
    blocks = card.strip().split("\n\n")
    if not heading or len(blocks) < 2:
        raise BenchmarkError(
            f"{folder / CARD_FILE}: has no section {ATTRIBUTION_HEADING!r} or no first paragraph; "
            "make the benchmark again"
        )
    return Finished(
        benchmark=benchmark,
        stats=stats,
        description=blocks[1],
        card=card.strip(),
        attribution="" if attribution.strip() == NO_ATTRIBUTION else attribution.strip(),
    )


def _read_stats(path: Path) -> dict[str, Any]:
    try:
        stats = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise BenchmarkError(f"{path}: {one_line(error)}") from error
    if missing := sorted(_STATS - stats.keys()):
        raise BenchmarkError(f"{path}: lacks {', '.join(missing)}; make the benchmark again")
    return stats


def without_front_matter(text: str) -> str:
    """Markdown without the YAML block at its top."""
    if not text.startswith(_FENCE):
        return text
    return text.partition(f"\n{_FENCE}")[2]
