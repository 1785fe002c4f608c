"""One comparison of two releases as one run."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isogloss.project import Project
from isogloss.settings import EvaluationSettings, ReleaseSettings
from isogloss.statistics.p_values import p_text
from isogloss.tracking.artifacts import folder_files
from isogloss.tracking.identity import fingerprint
from isogloss.tracking.provenance import dvc_tags, git_tags, library_versions
from isogloss.tracking.runs import DatasetInput, Logged, RunRecord, log_run
from isogloss.tracking.store import open_store


@dataclass(frozen=True)
class ReleaseFacts:
    """What the tracking room is told about a comparison of two releases.

    Attributes:
        model: The model's key.
        before: The release that is measured against.
        after: The release in question.
        labels: How the two are called, before first.
        evaluation: The evaluation settings.
        releases: The gate's settings.
        content: The content of releases.json.
        folder: The results folder; all its files become artefacts.
    """

    model: str
    before: str
    after: str
    labels: tuple[str, str]
    evaluation: EvaluationSettings
    releases: ReleaseSettings
    content: Mapping[str, Any]
    folder: Path


def release_experiment(benchmark: str) -> str:
    """The experiment that holds a benchmark's comparisons of releases."""
    return f"releases/{benchmark}"


def log_releases(project: Project, facts: ReleaseFacts, *, force: bool = False) -> Logged:
    """Log one comparison of releases, once.

    Raises:
        TrackingError: The store cannot be used or refused something.
    """
    return log_run(open_store(project), release_record(project.root, facts), force=force)


def release_record(root: Path, facts: ReleaseFacts) -> RunRecord:
    """Compose the run."""
    content = facts.content
    benchmark, version = content["benchmark"], content["dataset_version"]
    identity = {
        "benchmark": benchmark,
        "model": facts.model,
        "dataset_version": version,
        "before": facts.before,
        "after": facts.after,
        "metrics_version": content["metrics_version"],
    }
    settings = {
        **{f"evaluation.{key}": value for key, value in facts.evaluation.model_dump().items()},
        **{f"releases.{key}": value for key, value in facts.releases.model_dump().items()},
    }
    return RunRecord(
        experiment=release_experiment(benchmark),
        name=f"{facts.model}: {' to '.join(facts.labels)} on {benchmark} ({version[:8]})",
        fingerprint=fingerprint("releases", {**identity, "settings": settings}),
        description=describe(facts),
        metrics=release_metrics(content),
        params={**identity, **settings},
        tags={
            **git_tags(root),
            **library_versions(),
            "benchmark": benchmark,
            "model": facts.model,
            "dataset.version": version,
            "metrics.version": content["metrics_version"],
            "release.before": facts.before,
            "release.after": facts.after,
            "gate": content["gate"]["verdict"],
        },
        datasets=[DatasetInput(benchmark, version, dvc_tags(root, f"benchmark/{benchmark}"))],
        files=dict(folder_files(facts.folder)),
    )


def release_metrics(content: Mapping[str, Any]) -> dict[str, Any]:
    """Neighbour overlaps, changes by headline and route, drift, and whether the gate failed."""
    kept = ("before", "after", "delta", "ci", "p", "p_holm")
    changes = {**content["headlines"], **content["routes"]}
    cosine = {side: (found or {}).get("mean") for side, found in content["cosine"].items()}
    return {
        "neighbours": {name: found["mean"] for name, found in content["neighbours"].items()},
        "change": {name: {key: change[key] for key in kept} for name, change in changes.items()},
        "cosine": cosine,
        "gate_failed": int(content["gate"]["verdict"] == "failed"),
        "losses": len(content["gate"]["losses"]),
    }


def describe(facts: ReleaseFacts) -> str:
    """The note at the top of the run's page."""
    content = facts.content
    gate = content["gate"]
    lines = [
        f"**{facts.model}** from {facts.labels[0]} to {facts.labels[1]} on"
        f" **{content['benchmark']}**, dataset version `{content['dataset_version']}`.",
        "",
        f"Gate: **{gate['verdict']}**"
        + (f", lost: {', '.join(gate['losses'])}" if gate["losses"] else "")
        + (". No difference: no gold moved into or out of a top 10." if _same(content) else ""),
        "",
        "| recall@10 | before | after | change | p (Holm) |",
        "|---|---|---|---|---|",
    ]
    for name, change in content["headlines"].items():
        lines.append(
            f"| {name} | {change['before']:.3f} | {change['after']:.3f} | {change['delta']:+.3f}"
            f" | {p_text(change['p_holm'])} |"
        )
    return "\n".join(lines)[:7000]


def _same(content: Mapping[str, Any]) -> bool:
    return bool(content["no_difference"])
