"""Stage dataset@B: from a source's corpus to a benchmark, by the maker that params.yaml names."""

from isogloss.errors import DataError, UsageError
from isogloss.files import read_parquet
from isogloss.progress import note
from isogloss.project import Project
from isogloss.qac.cloze import make_cloze_queries
from isogloss.qac.export import export
from isogloss.qac.made import Made
from isogloss.qac.provenance import CLOZE_METHOD, TITLE_METHOD, Provenance
from isogloss.qac.title import make_title_queries
from isogloss.qac.versions import Family, families
from isogloss.schema import CORPUS
from isogloss.settings import BenchmarkSettings, SourceSettings

# Lies beside the raw files of a source and is quoted in the card of every benchmark made from it.
ATTRIBUTION_FILE = "ATTRIBUTION.md"


def run(project: Project, benchmark: str) -> None:
    """Make the queries of a benchmark and write benchmark/NAME.

    Raises:
        UsageError: params.yaml declares no such benchmark.
        DataError: The corpus is missing or broken, or gives no query at all.
    """
    settings = project.settings.benchmarks.get(benchmark)
    if settings is None:
        known = ", ".join(sorted(project.settings.benchmarks)) or "none"
        raise UsageError(f"params.yaml: no benchmark {benchmark!r} under benchmarks (has: {known})")
    path = project.corpus(settings.source)
    read = families(read_parquet(path, CORPUS))
    made, method = _make(settings, read)
    if not made.queries:
        raise DataError(
            f"{path}: gives the maker {settings.maker} no query ({made.counts}); "
            f"choose another maker for {benchmark}"
        )
    provenance = Provenance(
        source=settings.source,
        method=method,
        counts={"maker": settings.maker, **made.counts},
        remarks=_remarks(project.settings.sources[settings.source]),
        attribution=_attribution(project, settings.source),
    )
    folder = project.benchmark(benchmark)
    written = export(folder, made.documents, made.queries, made.qrels, provenance)
    note(
        f"{folder}: {len(written.queries)} queries, {len(written.documents)} documents, "
        f"{len(written.judged_queries)} qrels, version {written.version}"
    )


def _make(settings: BenchmarkSettings, read: list[Family]) -> tuple[Made, str]:
    """Ask the named maker; a further maker gets its branch here and its file in `qac`."""
    match settings.maker:
        case "title":
            return make_title_queries(read), TITLE_METHOD
        case "cloze":
            method = CLOZE_METHOD.format(seed=settings.seed)
            return make_cloze_queries(read, settings.seed), method


def _remarks(source: SourceSettings) -> tuple[str, ...]:
    if source.format != "parallel" and not source.selection.chemistry:
        return (
            "Publications outside chemistry were not selected away; they stand in the pool as "
            "distractors and give queries like the others.",
        )
    return ()


def _attribution(project: Project, source: str) -> str:
    path = project.raw(source) / ATTRIBUTION_FILE
    return path.read_text(encoding="utf-8-sig") if path.is_file() else ""
