"""``python -m authored.query_translations``: have the product ask for them, and record."""

import json
import sys
from dataclasses import replace
from pathlib import Path

from authored.server import Reciter
from isogloss.benchmark import read_benchmark
from isogloss.chat_settings import ChatModelSettings
from isogloss.errors import DataError, IsoglossError
from isogloss.progress import counted
from isogloss.project import Project, find_project
from isogloss.retrieval.declaration import read_declaration
from isogloss.retrieval.derived import QueryTranslation
from isogloss.retrieval.query_translation import (
    target_languages,
    translation_requests,
    wanted_translations,
)
from isogloss.stages import derive
from isogloss.stages.translated_queries import TASK, recording_name

BENCHMARK, MODEL = "epo-title", "bm25-translated"


def main() -> int:
    """Record, and say how many texts were."""
    try:
        print(f"{counted(record(find_project()), 'translation')} recorded")
    except IsoglossError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def record(project: Project) -> int:
    """Make the recording anew.

    Args:
        project: With the benchmark and the inner model's manifest.

    Returns:
        How many translations were asked for.

    Raises:
        DataError: A translation is asked for that is not written, or the other way round.
    """
    declaration = read_declaration(project.model(MODEL))
    if not isinstance(declaration, QueryTranslation):
        raise DataError(f"{project.model(MODEL)}: translates no queries")
    benchmark = read_benchmark(project.benchmark(BENCHMARK), BENCHMARK)
    wanted = wanted_translations(benchmark, target_languages(declaration, benchmark))
    model = ChatModelSettings(name=declaration.translator)
    requests = translation_requests(wanted, model)
    written = texts()
    odd = sorted(requests.keys() ^ written.keys())
    if odd:
        raise DataError(
            f"{BENCHMARK}.jsonl: {counted(len(odd), 'text')} written or asked for alone, the first "
            f"is {' '.join(odd[0])!r}"
        )
    project.recording(recording_name(BENCHMARK, MODEL), TASK).unlink(missing_ok=True)
    with Reciter() as reciter:
        replies = [{"translation": written[asked]} for asked in requests]
        reciter.learn(requests.values(), replies)
        there = model.model_copy(update={"base_url": reciter.url})
        # One call at a time keeps the lines in order.
        chat = project.settings.chat.model_copy(update={"translator": there, "concurrency": 1})
        settings = project.settings.model_copy(update={"chat": chat})
        derive.run(replace(project, settings=settings), benchmark, declaration)
    return len(requests)


def texts() -> dict[tuple[str, str, str], str]:
    """What is written, by source language, target language and query."""
    path = Path(__file__).parent / f"{BENCHMARK}.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {(row["source"], row["target"], row["text"]): row["translation"] for row in rows}


if __name__ == "__main__":
    sys.exit(main())
