"""Have the real verbs ask the reciter, so that recordings are those that the product makes."""

from collections.abc import Sequence
from typing import Any

from authored import texts
from authored.roles import asking
from authored.server import Reciter
from isogloss.files import read_parquet
from isogloss.llm.chat_requests import ChatRequest
from isogloss.project import Project
from isogloss.qac.candidates import read_candidates
from isogloss.qac.generation import PARTS, generation_requests
from isogloss.qac.seed_translations import parts_of, sample_sources, translation_requests
from isogloss.qac.verification import verification_requests
from isogloss.qac.versions import families
from isogloss.schema import CORPUS
from isogloss.stages import llm_queries, queries, seed_translations


def record(project: Project) -> int:
    """Record whatever the settings want of the maintainers, over what was recorded before.

    Args:
        project: With corpora; recordings and what the stages make of them are written into it.

    Returns:
        How many requests were answered.

    Raises:
        DataError: Something that is asked for is not written, or the other way round.
    """
    with Reciter() as reciter:
        there = asking(project, reciter.url)
        for source in there.settings.seed_translations:
            _seed(there, source, reciter)
        for benchmark in there.settings.llm_benchmarks:
            _queries(there, benchmark, reciter)
        return reciter.asked


def _seed(project: Project, source: str, reciter: Reciter) -> None:
    wanted = seed_translations.settings_of(project, source)
    corpus = read_parquet(project.corpus(source), CORPUS)
    sources = sample_sources(families(corpus), wanted.language, wanted.documents, wanted.seed)
    written = texts.translations(source, wanted.language)
    asked = {version.family for version in sources}
    texts.expected(asked, set(written), f"{source}-{wanted.language}.yaml")
    replies = [
        {part: written[version.family][part] for part in parts_of(version)} for version in sources
    ]
    requests = translation_requests(sources, wanted.language, project.settings.chat.translator)
    reciter.learn(requests, replies)
    project.recording(source, "seed").unlink(missing_ok=True)
    seed_translations.run(project, source)


def _queries(project: Project, benchmark: str, reciter: Reciter) -> None:
    chat = project.settings.chat
    written = texts.proposals(benchmark)
    planned = llm_queries.plan(project, benchmark)
    texts.expected({query.id for query in planned}, set(written), f"{benchmark}.yaml")
    blocks = llm_queries.blocks_of(project, benchmark)
    asked = generation_requests(planned, blocks, chat.generator)
    reciter.learn(asked, [{part: one[part] for part in PARTS} for one in _replies(asked, written)])
    project.recording(benchmark, "generate").unlink(missing_ok=True)
    queries.run(project, benchmark, step="generate")
    path = project.written(benchmark) / llm_queries.CANDIDATES_FILE
    candidates = read_candidates(read_parquet(path), str(path))
    asked = verification_requests(candidates, blocks, chat.verifier)
    reciter.learn(asked, [one["scores"] for one in _replies(asked, written)])
    project.recording(benchmark, "verify").unlink(missing_ok=True)
    queries.run(project, benchmark, step="verify")


def _replies(
    requests: Sequence[ChatRequest], written: dict[str, list[dict[str, Any]]]
) -> list[dict[str, Any]]:
    """What was written, in the order of the requests: their labels are TASK/QUERY/INDEX."""
    found = []
    for request in requests:
        _, query, index = request.replicate.split("/")
        found.append(written[query][int(index)])
    return found
