"""Queries in other languages, asked of a chat model: the requests, and the texts they come to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from typing import Any

from isogloss.benchmark import Benchmark
from isogloss.errors import DataError
from isogloss.files import json_bytes, sha256_bytes
from isogloss.llm.chat_models import ChatModelSettings
from isogloss.llm.chat_requests import ChatRequest, Message, chat_request
from isogloss.llm.replies import Reply
from isogloss.retrieval.derived import DOCUMENT_LANGUAGES, QueryTranslation
from isogloss.retrieval.vectors import name_some
from isogloss.settings import read_yaml

BORDER = "\n---\n"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"translation": {"type": "string", "minLength": 1}},
    "required": ["translation"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Wanted:
    """One text to be translated.

    Attributes:
        query: The query's id.
        text: Its text.
        source: Its language.
        target: The language it is wanted in.
    """

    query: str
    text: str
    source: str
    target: str


def target_languages(declaration: QueryTranslation, benchmark: Benchmark) -> list[str]:
    """The languages that every query is wanted in, sorted."""
    if declaration.into == DOCUMENT_LANGUAGES:
        return sorted({document.metadata.language for document in benchmark.documents})
    return sorted(declaration.into)


def wanted_translations(benchmark: Benchmark, targets: Sequence[str]) -> list[Wanted]:
    """What has to be translated: each query into each target that is not its own language."""
    return [
        Wanted(query.id, query.text, query.metadata.language, target)
        for query in benchmark.queries
        for target in targets
        if query.metadata.language != target
    ]


def translation_requests(
    wanted: Sequence[Wanted], model: ChatModelSettings
) -> dict[tuple[str, str, str], ChatRequest]:
    """One request for each distinct text, source and target language, whatever queries share it."""
    requests: dict[tuple[str, str, str], ChatRequest] = {}
    for one in wanted:
        asked = (one.source, one.target, one.text)
        if asked not in requests:
            requests[asked] = chat_request(
                model,
                _messages(one),
                schema=SCHEMA,
                replicate=f"translate-query/{one.source}-{one.target}",
            )
    return requests


def translated_queries(
    benchmark: Benchmark,
    targets: Sequence[str],
    replies: Mapping[tuple[str, str, str], Reply],
    *,
    own_words: bool = False,
) -> dict[str, dict[str, str]]:
    """The text of every query in every target language: its own, or the reply.

    Args:
        benchmark: Its queries.
        targets: The languages.
        replies: By source language, target language and text.
        own_words: A query without a translation is searched for in its own words.

    Returns:
        Texts by query id, by language.

    Raises:
        DataError: A reply holds no translation, and own words will not do; the queries are named.
    """
    by_language: dict[str, dict[str, str]] = {}
    missing: list[str] = []
    for target in targets:
        texts: dict[str, str] = {}
        for query in benchmark.queries:
            source = query.metadata.language
            if source == target:
                texts[query.id] = query.text
                continue
            value = replies[source, target, query.text].value
            text = " ".join(str(value["translation"]).split()) if value is not None else ""
            if not text:
                missing.append(f"{query.id} into {target}")
            texts[query.id] = text or query.text
        by_language[target] = texts
    if missing and not own_words:
        raise DataError(
            f"{benchmark.name}: {len(missing)} queries got no translation ({name_some(missing)}); "
            "ask another translator, or leave the language out of `into`"
        )
    return by_language


def untranslated(benchmark: Benchmark, texts: Mapping[str, Mapping[str, str]]) -> str:
    """How many translations are the query's own words, in one sentence; empty without any."""
    foreign = [
        (by_query[query.id], query.text)
        for target, by_query in texts.items()
        for query in benchmark.queries
        if query.metadata.language != target
    ]
    same = sum(text == own for text, own in foreign)
    if not same:
        return ""
    return (
        f"{same} of {len(foreign)} translations are the query's own words: nobody translated "
        "them, or both languages say the same"
    )


def prompt_hash() -> str:
    """32 hex digits that stand for the prompt and the form of its reply; part of the release."""
    return sha256_bytes(json_bytes([*_prompt(), SCHEMA], indent=None))[:32]


@cache
def language_names() -> dict[str, str]:
    """What prompts call languages, by code."""
    with as_file(_folder().joinpath("languages.yaml")) as path:
        names: dict[str, str] = read_yaml(path)
    return names


@cache
def _prompt() -> tuple[str, str]:
    """What is asked, and where the text goes."""
    text = _folder().joinpath("query.txt").read_text(encoding="utf-8")
    system, border, user = text.partition(BORDER)
    if not border:
        raise DataError("prompts/translation/query.txt: must hold a line --- between its parts")
    return system.strip(), user.strip()


def _folder() -> Traversable:
    return files("isogloss").joinpath("prompts", "translation")


def _messages(wanted: Wanted) -> tuple[Message, Message]:
    """The filled prompt; the marks' code is a hash of the text, so no text can hold its own end."""
    system, user = _prompt()
    for place, code in (("source", wanted.source), ("target", wanted.target)):
        system = system.replace(f"{{{{{place}}}}}", language_names().get(code, code))
    user = user.replace("{{code}}", sha256_bytes(wanted.text.encode())[:12])
    # Last, so that nothing in the text is taken for a place to be filled.
    return Message("system", system), Message("user", user.replace("{{query}}", wanted.text))
