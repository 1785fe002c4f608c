"""One comparison as one run: every model on every benchmark it was compared over."""

from collections.abc import Mapping, Sized
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isogloss.project import Project
from isogloss.settings import EvaluationSettings
from isogloss.tracking.artifacts import folder_files
from isogloss.tracking.identity import fingerprint
from isogloss.tracking.names import flatten
from isogloss.tracking.provenance import dvc_tags, git_tags, library_versions
from isogloss.tracking.runs import DatasetInput, Logged, RunRecord, log_run
from isogloss.tracking.store import open_store

EXPERIMENT = "comparison"
LONGEST_NOTE = 7000


@dataclass(frozen=True)
class ComparisonFacts:
    """What the tracking room is told about one comparison.

    Attributes:
        dataset_versions: By benchmark.
        releases: By benchmark, then by model.
        pools: The benchmarks of each pool.
        metrics_version: The version of the metric definitions.
        settings: The evaluation settings.
        comparison: The content of comparison.json.
        folder: The results folder; all its files become artefacts.
    """

    dataset_versions: Mapping[str, str]
    releases: Mapping[str, Mapping[str, str]]
    pools: Mapping[str, list[str]]
    metrics_version: str
    settings: EvaluationSettings
    comparison: Mapping[str, Any]
    folder: Path

    @property
    def models(self) -> list[str]:
        """The models of any benchmark, by name."""
        return sorted({model for releases in self.releases.values() for model in releases})


def comparison_fingerprint(facts: ComparisonFacts) -> str:
    """Dataset versions, releases, pools, evaluation settings and metric definitions, hashed."""
    return fingerprint(
        "comparison",
        {
            "dataset_versions": dict(facts.dataset_versions),
            "releases": {name: dict(models) for name, models in facts.releases.items()},
            "pools": dict(facts.pools),
            "settings": facts.settings.model_dump(mode="json"),
            "metrics_version": facts.metrics_version,
        },
    )


def log_comparison(project: Project, facts: ComparisonFacts, *, force: bool = False) -> Logged:
    """Log one comparison, once.

    Raises:
        TrackingError: The store cannot be used or refused something.
    """
    return log_run(open_store(project), comparison_record(project.root, facts), force=force)


def comparison_record(root: Path, facts: ComparisonFacts) -> RunRecord:
    """Compose the run of a comparison."""
    benchmarks = sorted(facts.dataset_versions)
    identity = comparison_fingerprint(facts)
    name = f"{_count(facts.models, 'model')} on {_count(benchmarks, 'benchmark')}"
    return RunRecord(
        experiment=EXPERIMENT,
        # Which data, releases and settings: the description and the parameters spell them out.
        name=f"{name} ({identity[:8]})",
        fingerprint=identity,
        description=describe(facts),
        metrics=comparison_metrics(facts.comparison),
        params={
            "benchmarks": ", ".join(benchmarks),
            "models": ", ".join(facts.models),
            "metrics_version": facts.metrics_version,
            **{f"dataset_version.{key}": value for key, value in facts.dataset_versions.items()},
            **{f"evaluation.{key}": value for key, value in facts.settings.model_dump().items()},
        },
        tags={**git_tags(root), **library_versions(), "metrics.version": facts.metrics_version},
        datasets=[
            DatasetInput(key, facts.dataset_versions[key], dvc_tags(root, f"benchmark/{key}"))
            for key in benchmarks
        ],
        files=dict(folder_files(facts.folder)),
    )


def _count(items: Sized, noun: str) -> str:
    return f"{len(items)} {noun}{'' if len(items) == 1 else 's'}"


def comparison_metrics(comparison: Mapping[str, Any]) -> dict[str, float]:
    """Significance of each benchmark and pool, and the pooled figures of each model."""
    metrics: dict[str, float] = {}
    for kind in ("benchmarks", "pools"):
        for name, content in comparison.get(kind, {}).items():
            start = f"{name}/" if kind == "benchmarks" else f"pool/{name}/"
            for model, figures in content.get("models", {}).items():
                metrics |= _under(f"{start}{model}/", flatten(figures))
            metrics |= _under(start, _significance(content.get("significance") or {}))
    return metrics


def _under(prefix: str, metrics: Mapping[str, float]) -> dict[str, float]:
    return {f"{prefix}{name}": value for name, value in metrics.items()}


def _significance(content: Mapping[str, Any]) -> dict[str, float]:
    pairs = {
        f"{pair['a']} vs {pair['b']}": {key: pair.get(key) for key in ("delta", "p", "p_holm")}
        for pair in content.get("pairs", [])
    }
    kept = {key: content[key] for key in ("n", "friedman", "recall_at_10") if key in content}
    return flatten({**kept, "pairs": pairs})


def describe(facts: ComparisonFacts) -> str:
    """The note at the top of the run's page."""
    lines = [f"{_count(facts.models, 'model')}: {', '.join(facts.models)}.", ""]
    for name, version in sorted(facts.dataset_versions.items()):
        found = facts.comparison.get("benchmarks", {}).get(name, {}).get("significance") or {}
        letters = found.get("letters") or {}
        lines.append(f"- **{name}** (dataset version `{version}`)")
        lines += [f"    - {model}: {letter}" for model, letter in letters.items()]
    lines += ["", "Models that share a letter do not differ in recall@10 (Holm-corrected)."]
    return "\n".join(lines)[:LONGEST_NOTE]
