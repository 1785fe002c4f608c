"""API keys come from the environment and are cut out of every text that could be kept or shown."""

import os
import re

from isogloss.llm.chat_models import ChatModelSettings
from isogloss.llm.faults import MissingKeyError

HIDDEN = "[key removed]"
# Shorter ones ("none", "EMPTY") are what servers without keys are given, and occur in prose.
SHORTEST_SECRET = 8
# Keys that servers echo in part, as OpenAI does: "sk-abc***xyz".
_LOOKS_LIKE_KEY = re.compile(r"\bsk-[A-Za-z0-9_*-]{6,}")


def read_api_key(model: ChatModelSettings) -> str | None:
    """The key of a model, or None where its settings name no variable for one.

    Raises:
        MissingKeyError: The variable is empty, or holds what no HTTP header can carry (the HTTP
            library would repeat the whole header in its own message).
    """
    if model.api_key_env is None:
        return None
    key = os.environ.get(model.api_key_env, "").strip()
    where = f"environment variable {model.api_key_env} (model {model.name})"
    if not key:
        raise MissingKeyError(f"{where} is not set; it must hold the API key")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise MissingKeyError(f"{where} holds blanks or characters that no API key has")
    return key


def hide_key(text: str, key: str | None) -> str:
    """Remove a key from a text."""
    if key is not None and len(key) >= SHORTEST_SECRET:
        text = text.replace(key, HIDDEN)
    return text


def safe_reason(text: str, key: str | None, length: int = 300) -> str:
    """A server's message folded into one line, cut, without the key or what looks like one."""
    folded = " ".join(hide_key(text, key).split())
    return _LOOKS_LIKE_KEY.sub(HIDDEN, folded)[:length]
