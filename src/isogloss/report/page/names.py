"""Names and meanings that the page prints, which are data: languages.yaml and meanings.yaml."""

from functools import cache
from pathlib import Path
from typing import Any

from isogloss.settings import read_yaml

FOLDER = Path(__file__).parent


@cache
def _read(name: str) -> dict[str, Any]:
    content = read_yaml(FOLDER / name)
    return dict(content)


def language_name(code: str) -> str:
    """A language's English name with its code; the code alone where it has no name here."""
    name = _read("languages.yaml").get(code)
    return f"{name} ({code})" if name else code


def meanings(section: str) -> list[tuple[str, str]]:
    """What each figure of a section means: a term and one sentence each."""
    return [(str(term), str(said)) for term, said in _read("meanings.yaml")[section].items()]
