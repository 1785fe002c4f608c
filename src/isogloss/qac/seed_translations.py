"""A seeded sample of documents is translated by a chat model (ChemCLIR-Bench A.3.1)."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from isogloss.chat_settings import ChatModelSettings
from isogloss.errors import DataError
from isogloss.llm.chat_requests import ChatRequest, chat_request
from isogloss.llm.outcomes import Outcome
from isogloss.llm.replies import Reply
from isogloss.qac.prompts import read_translation_prompt
from isogloss.qac.quantities import missing_quantities
from isogloss.qac.question_language import question_language
from isogloss.qac.seeded import draw
from isogloss.qac.versions import Family, Version

# What is translated, and what the sheets of the audit show as the source.
SOURCE_LANGUAGE = "en"
PARTS = ("title", "abstract", "claim")
TRANSLATED = "translated"
BLANK = "blank"
OTHER_LANGUAGE = "other_language"
QUANTITIES = "quantities_missing"
# Why a sampled document has no translation.
REASONS = (
    *(outcome.value for outcome in Outcome if outcome is not Outcome.ANSWERED),
    BLANK,
    OTHER_LANGUAGE,
    QUANTITIES,
)


@dataclass(frozen=True)
class Translation:
    """What became of one sampled document.

    Attributes:
        source: The version that was to be translated.
        fate: "translated" or one of `REASONS`.
        reason: What is wrong in words; None for a translation.
        texts: Translation by part; empty where there is none that can be used.
    """

    source: Version
    fate: str
    reason: str | None
    texts: dict[str, str]


def parts_of(version: Version) -> dict[str, str]:
    """Title, abstract and first claim, those that the version has."""
    return {name: text for name in PARTS if (text := getattr(version, name).strip())}


def sample_sources(
    families: Iterable[Family], language: str, documents: int, seed: int
) -> list[Version]:
    """Draw the English versions that shall be translated, sorted by id.

    A family gives one where it has an English version with a body and none in the language yet.
    They are drawn by hash: a larger sample holds the smaller one.

    Raises:
        DataError: There are fewer than are wanted.
    """
    found = [
        version
        for family in families
        if family.version(language) is None
        and (version := family.version(SOURCE_LANGUAGE)) is not None
        and version.body
    ]
    if len(found) < documents:
        raise DataError(
            f"{documents} documents are to be translated, but {len(found)} families have an "
            f"English version and none in {language!r}; ask for fewer"
        )
    drawn = sorted(found, key=lambda one: (draw(seed, "seed translation", one.family), one.id))
    return sorted(drawn[:documents], key=lambda one: one.id)


def translation_requests(
    sources: Iterable[Version], language: str, model: ChatModelSettings
) -> list[ChatRequest]:
    """One request a document, which asks for each of its parts.

    Raises:
        SettingsError: There is no prompt for the language.
    """
    prompt = read_translation_prompt(language)
    requests = []
    for version in sources:
        parts = parts_of(version)
        requests.append(
            chat_request(
                model,
                prompt.messages({"texts": json.dumps(parts, ensure_ascii=False, indent=2)}),
                replicate=f"seed/{language}/{version.id}",
                schema=_schema(parts),
            )
        )
    return requests


def _schema(parts: Iterable[str]) -> dict[str, Any]:
    names = list(parts)
    return {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "required": names,
        "additionalProperties": False,
    }


def read_translations(
    sources: Sequence[Version], replies: Sequence[Reply], language: str
) -> list[Translation]:
    """Replies, in the order of their requests, checked without a model.

    Each part must be there, be in the language (as a whole) and hold every number and unit of its
    source: a document that lost one would be gold for questions that it does not answer.
    """
    return [
        _read(version, reply, language) for version, reply in zip(sources, replies, strict=True)
    ]


def _read(version: Version, reply: Reply, language: str) -> Translation:
    if reply.outcome is not Outcome.ANSWERED:
        return Translation(version, reply.outcome.value, reply.reason, {})
    parts = parts_of(version)
    texts = {name: str((reply.value or {}).get(name, "")).strip() for name in parts}
    blank = [name for name in parts if not texts[name]]
    if blank:
        return Translation(version, BLANK, f"{blank[0]} is blank", {})
    found = question_language("\n".join(texts.values()), (SOURCE_LANGUAGE, language))
    if found != language:
        return Translation(version, OTHER_LANGUAGE, f"looks like {found or 'none'}", {})
    lost = {name: missing_quantities(parts[name], texts[name]) for name in parts}
    if any(lost.values()):
        said = "; ".join(f"{name} lacks {', '.join(what)}" for name, what in lost.items() if what)
        return Translation(version, QUANTITIES, said, {})
    return Translation(version, TRANSLATED, None, texts)


def translation_counts(translations: Sequence[Translation]) -> dict[str, object]:
    """Sampled = translated + each reason."""
    fates = Counter(one.fate for one in translations)
    return {
        "sampled": len(translations),
        TRANSLATED: fates[TRANSLATED],
        "left_out": {reason: fates[reason] for reason in REASONS},
    }
