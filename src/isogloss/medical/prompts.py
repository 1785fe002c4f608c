"""The prompts of the medical evaluation: text files by task and language."""

from functools import cache
from importlib.resources import files

from isogloss.errors import SettingsError
from isogloss.files import sha256_bytes
from isogloss.llm.prompt_text import BORDER, Prompt, parse_prompt

_FILLED = {
    "translate-MCQA": {"code", "input"},
    "translate-NLI": {"code", "input"},
    "translate-QA": {"code", "input", "target"},
    "refusals": {"code", "question", "reply"},
    "judge": {"code", "language", "question", "reference", "answer"},
}


@cache
def answer_prompt(task: str, language: str) -> Prompt:
    """The prompt of a task in the item's language, under the system message common to all.

    Raises:
        SettingsError: There is none in that language.
    """
    system, user = _read("answer-system"), _read(f"answer-{task}-{language}")
    return parse_prompt(f"{system}{BORDER}{user}", f"answer-{task}-{language}.txt", {"input"})


@cache
def translate_prompt(task: str, language: str) -> Prompt:
    """The translator's prompt: what the task asks, then what holds for the target language.

    Raises:
        SettingsError: There is no prompt for that task, or no notes on that language.
    """
    prompt = _prompt(f"translate-{task}")
    notes = _read(f"translate-notes-{language}").strip()
    return Prompt(f"{prompt.system}\n\n{notes}", prompt.user)


def refusal_prompt() -> Prompt:
    """The prompt of the classifier that tells refusals."""
    return _prompt("refusals")


def judge_prompt() -> Prompt:
    """The judge's prompt: the rubric of HealMed, appendix D, in our own words."""
    return _prompt("judge")


@cache
def prompts_hash() -> str:
    """One state of all these prompts: 16 hex digits over their names and texts."""
    folder = files("isogloss").joinpath("prompts", "medical")
    named = sorted((entry.name, entry.read_bytes()) for entry in folder.iterdir())
    return sha256_bytes(b"\0".join(name.encode() + b"\0" + text for name, text in named))[:16]


@cache
def _prompt(name: str) -> Prompt:
    return parse_prompt(_read(name), f"{name}.txt", _FILLED[name])


def _read(name: str) -> str:
    path = files("isogloss").joinpath("prompts", "medical", f"{name}.txt")
    if not path.is_file():
        raise SettingsError(
            f"medical: no prompt {name}.txt; write it, or leave the language out of `languages`"
        )
    return path.read_text(encoding="utf-8")
