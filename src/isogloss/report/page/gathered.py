"""What the page is made of: results as plain values, read by a stage."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from isogloss.report.comparison.depth_panels import Curve
from isogloss.retrieval.planning import Need

Metrics = Mapping[str, Any]


@dataclass(frozen=True)
class Evaluated:
    """One model on one target.

    Attributes:
        model: Its key.
        metrics: The content of metrics.json, or a pool's pooled figures.
        routes: Rows of routes.csv; none for a pool.
        slices: Rows of slices.csv as texts; none for a pool.
        preferences: Rows of language_preference.csv as texts; none for a pool.
        reranking: Rows of reranking.csv as texts; only a re-ranker has some.
        curves: float64 (1000,) coverage by depth, as `coverage_curves` names them.
        identity: The content of identity.json; empty for a pool.
    """

    model: str
    metrics: Metrics
    routes: Sequence[Mapping[str, Any]] = ()
    slices: Sequence[Mapping[str, str]] = ()
    preferences: Sequence[Mapping[str, str]] = ()
    reranking: Sequence[Mapping[str, str]] = ()
    curves: Mapping[str, Curve] = field(default_factory=dict)
    identity: Mapping[str, Any] = field(default_factory=dict)

    @property
    def gated(self) -> bool:
        """Whether the degeneracy gate failed."""
        return self.metrics.get("gate") == "failed"


@dataclass(frozen=True)
class Target:
    """A benchmark or a pool with every model measured on it, best first.

    Attributes:
        key: The benchmark's key, or ``pool`` and the pool's key.
        evaluated: One a model.
        significance: As in comparison.json; empty where there is none.
        remarks: What a reader must know of its figures.
        documents: Documents searched; 0 for a pool.
        members: The benchmarks of a pool.
        whole: The benchmark that this is a second reading of, without machine-translated documents.
        stats: The content of stats.json; empty where there is none.
        card: card.md; empty where there is none.
    """

    key: str
    evaluated: Sequence[Evaluated]
    significance: Mapping[str, Any] = field(default_factory=dict)
    remarks: Sequence[str] = ()
    documents: int = 0
    members: Sequence[str] = ()
    whole: str = ""
    stats: Mapping[str, Any] = field(default_factory=dict)
    card: str = ""

    @property
    def is_pool(self) -> bool:
        """Whether its queries come from several benchmarks."""
        return bool(self.members)

    @property
    def slug(self) -> str:
        """Its key as an HTML id and a file name take it."""
        return slug(self.key)


@dataclass(frozen=True)
class Gathered:
    """Everything the page shows.

    Attributes:
        targets: Benchmarks in the order of params.yaml, then pools.
        needs: The reading budget of every target, model and coverage.
        declarations: Of each model, as its manifests hold it.
        settings: Of the evaluation.
        metrics_version: Of the metric definitions.
        price: Of one document for a re-ranker, where params.yaml gives it.
        seconds: Of one document for a re-ranker, where params.yaml gives it.
        medical: The content of results/medical/scores.json, where it exists.
        medical_note: What a reader must know of its items.
    """

    targets: Sequence[Target]
    needs: Sequence[Need]
    declarations: Mapping[str, Mapping[str, Any]]
    settings: Mapping[str, Any]
    metrics_version: str
    price: float | None = None
    seconds: float | None = None
    medical: Mapping[str, Any] | None = None
    medical_note: str = ""


def slug(text: str) -> str:
    """A text as an HTML id and a file name take it."""
    return re.sub(r"[^a-z0-9.-]+", "-", text.lower()).strip("-.") or "unnamed"
