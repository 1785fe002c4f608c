"""Prompts as text files, filled so that no text can act as a placeholder or leave its block."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from isogloss.errors import DataError, SettingsError
from isogloss.files import sha256_bytes
from isogloss.llm.chat_requests import Message

BORDER = "\n---\n"
_PLACEHOLDER = re.compile(r"\{\{([a-z_]+)\}\}")
_FILLED = {
    "generate": {"code", "passage", "number", "total"},
    "verify": {"code", "passage", "question", "answer", "evidence"},
    "seed": {"code", "texts"},
}


@dataclass(frozen=True)
class Prompt:
    """A prompt in two parts.

    Attributes:
        system: What is asked. It holds no placeholder: no document can change a letter of it.
        user: Where the texts go, each in a block between marks that carry a code.
    """

    system: str
    user: str

    def messages(self, texts: Mapping[str, str], **plain: str) -> tuple[Message, ...]:
        """Fill the user's part.

        The code of the marks is a hash of the texts, so no text can hold the mark that ends its
        own block. Placeholders are filled in one pass: a text that looks like one stays as it is.

        Args:
            texts: Text by placeholder; any content.
            plain: Further values, chosen by this project.
        """
        code = sha256_bytes("\0".join(f"{name}\0{texts[name]}" for name in sorted(texts)).encode())
        values = {**plain, **texts, "code": code[:12]}
        filled = _PLACEHOLDER.sub(lambda found: values[found[1]], self.user)
        return Message("system", self.system), Message("user", filled)


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
    system, border, user = path.read_text(encoding="utf-8").partition(BORDER)
    if not border or _PLACEHOLDER.search(system):
        raise DataError(f"{name}: must hold a line --- and no placeholder above it")
    if (found := set(_PLACEHOLDER.findall(user))) != filled:
        odd = ", ".join(sorted(found ^ filled))
        raise DataError(f"{name}: placeholders missing or unknown: {odd}")
    return Prompt(system.strip(), user.strip())


def prompt_languages(task: str, mode: str) -> list[str]:
    """Languages that a task has prompts in."""
    folder = files("isogloss").joinpath("prompts", "queries")
    start = f"{task}-{mode}-"
    names = (entry.name for entry in folder.iterdir())
    return sorted(name[len(start) : -len(".txt")] for name in names if name.startswith(start))
