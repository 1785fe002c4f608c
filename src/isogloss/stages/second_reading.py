"""The reading without machine-translated documents, beside the first one wherever that goes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from isogloss.benchmark import Benchmark
from isogloss.errors import DataError
from isogloss.project import Project
from isogloss.retrieval.comparison import Scored
from isogloss.retrieval.evaluation import Evaluation, evaluate_ranking
from isogloss.retrieval.query_table import read_query_table
from isogloss.retrieval.ranking import Ranking
from isogloss.retrieval.second_reading import WITHOUT, without_translations
from isogloss.settings import EvaluationSettings
from isogloss.stages.results import METRICS_FILE, QUERIES_FILE, read_metrics

# Before the figures of the second reading in a tracked run.
PREFIX = WITHOUT.replace("-", "_")


def second_evaluation(
    benchmark: Benchmark, ranking: Ranking, options: EvaluationSettings
) -> Evaluation | None:
    """Every figure again without machine-translated documents; None where there are none."""
    left = without_translations(benchmark, ranking)
    return None if left is None else evaluate_ranking(*left, options)


def both_metrics(first: Evaluation, second: Evaluation | None) -> dict[str, Any]:
    """The figures of both readings for one tracked run; those of the second under a prefix."""
    if second is None:
        return first.metrics
    figures = {key: value for key, value in second.metrics.items() if key != "notes"}
    notes = {f"{PREFIX}/{key}": why for key, why in second.metrics["notes"].items()}
    return {**first.metrics, PREFIX: figures, "notes": first.metrics["notes"] | notes}


def print_second(title: str, second: Evaluation | None, gate: float | None = None) -> None:
    """Print the headline of the second reading, where there is one."""
    from isogloss.report.layout.terminal import evaluation_text

    if second is not None:
        name = f"{title}, {WITHOUT.replace('-', ' ', 1)} documents"
        print()
        routes = second.routes.to_pylist()
        print(evaluation_text(name, second.metrics, routes, gate), end="")


@dataclass(frozen=True)
class SecondReadings:
    """The second readings of a comparison, as benchmarks and pools of their own.

    Attributes:
        results: Scores by name, `reading_of` a benchmark, then by model.
        metrics: The content of metrics.json likewise.
    """

    results: dict[str, dict[str, Scored]]
    metrics: dict[str, dict[str, Any]]

    def pools(self, pools: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        """Each pool that holds such a benchmark again, with the second readings in its place."""
        again = {}
        for pool, members in pools.items():
            read = [
                reading_of(name) if reading_of(name) in self.results else name for name in members
            ]
            if read != list(members):
                again[reading_of(pool)] = read
        return again

    def remarks(self, remarks: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        """What a reader must know of each, beside what holds for the whole benchmark."""
        return {
            reading_of(name): [
                *lines,
                f"{name}: its machine-translated documents are left out here.",
            ]
            for name, lines in remarks.items()
            if reading_of(name) in self.results
        }


def reading_of(name: str) -> str:
    """The second reading of a benchmark or pool; no key holds a dot, so the name is free."""
    return f"{name}.{WITHOUT}"


def read_second_readings(project: Project, chosen: Mapping[str, Sequence[str]]) -> SecondReadings:
    """The second readings of those benchmarks that have one.

    Args:
        project: Its results.
        chosen: Models by benchmark.

    Raises:
        DataError: Some models have one and others not: they were evaluated at different times.
    """
    found = SecondReadings({}, {})
    for name, models in chosen.items():
        folders = {model: project.results(name, model) / WITHOUT for model in models}
        lacking = [model for model, folder in folders.items() if not folder.is_dir()]
        if len(lacking) == len(folders):
            continue
        if lacking:
            raise DataError(
                f"{folders[lacking[0]]}: is missing, other models have it; "
                f"run `isogloss evaluate {name} {lacking[0]}`"
            )
        found.results[reading_of(name)] = {
            model: Scored(*read_query_table(folder / QUERIES_FILE))
            for model, folder in folders.items()
        }
        found.metrics[reading_of(name)] = {
            model: read_metrics(folder / METRICS_FILE) for model, folder in folders.items()
        }
    return found
