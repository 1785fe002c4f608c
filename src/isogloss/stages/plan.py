"""Plan a reading budget from the results that lie in the project; loads no model."""

from collections.abc import Mapping, Sequence
from math import isinf
from pathlib import Path

from isogloss.errors import DataError, UsageError
from isogloss.faults import known_names, nearest
from isogloss.files import write_text
from isogloss.foreign_text import shown
from isogloss.project import Project
from isogloss.retrieval.comparison import Results, Scored
from isogloss.retrieval.planning import Need, needs
from isogloss.retrieval.query_table import read_query_table
from isogloss.retrieval.ranking import DEPTH
from isogloss.settings import is_key
from isogloss.stages.results import QUERIES_FILE

POOL = "pool:"
DEFAULT_COVERAGE = 0.8


def run(
    project: Project,
    targets: Sequence[str] | None = None,
    *,
    coverages: Sequence[float] | None = None,
    price: float | None = None,
    seconds: float | None = None,
    models: Sequence[str] | None = None,
    out: Path | None = None,
) -> None:
    """Plan, print the table, and write it as CSV where asked.

    Args:
        project: The project.
        targets: Benchmarks and pools; all of params.yaml where none is given.
        coverages: Wanted shares of queries.
        price: Of one document for a re-ranker.
        seconds: Of one document for a re-ranker.
        models: Only these; all that params.yaml names where not given.
        out: A CSV file.

    Raises:
        UsageError: An unknown target, no results to plan with, or a number that cannot be.
        DataError: Results are missing or broken, or every row of the plan is refused.
        VersionMismatchError: Results of different dataset or metric versions meet.
    """
    from isogloss.report.page.budget import budget_table
    from isogloss.report.page.table import table_csv, terminal_text

    for what, value in (("price", price), ("seconds", seconds)):
        if value is not None and not 0 <= value < float("inf"):
            raise UsageError(f"--{what} {value}: must be a finite number, 0 or more")
        if value is not None and isinf(value * 1000 * DEPTH):
            raise UsageError(
                f"--{what} {value}: 1,000 queries of {DEPTH} documents would come to no finite"
                " number; give it in a larger unit"
            )
    benchmarks, pools = chosen(project, targets)
    needed = list(dict.fromkeys([*benchmarks, *(name for part in pools.values() for name in part)]))
    keys = {name: list(models or project.settings.run.models_on(name)) for name in needed}
    if not all(keys.values()):
        raise UsageError("params.yaml: run.models is empty; name models with --models")
    results = read_results(project, keys)
    wanted = list(dict.fromkeys(coverages or [DEFAULT_COVERAGE]))
    rows = needs(results, pools, wanted, project.settings.evaluation, benchmarks)
    table = budget_table(rows, price, seconds)
    print(terminal_text(table))
    if out is not None:
        write_text(out, table_csv(table))
        print(f"\nWritten to {out}")
    refuse_if_empty(rows)


def refuse_if_empty(rows: Sequence[Need]) -> None:
    """Fail where no row of a plan holds a depth, so that a script notices.

    Raises:
        DataError: With the first reason.
    """
    refused = [need for need in rows if need.reading.refusal]
    if rows and len(refused) == len(rows):
        first = refused[0]
        raise DataError(
            f"no model can be planned for: {first.model} on {first.target}, {first.reading.refusal}"
            "; ask for less coverage or another benchmark"
        )


def chosen(
    project: Project, targets: Sequence[str] | None
) -> tuple[list[str], dict[str, list[str]]]:
    """The benchmarks and pools that the names of a call stand for.

    Raises:
        UsageError: A name is neither, or both.
    """
    settings = project.settings
    declared = settings.run.benchmarks
    if not targets:
        whole = {
            pool: members
            for pool, members in settings.pools.items()
            if members and set(members) <= set(declared)
        }
        return list(declared), whole
    benchmarks: list[str] = []
    pools: dict[str, list[str]] = {}
    for name in dict.fromkeys(targets):
        key = name.removeprefix(POOL)
        is_pool = key in settings.pools
        is_benchmark = is_key(name) and (name in declared or project.evaluated(name).is_dir())
        if is_pool and is_benchmark:
            raise UsageError(f"{name}: a benchmark and a pool; say {POOL}{name} for the pool")
        if is_pool:
            pools[key] = settings.pools[key]
        elif is_benchmark:
            benchmarks.append(name)
        else:
            known = known_names(name, [*declared, *(f"{POOL}{pool}" for pool in settings.pools)])
            raise UsageError(f"{shown(name)}: no benchmark with results and no pool{known}")
    return benchmarks, pools


def read_results(project: Project, chosen: Mapping[str, Sequence[str]]) -> Results:
    """Scores of every evaluation.

    Args:
        project: Its results.
        chosen: Models by benchmark.

    Raises:
        DataError: One is missing or broken; the verb that makes it is named.
    """
    results: dict[str, Mapping[str, Scored]] = {}
    for name, models in chosen.items():
        found = {}
        for key in dict.fromkeys(models):
            path = project.results(name, key) / QUERIES_FILE
            if not path.is_file():
                near = "" if key in project.models else nearest(key, project.models)
                raise DataError(f"{path}: no such file; run `isogloss evaluate {name} {key}`{near}")
            found[key] = Scored(*read_query_table(path))
        results[name] = found
    return results
