"""Stage dataset@B: from a source's corpus to a benchmark, by the maker that params.yaml names."""

from isogloss.benchmark import MACHINE_TRANSLATED, by_maintainers
from isogloss.engine import Engine, open_engine
from isogloss.errors import DataError, UsageError
from isogloss.faults import known_names
from isogloss.files import read_parquet
from isogloss.foreign_text import shown
from isogloss.progress import note
from isogloss.project import Project
from isogloss.qac.cloze import make_cloze_queries
from isogloss.qac.export import export
from isogloss.qac.llm_queries import make_llm_queries, method_line
from isogloss.qac.made import Made, counts_text
from isogloss.qac.provenance import CLOZE_METHOD, TITLE_METHOD, Provenance
from isogloss.qac.title import make_title_queries
from isogloss.qac.versions import Family, families
from isogloss.schema import CORPUS
from isogloss.settings import BenchmarkSettings, LlmBenchmarkSettings, SourceSettings
from isogloss.stages.asking import Asking

# Lies beside the raw files of a source and is quoted in the card of every benchmark made from it.
ATTRIBUTION_FILE = "ATTRIBUTION.md"
STEPS = ("plan", "generate", "verify", "dataset")


def run(
    project: Project,
    benchmark: str,
    *,
    step: str | None = None,
    asking: Asking = Asking(),  # noqa: B008
    engine: str | None = None,
) -> None:
    """Make the queries of a benchmark and write benchmark/NAME.

    Args:
        project: The project.
        benchmark: A key under benchmarks or llm_benchmarks.
        step: One of `STEPS` alone, for a benchmark that chat models write; None = all of them.
        asking: How chat models are asked.
        engine: Where the cloze maker looks at families, see `isogloss.engine.open_engine`; None
            takes that of params.yaml.

    Raises:
        UsageError: params.yaml declares no such benchmark, or its maker has no such step.
        DataError: The corpus is missing or broken, or gives no query at all.
        ChatError: A chat model could not be asked; what it answered is recorded.
    """
    if benchmark in project.settings.llm_benchmarks:
        _run_llm(project, benchmark, step, asking)
        return
    settings = project.settings.benchmarks.get(benchmark)
    if settings is None:
        known = known_names(benchmark, project.settings.made)
        raise UsageError(f"params.yaml: no benchmark '{shown(benchmark)}' is made here{known}")
    if step is not None or asking != Asking():
        raise UsageError(
            f"benchmark {benchmark}: the maker {settings.maker} asks no model; "
            "leave out --plan-only, --only, --offline, --batch and --accept-failures"
        )
    path = project.corpus(settings.source)
    with open_engine(engine or project.settings.engine) as where:
        made, method = _make(settings, families(read_parquet(path, CORPUS)), where)
    remarks = _remarks(project.settings.sources[settings.source])
    _export(project, benchmark, settings.source, settings.maker, made, method, remarks)


def _run_llm(project: Project, benchmark: str, step: str | None, asking: Asking) -> None:
    from isogloss.stages import llm_queries as stage

    if step not in (None, *STEPS):
        raise UsageError(f"no step {step!r} (has: {', '.join(STEPS)})")
    if step == "plan":
        stage.plan(project, benchmark)
    if step in (None, "generate"):
        stage.generate(project, benchmark, asking)
    if step in (None, "verify"):
        stage.verify(project, benchmark, asking)
    if step in (None, "dataset"):
        settings = stage.settings_of(project, benchmark)
        verified = project.written(benchmark) / stage.VERIFIED_FILE
        read = families(read_parquet(project.corpus(settings.corpus), CORPUS))
        table = read_parquet(verified)
        made = make_llm_queries(read, table, str(verified))
        method = method_line(table)
        remarks = _llm_remarks(project, settings)
        _export(project, benchmark, settings.source, settings.maker, made, method, remarks)


def _export(
    project: Project,
    benchmark: str,
    source: str,
    maker: str,
    made: Made,
    method: str,
    remarks: tuple[str, ...],
) -> None:
    if not made.queries:
        raise DataError(
            f"{project.corpus(source)}: gives the maker {maker} no query "
            f"({counts_text(made.counts)}); choose another maker for {benchmark}"
        )
    provenance = Provenance(
        source=source,
        method=method,
        counts={"maker": maker, **made.counts},
        remarks=remarks,
        attribution=_attribution(project, source),
    )
    folder = project.benchmark(benchmark)
    written = export(folder, made.documents, made.queries, made.qrels, provenance)
    note(
        f"{folder}: {len(written.queries)} queries, {len(written.documents)} documents, "
        f"{len(written.judged_queries)} qrels, version {written.version}"
    )


def _make(settings: BenchmarkSettings, read: list[Family], engine: Engine) -> tuple[Made, str]:
    """Ask the named maker; a further maker gets its branch here and its file in `qac`."""
    match settings.maker:
        case "title":
            return make_title_queries(read), TITLE_METHOD
        case "cloze":
            method = CLOZE_METHOD.format(seed=settings.seed)
            return make_cloze_queries(read, settings.seed, engine), method


def _remarks(source: SourceSettings) -> tuple[str, ...]:
    if source.format != "parallel" and not source.selection.chemistry:
        return (
            "Publications outside chemistry were not selected away; they stand in the pool as "
            "distractors and give queries like the others.",
        )
    return ()


def _llm_remarks(project: Project, settings: LlmBenchmarkSettings) -> tuple[str, ...]:
    lines = _remarks(project.settings.sources[settings.source])
    if settings.chemistry:
        lines = (
            "Queries are asked about publications of chemistry only; the others stand in the pool "
            "as distractors.",
        )
    if settings.seeded:
        name = project.settings.chat.translator.name
        how = "written by hand by the maintainers in place of a" if by_maintainers(name) else "the"
        lines += (
            f"Documents of the origin {MACHINE_TRANSLATED}: {how} translator's replies, recorded "
            f"as those of {name}.",
        )
    return lines


def _attribution(project: Project, source: str) -> str:
    path = project.raw(source) / ATTRIBUTION_FILE
    return path.read_text(encoding="utf-8-sig") if path.is_file() else ""
