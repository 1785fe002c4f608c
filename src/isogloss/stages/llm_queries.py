"""Stages generate@B and verify@B: a plan, candidates by one chat model, scores by another."""

import pyarrow as pa

from isogloss.errors import DataError, UsageError
from isogloss.faults import known_names
from isogloss.files import read_parquet, write_parquet, write_text
from isogloss.foreign_text import shown
from isogloss.patents.codes import is_chemical
from isogloss.progress import note
from isogloss.project import Project
from isogloss.qac.candidates import CANDIDATES, candidate_table, read_candidates
from isogloss.qac.checks import check
from isogloss.qac.evidence import evidence_blocks
from isogloss.qac.generation import generation_requests, read_generation
from isogloss.qac.made import with_text
from isogloss.qac.plan import PlannedQuery, plan_lines, plan_queries, plan_table
from isogloss.qac.prompts import prompt_languages, read_prompt
from isogloss.qac.verification import UNASKED, read_verdicts, to_verify, verification_requests
from isogloss.qac.verified import audit_rows, verified_table
from isogloss.qac.versions import Family, families
from isogloss.review.query_audit import QUERY_AUDIT
from isogloss.schema import CORPUS
from isogloss.settings import LlmBenchmarkSettings
from isogloss.stages.asking import Asking, ask_models
from isogloss.stages.audit_export import AUDIT_FILE

PLAN_FILE = "plan.csv"
CANDIDATES_FILE = "candidates.parquet"
VERIFIED_FILE = "verified.parquet"


def settings_of(project: Project, benchmark: str) -> LlmBenchmarkSettings:
    """The settings of a benchmark that chat models write.

    Raises:
        UsageError: There is none of that name.
    """
    settings = project.settings.llm_benchmarks.get(benchmark)
    if settings is None:
        known = known_names(benchmark, project.settings.llm_benchmarks)
        raise UsageError(
            f"params.yaml: no benchmark '{shown(benchmark)}' under llm_benchmarks{known}"
        )
    return settings


def asked_languages(project: Project, settings: LlmBenchmarkSettings) -> list[str]:
    """Languages that queries are asked in; each has every prompt.

    Raises:
        SettingsError: One has no prompt.
    """
    languages = settings.languages or project.settings.sources[settings.source].languages
    for language in languages:
        for mode in settings.modes:
            for task in ("generate", "verify"):
                read_prompt(task, mode, language)
    return list(languages)


def plan(project: Project, benchmark: str) -> list[PlannedQuery]:
    """Plan the queries, write the plan as a table, and say what it comes to. Nothing is asked.

    Raises:
        DataError: The corpus is missing or broken, or gives fewer queries than are wanted.
    """
    settings = settings_of(project, benchmark)
    languages = asked_languages(project, settings)
    try:
        planned = plan_queries(
            _asked_about(project, settings),
            queries=settings.queries,
            setups=settings.setups,
            modes=settings.modes,
            languages=languages,
            seed=settings.seed,
        )
    except DataError as error:
        raise DataError(f"llm_benchmarks.{benchmark}: {error}") from error
    path = project.written(benchmark) / PLAN_FILE
    write_text(path, plan_table(planned))
    calls, models = CANDIDATES * len(planned), project.settings.chat
    note(f"{path}: {len(planned)} planned queries; {'; '.join(plan_lines(planned))}")
    note(
        f"to be asked, repairs aside: {calls} times {models.generator.name}, "
        f"at most {calls} times {models.verifier.name}"
    )
    return planned


def generate(project: Project, benchmark: str, asking: Asking = Asking()) -> None:  # noqa: B008
    """Have three candidates written for each planned query: benchmark-work/B/candidates.parquet.

    Raises:
        ChatError: A call failed for good or the run was stopped; what was answered is recorded.
    """
    planned = plan(project, benchmark)
    model = project.settings.chat.generator
    requests = generation_requests(planned, blocks_of(project, benchmark), model)
    replies = ask_models(project, benchmark, "generate", requests, model, asking)
    candidates = read_generation(planned, replies, model)
    path = project.written(benchmark) / CANDIDATES_FILE
    write_parquet(path, candidate_table(candidates))
    note(f"{path}: {len(to_verify(candidates))} of {len(candidates)} candidates hold a question")


def verify(project: Project, benchmark: str, asking: Asking = Asking()) -> None:  # noqa: B008
    """Have every candidate scored and the best selected: benchmark-work/B/verified.parquet.

    The kept ones lie beside it as audit.parquet, from which `isogloss audit export` draws.

    Raises:
        DataError: The candidates are missing.
        ChatError: A call failed for good or the run was stopped; what was answered is recorded.
    """
    path = project.written(benchmark) / CANDIDATES_FILE
    candidates = read_candidates(read_parquet(path), str(path))
    blocks = blocks_of(project, benchmark)
    model = project.settings.chat.verifier
    requests = verification_requests(candidates, blocks, model)
    replies = ask_models(project, benchmark, "verify", requests, model, asking)
    verdicts = read_verdicts(candidates, replies)
    checks = [
        None
        if verdict.outcome == UNASKED
        else check(one, blocks[one.document], tuple(prompt_languages("generate", one.mode)))
        for one, verdict in zip(candidates, verdicts, strict=True)
    ]
    table = verified_table(candidates, verdicts, checks, model.name)
    path = project.written(benchmark) / VERIFIED_FILE
    write_parquet(path, table)
    audit = audit_rows(table, blocks)
    write_parquet(
        project.written(benchmark) / AUDIT_FILE, pa.Table.from_pylist(audit, schema=QUERY_AUDIT)
    )
    note(f"{path}: {table.column('fate').to_pylist().count('kept')} queries kept")


def blocks_of(project: Project, benchmark: str) -> dict[str, str]:
    """The evidence block of each document that models may be shown, by its id."""
    return evidence_blocks(_families(_corpus(project, settings_of(project, benchmark))))


def _asked_about(project: Project, settings: LlmBenchmarkSettings) -> list[Family]:
    corpus = _corpus(project, settings)
    found = _families(corpus)
    if not settings.chemistry:
        return found
    rows = corpus.select(["family", "codes"]).to_pylist()
    chemical = {row["family"] for row in rows if any(map(is_chemical, row["codes"]))}
    return [family for family in found if family.id in chemical]


def _families(corpus: pa.Table) -> list[Family]:
    return with_text(families(corpus))[0]


def _corpus(project: Project, settings: LlmBenchmarkSettings) -> pa.Table:
    return read_parquet(project.corpus(settings.corpus), CORPUS)
