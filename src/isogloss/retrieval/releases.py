"""Two releases of a model on one dataset version: neighbours, recall, routes, vectors, verdict."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from isogloss.benchmark import Benchmark
from isogloss.errors import VersionMismatchError
from isogloss.retrieval.drift import drift
from isogloss.retrieval.figures import Scores, scores
from isogloss.retrieval.gold import pair_table
from isogloss.retrieval.overlap import agreement
from isogloss.retrieval.paired_change import Change
from isogloss.retrieval.query_table import METRICS_VERSION
from isogloss.retrieval.recall import side_scores
from isogloss.retrieval.release_changes import (
    CUTOFF,
    blind,
    headline_changes,
    losses,
    route_changes,
)
from isogloss.retrieval.spread import spread
from isogloss.retrieval.stored_release import StoredRelease
from isogloss.settings import EvaluationSettings, ReleaseSettings

OVERLAPS = (10, 100)

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ReleaseComparison:
    """What changed from one release to another.

    Attributes:
        content: What releases.json holds, the names of the releases apart.
        headlines: Changes of the headline figures.
        routes: Changes by route.
        per_query: Columns over all queries; NaN where a figure is not defined.
    """

    content: dict[str, Any]
    headlines: list[Change]
    routes: list[Change]
    per_query: dict[str, Floats]

    @property
    def lost(self) -> list[str]:
        """The headlines and routes that fail the gate."""
        return list(self.content["gate"]["losses"])


def compare_releases(
    benchmark: Benchmark,
    before: StoredRelease,
    after: StoredRelease,
    options: EvaluationSettings,
    settings: ReleaseSettings,
) -> ReleaseComparison:
    """Compare two releases; differences are always after minus before.

    Args:
        benchmark: What both ranked.
        before: The release that is measured against.
        after: The release in question.
        options: Permutations, resamples, confidence and seed.
        settings: Alpha and margin of the gate, persistence of rank-biased overlap.

    Raises:
        VersionMismatchError: The releases were not ranked on this dataset version; says which.
    """
    for side in (before, after):
        if side.dataset_version != benchmark.version:
            raise VersionMismatchError(
                f"release {side.release} was ranked on dataset version {side.dataset_version}, "
                f"{benchmark.name} is {benchmark.version}; compare both on one version"
            )
    first, second = (scores(pair_table(benchmark, one.ranking)) for one in (before, after))
    headlines = headline_changes(first, second, options)
    routes = route_changes(first, second, options)
    laid = agreement(before.ranking, after.ranking)
    overlaps = {f"overlap_at_{k}": laid.overlap_at(k) for k in OVERLAPS}
    overlaps["rank_biased_overlap"] = laid.rank_biased(settings.persistence)
    lost = [*losses(headlines, settings), *losses(routes, settings)]
    unseen = [*blind(headlines, settings), *blind(routes, settings)]
    content: dict[str, Any] = {
        "benchmark": benchmark.name,
        "dataset_version": benchmark.version,
        "metrics_version": METRICS_VERSION,
        "n_queries": int(first.judged.sum()),
        "neighbours": {name: spread(values) for name, values in overlaps.items()},
        "headlines": {change.name: change.as_json() for change in headlines},
        "routes": {change.name: change.as_json() for change in routes},
        "gate": {
            "verdict": "failed" if lost else "passed",
            "alpha": settings.alpha,
            "margin": settings.margin,
            "losses": [change.name for change in lost],
            "too_few_clusters": [change.name for change in unseen],
        },
        "equal_rankings": bool(np.array_equal(before.ranking.documents, after.ranking.documents)),
        "no_difference": bool(
            np.array_equal(first.table.rank <= CUTOFF, second.table.rank <= CUTOFF)
        ),
        "notes": {},
    }
    content |= _drift(benchmark, before, after, content["notes"])
    for k in OVERLAPS:
        if len(benchmark.documents) <= k:
            content["notes"][f"overlap_at_{k}"] = (
                f"the pool has {len(benchmark.documents)} documents: 1 by construction"
            )
    return ReleaseComparison(
        content, headlines, routes, overlaps | _recalls(first, second, len(benchmark.queries))
    )


def _recalls(first: Scores, second: Scores, n_queries: int) -> dict[str, Floats]:
    columns = {}
    for name, scored in (("before", first), ("after", second)):
        everything = side_scores(scored.table, "all")
        column = np.full(n_queries, np.nan)
        column[everything.has] = everything.recall(CUTOFF)
        columns[f"recall_at_{CUTOFF}/{name}"] = column
    return columns


def _drift(
    benchmark: Benchmark, before: StoredRelease, after: StoredRelease, notes: dict[str, str]
) -> dict[str, Any]:
    """The cosine drift of both sides; a side without one has its reason in the notes."""
    sides = {
        "documents": (
            drift(
                before.documents.vectors,
                after.documents.vectors,
                [document.metadata.language for document in benchmark.documents],
            )
        ),
        "queries": (
            drift(
                before.queries.vectors,
                after.queries.vectors,
                [query.metadata.language for query in benchmark.queries],
            )
        ),
    }
    cosine: dict[str, Any] = {}
    for side, found in sides.items():
        if isinstance(found, str):
            notes[f"cosine/{side}"] = found
            cosine[side] = None
        else:
            cosine[side] = found
    return {"cosine": cosine}
