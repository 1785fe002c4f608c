"""Score any TREC run file against any benchmark folder."""

from pathlib import Path

from isogloss.errors import UsageError
from isogloss.faults import nearest
from isogloss.progress import note
from isogloss.settings import EvaluationSettings


def run(
    run_path: Path,
    benchmark_folder: Path,
    out: Path,
    options: EvaluationSettings | None = None,
) -> None:
    """Read a run, write every figure that `evaluate` writes, and print the headline.

    Args:
        run_path: A TREC run file, plain, .gz or .zst.
        benchmark_folder: A benchmark in BEIR layout.
        out: Where metrics.json, routes.csv, slices.csv and queries.parquet go; those of the reading
            without machine-translated documents, where there are any, into a folder of their own.
        options: Resamples, gate and seed; the defaults where not given.

    Raises:
        UsageError: There is no such run file or benchmark folder, or `out` holds the evaluation of
            a model, which this would replace in part.
        BenchmarkError: The benchmark folder cannot be used.
        RunFileError: The run file breaks its format or does not belong to the benchmark.
        WriteError: A result cannot be written; none is then.
    """
    from isogloss.benchmark import read_benchmark
    from isogloss.files import all_or_none
    from isogloss.report.layout.terminal import evaluation_text
    from isogloss.retrieval.evaluation import evaluate_ranking
    from isogloss.retrieval.run_file import read_run
    from isogloss.stages.identity import IDENTITY_FILE
    from isogloss.stages.results import write_evaluation, write_second_reading
    from isogloss.stages.second_reading import print_second, second_evaluation

    if not run_path.is_file():
        raise UsageError(f"{run_path}: no such run file")
    if not benchmark_folder.is_dir():
        above = benchmark_folder.parent
        beside = [path.name for path in above.iterdir() if path.is_dir()] if above.is_dir() else []
        raise UsageError(
            f"{benchmark_folder}: no such benchmark folder{nearest(benchmark_folder.name, beside)}"
        )
    if (out / IDENTITY_FILE).exists():
        raise UsageError(
            f"{out}: holds the evaluation of a model, which `isogloss evaluate` writes; choose "
            "another folder for --out"
        )
    benchmark = read_benchmark(benchmark_folder)
    ranking = read_run(run_path, benchmark)
    options = options or EvaluationSettings()
    evaluation = evaluate_ranking(benchmark, ranking, options)
    second = second_evaluation(benchmark, ranking, options)
    with all_or_none():
        write_evaluation(out, evaluation)
        write_second_reading(out, second)
    if tied := ranking.tied():
        note(
            f"{run_path.name}: documents of equal score stand in the order of their ids, whatever "
            f"the file's; {tied} of {len(benchmark.queries)} queries have some"
        )
    name = f"{run_path.name} on {benchmark.name}"
    routes = evaluation.routes.to_pylist()
    print(evaluation_text(name, evaluation.metrics, routes, options.gate), end="")
    print_second(name, second, options.gate)
