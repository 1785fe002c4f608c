"""The queries of a benchmark in other languages, from recordings or from the chat translator."""

from isogloss.benchmark import Benchmark
from isogloss.chat_settings import ChatModelSettings, ChatTask
from isogloss.llm.faults import MissingKeyError
from isogloss.llm.recordings import Recordings
from isogloss.progress import note
from isogloss.project import Project
from isogloss.retrieval.derived import QueryTranslation
from isogloss.retrieval.query_translation import (
    target_languages,
    translated_queries,
    translation_requests,
    untranslated,
    wanted_translations,
)
from isogloss.stages.asking import Asking, ask_models

TASK: ChatTask = "translate-queries"


def recording_name(benchmark: str, model: str) -> str:
    """What the recordings of a derived retriever on a benchmark are named for."""
    return f"{benchmark}.{model}"


def translate(
    project: Project, benchmark: Benchmark, declaration: QueryTranslation, *, offline: bool = False
) -> dict[str, dict[str, str]]:
    """Translate a benchmark's queries, each distinct text once per language.

    A translator that only replays leaves queries that nobody translated in their own words. The
    declared translator must be `chat.translator` to be asked; whatever is recorded under its
    name is used in any case.

    Returns:
        Texts by query id, by language.

    Raises:
        OfflineError: A translation is not recorded, and nobody may be asked; it is named.
        MissingKeyError: The translator's key is not in the environment.
        ChatError: Calls failed for good; what was answered is recorded.
        DataError: A reply holds no translation.
    """
    model, translator = project.settings.chat.translator, declaration.translator
    if model.name != translator:
        model, offline = ChatModelSettings(name=translator), True
    targets = target_languages(declaration, benchmark)
    requests = translation_requests(wanted_translations(benchmark, targets), model)
    name = recording_name(benchmark.name, declaration.key)
    asked = list(requests.values())
    try:
        replies = ask_models(project, name, TASK, asked, model, Asking(offline=offline))
    except MissingKeyError as error:
        path = project.recording(name, TASK)
        lacking = [one for one in asked if one.key not in Recordings(path)]
        raise MissingKeyError(
            f"{path}: no recording of request {lacking[0].label} and {len(lacking) - 1} more, and "
            f"{translator} cannot be asked: {error}"
        ) from error
    texts = translated_queries(
        benchmark, targets, dict(zip(requests, replies, strict=True)), own_words=model.replay_only
    )
    said = untranslated(benchmark, texts)
    if said:
        note(f"{benchmark.name} {declaration.key}: {said}")
    return texts
