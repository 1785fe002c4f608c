"""One evaluation as one run: what it is called, what it holds and what it depends on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from isogloss.project import Project
from isogloss.settings import EvaluationSettings
from isogloss.tracking.artifacts import card_body, folder_files
from isogloss.tracking.identity import fingerprint, text_hash
from isogloss.tracking.models import logged_model
from isogloss.tracking.provenance import git_tags, library_versions
from isogloss.tracking.runs import DatasetInput, Logged, RunRecord, log_run
from isogloss.tracking.store import open_store

ROUTES_TABLE = "routes.json"
CARD = "card.md"
LONGEST_NOTE = 7000


@dataclass(frozen=True)
class EvaluationFacts:
    """What the tracking room is told about one evaluation.

    Attributes:
        benchmark: The benchmark's key.
        model: The model's key.
        dataset_version: The benchmark's version.
        release: The hash over what makes the model's vectors.
        metrics_version: The version of the metric definitions.
        settings: The evaluation settings.
        metrics: The content of metrics.json.
        routes: The columns of the per-route table.
        folder: The results folder; all its files become artefacts.
        prompts: The exact texts sent, by name, such as ``query`` and ``document``.
        declaration: The model's declaration, flat.
        counts: Documents and queries.
        dvc: Tags naming the benchmark's DVC version (`provenance.dvc_tags`).
        cited: Further files to keep with the run, such as the card of the benchmark.
        content: Of a retriever made of others: the digest of what they made, such as recorded
            translations, which its release does not tell.
    """

    benchmark: str
    model: str
    dataset_version: str
    release: str
    metrics_version: str
    settings: EvaluationSettings
    metrics: Mapping[str, Any]
    routes: Mapping[str, list[Any]]
    folder: Path
    prompts: Mapping[str, str] = field(default_factory=dict)
    declaration: Mapping[str, Any] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    dvc: Mapping[str, str] = field(default_factory=dict)
    cited: Mapping[str, Path] = field(default_factory=dict)
    content: str = ""


def experiment_name(benchmark: str) -> str:
    """The experiment that holds a benchmark's evaluations."""
    return f"retrieval/{benchmark}"


def evaluation_fingerprint(facts: EvaluationFacts) -> str:
    """Dataset version, release, evaluation settings and metric definitions, hashed."""
    return fingerprint(
        "evaluation",
        {
            "dataset_version": facts.dataset_version,
            "release": facts.release,
            "settings": facts.settings.model_dump(mode="json"),
            "metrics_version": facts.metrics_version,
            **({"content": facts.content} if facts.content else {}),
        },
    )


def log_evaluation(project: Project, facts: EvaluationFacts, *, force: bool = False) -> Logged:
    """Log one evaluation, once.

    Raises:
        TrackingError: The store cannot be used or refused something.
    """
    store = open_store(project)
    provenance = {**git_tags(project.root), **library_versions()}
    model_id = logged_model(store, facts.model, facts.release, facts.declaration, provenance)
    return log_run(store, evaluation_record(facts, provenance, model_id), force=force)


def evaluation_record(
    facts: EvaluationFacts, provenance: Mapping[str, str], model_id: str | None
) -> RunRecord:
    """Compose the run of an evaluation."""
    prompt_hash = text_hash("\x00".join(facts.prompts[name] for name in sorted(facts.prompts)))
    tags = {
        **provenance,
        **facts.dvc,
        "benchmark": facts.benchmark,
        "model": facts.model,
        "release": facts.release,
        "dataset.version": facts.dataset_version,
        "metrics.version": facts.metrics_version,
        "prompt.hash": prompt_hash,
        "dtype": str(facts.declaration.get("dtype", "")),
        "gate": str(facts.metrics.get("gate", "")),
    }
    params = {
        "benchmark": facts.benchmark,
        "model": facts.model,
        "release": facts.release,
        "dataset_version": facts.dataset_version,
        "metrics_version": facts.metrics_version,
        **{f"evaluation.{key}": value for key, value in facts.settings.model_dump().items()},
        **{f"model.{key}": value for key, value in facts.declaration.items()},
        **{f"prompt.{name}": text_hash(text) for name, text in facts.prompts.items()},
    }
    return RunRecord(
        experiment=experiment_name(facts.benchmark),
        name=f"{facts.model} on {facts.benchmark} ({facts.dataset_version[:8]})",
        fingerprint=evaluation_fingerprint(facts),
        description=describe(facts),
        metrics=facts.metrics,
        params=params,
        tags=tags,
        datasets=[DatasetInput(facts.benchmark, facts.dataset_version, facts.dvc, facts.counts)],
        files=evaluation_files(facts),
        tables={ROUTES_TABLE: facts.routes},
        model_id=model_id,
    )


def evaluation_files(facts: EvaluationFacts) -> dict[str, Path | bytes]:
    """Every file of the results folder, what is cited, and the exact texts sent."""
    files = {**folder_files(facts.folder), **facts.cited}
    if CARD in facts.cited:
        files[CARD] = card_body(facts.cited[CARD].read_text("utf-8")).encode("utf-8")
    for name, text in facts.prompts.items():
        files[f"prompts/{name}.txt"] = text.encode("utf-8")
    return files


def describe(facts: EvaluationFacts) -> str:
    """The note at the top of the run's page: what was measured, on what, and its headline."""
    metrics = facts.metrics
    lines = [
        f"**{facts.model}** searches **{facts.benchmark}** across languages:"
        f" {metrics.get('n_queries', 0)} queries, {metrics.get('n_dual_gold', 0)} with gold in"
        " their own and in another language.",
        "",
        "| recall@10 | same language | other language |",
        "|---|---|---|",
        f"| | {_figure(metrics, 'recall_at_10/same')} | {_figure(metrics, 'recall_at_10/cross')} |",
        "",
        f"Dataset version `{facts.dataset_version}`, release `{facts.release}`.",
    ]
    if facts.dvc:
        revision = facts.dvc.get("dvc.rev", "not committed yet")
        lines.append(
            f"Dataset in DVC: `benchmark/{facts.benchmark}`, md5 `{facts.dvc['dvc.md5']}`,"
            f" revision `{revision}`."
        )
    notes = metrics.get("notes") or {}
    texts = notes.items() if isinstance(notes, Mapping) else enumerate(notes, start=1)
    lines += ["", *(f"- {key}: {text}" for key, text in texts)] if notes else []
    return "\n".join(lines)[:LONGEST_NOTE]


def _figure(metrics: Mapping[str, Any], key: str) -> str:
    value = metrics.get(key)
    if value is None:
        return "—"
    interval = metrics.get(f"ci/{key}")
    text = f"{value:.3f}"
    return f"{text} [{interval[0]:.3f}, {interval[1]:.3f}]" if interval else text
