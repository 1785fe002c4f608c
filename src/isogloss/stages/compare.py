"""Stage compare: every evaluation that params.yaml names, side by side."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from isogloss.errors import DataError, TrackingError, UsageError
from isogloss.faults import known_names
from isogloss.files import write_bytes, write_json, write_text
from isogloss.progress import note
from isogloss.project import Project
from isogloss.retrieval.comparison import Scored
from isogloss.retrieval.comparison import compare as compare_results
from isogloss.retrieval.query_table import METRICS_VERSION, read_query_table
from isogloss.settings import checked_key
from isogloss.stages.identity import Identity, read_identity
from isogloss.stages.results import METRICS_FILE, QUERIES_FILE, read_metrics

COMPARISON_FILE = "comparison.json"
# For `dvc metrics show` and `diff`, which read numbers only.
NUMBERS_FILE = "metrics.json"
LEADERBOARD_FILE = "leaderboard"
SIGNIFICANCE_FILE = "significance.csv"
FIGURES = "figures"


def run(
    project: Project,
    benchmarks: Sequence[str] | None = None,
    models: Sequence[str] | None = None,
    force: bool = False,
) -> None:
    """Compare models over benchmarks and pools; write, draw, log and print the leaderboard.

    All of params.yaml goes to results/comparison; anything else to a folder named for it.

    Args:
        project: The project.
        benchmarks: Only these; all of `run.benchmarks` where not given.
        models: Only these; all of `run.models` where not given.
        force: Replace the tracked run of this very comparison.

    Raises:
        UsageError: There is nothing to compare, or an unknown key was given.
        DataError: An evaluation is missing or broken.
        VersionMismatchError: Results of different dataset or metric versions meet.
        TrackingError: The results are whole, but could not be logged.
    """
    from isogloss.report.comparison.leaderboard import (
        leaderboard_csv,
        leaderboard_latex,
        leaderboard_text,
    )
    from isogloss.report.comparison.significance import significance_csv
    from isogloss.stages.beside_the_board import beside_the_board
    from isogloss.stages.comparison_entries import board_entries, pool_entries
    from isogloss.stages.comparison_figures import comparison_figures
    from isogloss.stages.second_reading import read_second_readings

    settings = project.settings
    names = _chosen("benchmark", benchmarks, settings.run.benchmarks, project.benchmarks)
    keys = _chosen("model", models, settings.run.models, project.models)
    # What params.yaml names; a retriever made of others is there on some benchmarks only.
    chosen = {name: keys if models else settings.run.models_on(name) for name in names}
    identities = _identities(project, chosen)
    results = {
        name: {
            key: Scored(*read_query_table(project.results(name, key) / QUERIES_FILE))
            for key in by_name
        }
        for name, by_name in chosen.items()
    }
    pools = {
        pool: members
        for pool, members in settings.pools.items()
        if any(member in names for member in members)
    }
    remarks = {name: identities[name][keys[0]].remarks for name in names}
    metrics = _metrics(project, chosen)
    second = read_second_readings(project, chosen)
    results |= second.results
    metrics |= second.metrics
    pools |= second.pools(pools)
    remarks |= second.remarks(remarks)
    content = compare_results(results, pools, settings.evaluation)

    # The pipeline's own comparison is a DVC output: a part of it must not take its place.
    folder = project.comparison
    if models or names != list(settings.run.benchmarks):
        folder = project.partial_comparison(names, keys)
    write_json(folder / COMPARISON_FILE, content)
    write_json(folder / NUMBERS_FILE, _numbers(metrics))
    entries = board_entries(content, metrics, settings.evaluation.gate)
    pooled = pool_entries(content)
    write_text(folder / f"{LEADERBOARD_FILE}.csv", leaderboard_csv([*entries, *pooled]))
    write_text(folder / f"{LEADERBOARD_FILE}.tex", leaderboard_latex(entries, pooled))
    board = leaderboard_text(entries, pooled, remarks, beside_the_board(project, chosen))
    write_text(folder / f"{LEADERBOARD_FILE}.txt", board)
    write_text(folder / SIGNIFICANCE_FILE, significance_csv(content))
    shutil.rmtree(folder / FIGURES, ignore_errors=True)
    for name, png in comparison_figures(results, entries, pools, content, remarks).items():
        write_bytes(folder / FIGURES / f"{name}.png", png)

    print(board, end="")
    print(f"\nFigures and tables: {folder}")
    if not models:
        _tell_left_out(project, chosen)
    _log(project, folder, identities, pools, content, force)


def _tell_left_out(project: Project, chosen: Mapping[str, Sequence[str]]) -> None:
    for name, keys in chosen.items():
        found = project.evaluated(name).glob(f"*/{METRICS_FILE}")
        if left := sorted({path.parent.name for path in found} - set(keys)):
            note(
                f"{name}: evaluated, but not compared, because neither run.models nor run.derived "
                f"in params.yaml names it here: {', '.join(left)}"
            )


def _chosen(
    kind: str, given: Sequence[str] | None, declared: Sequence[str], known: Sequence[str]
) -> list[str]:
    chosen = list(dict.fromkeys(given or declared))
    if not chosen:
        raise UsageError(f"params.yaml: run.{kind}s is empty, so there is nothing to compare")
    for key in given or ():
        if checked_key(key) not in {*declared, *known}:
            raise UsageError(f"--{kind}s {key}: no such {kind}{known_names(key, known)}")
    return chosen


def _identities(
    project: Project, chosen: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, Identity]]:
    missing = [
        f"`isogloss evaluate {name} {key}`"
        for name, keys in chosen.items()
        for key in keys
        if not (project.results(name, key) / METRICS_FILE).is_file()
    ]
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise DataError(f"results are missing; run {', '.join(missing[:3])}{more}")
    return {
        name: {key: read_identity(project.results(name, key)) for key in keys}
        for name, keys in chosen.items()
    }


def _metrics(
    project: Project, chosen: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, dict[str, Any]]]:
    return {
        name: {key: read_metrics(project.results(name, key) / METRICS_FILE) for key in keys}
        for name, keys in chosen.items()
    }


def _numbers(metrics: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> dict[str, Any]:
    """Every defined figure by benchmark and model."""
    return {
        name: {
            key: {metric: value for metric, value in of_model.items() if _is_number(value)}
            for key, of_model in by_model.items()
        }
        for name, by_model in metrics.items()
    }


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _log(
    project: Project,
    folder: Path,
    identities: Mapping[str, Mapping[str, Identity]],
    pools: Mapping[str, list[str]],
    content: Mapping[str, Any],
    force: bool,
) -> None:
    from isogloss.tracking.comparisons import EXPERIMENT, ComparisonFacts, log_comparison

    facts = ComparisonFacts(
        dataset_versions={
            name: next(iter(by_model.values())).dataset_version
            for name, by_model in identities.items()
        },
        releases={
            name: {key: identity.release for key, identity in by_model.items()}
            for name, by_model in identities.items()
        },
        pools=pools,
        metrics_version=METRICS_VERSION,
        settings=project.settings.evaluation,
        comparison=content,
        folder=folder,
    )
    try:
        logged = log_comparison(project, facts, force=force)
    except TrackingError as error:
        raise TrackingError(f"{folder} is whole, but was not logged: {error}") from error
    for line in logged.lines(EXPERIMENT):
        note(line)
