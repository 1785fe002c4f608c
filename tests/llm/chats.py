"""A model, requests and a schema for tests over the loopback server."""

import os
from typing import Any

from isogloss.llm.chat_models import ChatModelSettings
from isogloss.llm.chat_requests import ChatRequest, Message, chat_request

SECRET = "key-0123456789abcdef"  # noqa: S105
os.environ["LOOPBACK_KEY"] = SECRET
SCORE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "score": {"type": "integer", "minimum": 1, "maximum": 5},
        "verdict": {"enum": ["yes", "maybe", "no"]},
    },
    "required": ["score"],
}


def model_at(url: str, **settings: Any) -> ChatModelSettings:
    """Quick retries, a key from the environment."""
    quick = {"name": "loopback", "api_key_env": "LOOPBACK_KEY", "retry_seconds": 0.001}
    return ChatModelSettings(base_url=url, **{**quick, **settings})


def questions(
    model: ChatModelSettings, *texts: str, schema: dict[str, Any] | None = None
) -> list[ChatRequest]:
    """One request a text."""
    return [
        chat_request(model, [Message("user", text)], replicate="test/0", schema=schema)
        for text in texts
    ]
