"""The prompts of queries and of translated documents, by task, mode and language."""

from functools import cache
from importlib.resources import files

from isogloss.errors import SettingsError
from isogloss.llm.prompt_text import Prompt, parse_prompt

_FILLED = {
    "generate": {"code", "passage", "number", "total"},
    "verify": {"code", "passage", "question", "answer", "evidence"},
    "seed": {"code", "texts"},
}


@cache
def read_prompt(task: str, mode: str, language: str) -> Prompt:
    """Read a prompt written in the language that a query is asked in.

    Raises:
        SettingsError: There is none in that language.
        DataError: The file lacks a part or a placeholder, or has one too many.
    """
    name = f"{task}-{mode}-{language}.txt"
    prompt = _read("queries", name, _FILLED[task])
    if prompt is None:
        known = ", ".join(prompt_languages(task, mode))
        raise SettingsError(
            f"llm_benchmarks: no prompt {name} for queries in {language!r} (has: {known}); "
            "write it, or leave the language out of `languages`"
        )
    return prompt


@cache
def read_translation_prompt(language: str) -> Prompt:
    """Read the prompt that asks for translations of documents into a language, written in it.

    Raises:
        SettingsError: There is none in that language.
        DataError: The file lacks a part or a placeholder, or has one too many.
    """
    name = f"seed-{language}.txt"
    prompt = _read("translations", name, _FILLED["seed"])
    if prompt is None:
        raise SettingsError(
            f"seed_translations: no prompt prompts/translations/{name}; write it, or translate "
            "into a language that has one"
        )
    return prompt


def _read(folder: str, name: str, filled: set[str]) -> Prompt | None:
    path = files("isogloss").joinpath("prompts", folder, name)
    if not path.is_file():
        return None
    return parse_prompt(path.read_text(encoding="utf-8"), name, filled)


def prompt_languages(task: str, mode: str) -> list[str]:
    """Languages that a task has prompts in."""
    folder = files("isogloss").joinpath("prompts", "queries")
    start = f"{task}-{mode}-"
    names = (entry.name for entry in folder.iterdir())
    return sorted(name[len(start) : -len(".txt")] for name in names if name.startswith(start))
