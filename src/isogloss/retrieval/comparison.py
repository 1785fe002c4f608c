"""Compare models over benchmarks and pools; results of different versions are never mixed."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from isogloss.errors import UsageError, VersionMismatchError
from isogloss.retrieval.figures import Scores
from isogloss.retrieval.pooling import pooled_figures, pooled_scores
from isogloss.retrieval.query_table import METRICS_VERSION, Origin
from isogloss.retrieval.ranking import DEPTH
from isogloss.retrieval.significance import significance
from isogloss.settings import EvaluationSettings


class Scored(NamedTuple):
    """What `read_query_table` returns: scores, and what they were computed from."""

    scores: Scores
    origin: Origin


Results = Mapping[str, Mapping[str, Scored]]


def compare(
    results: Results, pools: Mapping[str, Sequence[str]], options: EvaluationSettings
) -> dict[str, Any]:
    """Compare models on each benchmark and each pool.

    Args:
        results: By benchmark, then by model.
        pools: The benchmarks of each named pool.
        options: Gate, resamples, permutations and seed.

    Returns:
        The content of comparison.json: `metrics_version`; `benchmarks` with dataset version,
        documents and significance; `pools` with benchmarks, pooled figures by model and
        significance. A pool that lacks results says so under `missing`.

    Raises:
        VersionMismatchError: Results of two dataset versions or metric definitions meet.
        UsageError: There is nothing to compare.
    """
    if not any(results.values()):
        raise UsageError("there are no results to compare; run `isogloss evaluate` first")
    check_versions(results)
    benchmarks = {}
    for name, by_model in sorted(results.items()):
        if by_model:
            origin = next(iter(by_model.values())).origin
            benchmarks[name] = {
                "dataset_version": origin.dataset_version,
                "documents": origin.documents,
                "significance": significance(
                    {model: scored.scores for model, scored in by_model.items()}, options
                ),
            }
    return {
        "metrics_version": METRICS_VERSION,
        "benchmarks": benchmarks,
        "pools": {
            name: _compare_pool(results, members, options)
            for name, members in sorted(pools.items())
        },
    }


def check_versions(results: Results) -> None:
    """Refuse to mix versions.

    Raises:
        VersionMismatchError: Naming the benchmark, the models and the versions that differ.
    """
    for benchmark, by_model in sorted(results.items()):
        versions: dict[str, str] = {}
        for model, scored in sorted(by_model.items()):
            origin = scored.origin
            if origin.metrics_version != METRICS_VERSION:
                raise VersionMismatchError(
                    f"{benchmark}, {model}: scored under metric definitions "
                    f"{origin.metrics_version}, these are {METRICS_VERSION}; evaluate it again"
                )
            versions.setdefault(origin.dataset_version, model)
        if len(versions) > 1:
            found = " and ".join(f"{version} ({model})" for version, model in versions.items())
            raise VersionMismatchError(
                f"{benchmark}: results of different dataset versions, {found}; "
                "evaluate every model on one version"
            )


def _compare_pool(
    results: Results, members: Sequence[str], options: EvaluationSettings
) -> dict[str, Any]:
    members = sorted(set(members))
    models = sorted({model for name in members for model in results.get(name, {})})
    complete = [
        model for model in models if all(model in results.get(name, {}) for name in members)
    ]
    missing = [
        f"{model} on {name}"
        for model in models
        for name in members
        if model not in results.get(name, {})
    ]
    missing += [name for name in members if not results.get(name)]
    pooled: dict[str, Scores] = {}
    figures: dict[str, dict[str, Any]] = {}
    for model in complete:
        parts = {name: results[name][model].scores for name in members}
        pooled[model] = pooled_scores(parts)
        figures[model] = pooled_figures(parts, pooled[model], options)
        small = [n for n in members if results[n][model].origin.documents <= DEPTH]
        if small:
            figures[model]["notes"]["pool"] = (
                f"{', '.join(small)}: at most {DEPTH} documents, so their depth is exhaustive "
                "by construction"
            )
    return {
        "benchmarks": members,
        "missing": missing,
        "models": figures,
        "significance": significance(pooled, options) if pooled else None,
    }
