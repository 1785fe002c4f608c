"""One request to a chat model, and the key under which its reply is recorded."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from isogloss.errors import UsageError
from isogloss.files import sha256_bytes
from isogloss.llm.chat_models import ChatModelSettings

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True)
class Message:
    """One turn of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True)
class ChatRequest:
    """The whole of what is asked.

    Attributes:
        model: The model's name as the server knows it.
        messages: The turns; the last is the user's.
        parameters: Fields of the request's body beside model and messages, under their wire names.
        schema: JSON schema of the object to be returned, or None for free text.
        replicate: Tells equal requests apart that shall have answers of their own: stage, arm and
            sample index, for instance ``answer/mt/0``.
    """

    model: str
    messages: tuple[Message, ...]
    parameters: dict[str, Any]
    schema: dict[str, Any] | None
    replicate: str

    def __post_init__(self) -> None:
        if not self.messages or self.messages[-1].role != "user":
            raise UsageError(f"request {self.replicate!r}: the last message must be the user's")
        if self.schema is not None and self.schema.get("type") != "object":
            raise UsageError(f"request {self.replicate!r}: the schema must describe an object")

    @cached_property
    def key(self) -> str:
        """SHA-256 over model, messages, parameters, schema and the replicate label.

        Raises:
            UsageError: A part cannot be written as JSON.
        """
        whole = {
            "messages": [[turn.role, turn.content] for turn in self.messages],
            "model": self.model,
            "parameters": self.parameters,
            "replicate": self.replicate,
            "schema": self.schema,
        }
        try:
            text = json.dumps(
                whole, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
            )
            return sha256_bytes(text.encode("utf-8"))
        except (TypeError, ValueError) as error:
            raise UsageError(
                f"request {self.replicate!r} to {self.model}: no valid JSON ({error})"
            ) from error

    @property
    def label(self) -> str:
        """How messages name the request."""
        return f"{self.key[:12]} ({self.replicate or 'no replicate label'}, model {self.model})"


def chat_request(
    model: ChatModelSettings,
    messages: Iterable[Message],
    *,
    replicate: str,
    schema: dict[str, Any] | None = None,
) -> ChatRequest:
    """A request in the form that a model accepts.

    Where a model takes no system message, its text is put before the first message of the user
    (HealMed, answering protocol).
    """
    parameters = dict(model.extra_body)
    if model.max_tokens is not None:
        parameters[model.max_tokens_field] = model.max_tokens
    if model.temperature is not None:
        parameters["temperature"] = model.temperature
    turns = tuple(messages)
    if not model.system_message:
        turns = _without_system(turns)
    return ChatRequest(model.name, turns, parameters, schema, replicate)


def _without_system(turns: Sequence[Message]) -> tuple[Message, ...]:
    system = [turn.content for turn in turns if turn.role == "system"]
    others = [turn for turn in turns if turn.role != "system"]
    for index, turn in enumerate(others):
        if system and turn.role == "user":
            others[index] = Message("user", "\n\n".join([*system, turn.content]))
            break
    return tuple(others)


def add_to_last(turns: Sequence[Message], note: str) -> tuple[Message, ...]:
    """The same turns with a note under the last one, so that roles go on alternating."""
    last = turns[-1]
    return (*turns[:-1], Message(last.role, f"{last.content}\n\n{note}"))
