"""isogloss measures where a model stops understanding when the language changes."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from isogloss.benchmark import Benchmark

__version__ = "0.1.0"


def load_benchmark(benchmark: str, rev: str | None = None, repo: str | None = None) -> "Benchmark":
    """Load a benchmark: of the current project, or as a git revision pins it.

    Args:
        benchmark: Its key, such as ``tico19-cloze``.
        rev: A tag, branch or commit. None reads the project's own folder as it is now or, with
            `repo`, its last commit.
        repo: The path or URL of another git repository; None for the project that holds the
            current folder.

    Returns:
        Documents, queries and qrels, with the dataset version they were checked against.

    Raises:
        isogloss.errors.IsoglossError: Project, repository, revision, benchmark, remote or object
            are missing; the message is one line that says which and what to do.

    Example:
        >>> corpus = load_benchmark("tico19-cloze", rev="v1.0").documents  # doctest: +SKIP
    """
    from isogloss.benchmark import read_benchmark
    from isogloss.project import find_project
    from isogloss.settings import is_key

    if repo is None:
        project = find_project()
        # A name that is no key could lead out of the project; `load` refuses it by name.
        if rev is None and is_key(benchmark):
            return read_benchmark(project.benchmark(benchmark), benchmark)
        repo = str(project.root)
    # DVC costs a second, so only a pinned version pays for it.
    from isogloss.versions.fetch import Source, load

    return load(Source(benchmark, repo, rev))
