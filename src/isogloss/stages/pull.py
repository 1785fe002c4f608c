"""Fetch a pinned dataset version as a benchmark folder."""

from pathlib import Path

from isogloss.progress import note
from isogloss.versions.fetch import Source, fetch


def run(source: Source, out: Path | None = None, *, force: bool = False) -> None:
    """Fetch a benchmark and say which dataset version it is.

    Args:
        source: Benchmark, repository and revision.
        out: The folder it becomes; ``BENCHMARK-REV`` in the current folder where not given.
        force: Replace a folder of that name.

    Raises:
        UsageError: The folder exists, or a name is none.
        PullError: Something is missing; says which and what to do.
        BenchmarkError: What the revision holds is no valid benchmark.
    """
    if out is None:
        rev = "".join(sign if sign.isalnum() or sign in ".-_" else "-" for sign in source.rev or "")
        out = Path(f"{source.benchmark}-{rev}" if rev else source.benchmark)
    benchmark = fetch(source, out, force=force)
    note(
        f"{out}: {len(benchmark.documents)} documents, {len(benchmark.queries)} queries, "
        f"{len(benchmark.judged_queries)} qrels"
    )
    print(benchmark.version)
