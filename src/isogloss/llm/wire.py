"""A request as the body of ``POST /chat/completions``."""

import json
from typing import Any

from isogloss.llm.chat_requests import ChatRequest, add_to_last

INSTRUCTION = (
    "Reply with exactly one JSON object that satisfies this JSON schema, and nothing else:\n"
    "{schema}"
)


def request_body(request: ChatRequest, structured: bool) -> dict[str, Any]:
    """The body to send.

    Args:
        request: What is asked.
        structured: Ask for the schema by `response_format`; else by a sentence under the last
            message, for models and servers that know no structured output. The reply is
            validated in both cases, and the request's key is the same.
    """
    schema = request.schema
    messages = request.messages
    if schema is not None and not structured:
        text = json.dumps(schema, ensure_ascii=False, sort_keys=True)
        messages = add_to_last(messages, INSTRUCTION.format(schema=text))
    body: dict[str, Any] = {
        "model": request.model,
        "messages": [{"role": turn.role, "content": turn.content} for turn in messages],
        **request.parameters,
    }
    if schema is not None and structured:
        form = {"name": "reply", "schema": schema, "strict": is_strict(schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    return body


def is_strict(schema: Any) -> bool:
    """Whether a schema may be sent as strict: objects are closed and every property required."""
    if isinstance(schema, list):
        return all(is_strict(part) for part in schema)
    if not isinstance(schema, dict):
        return True
    if schema.get("type") == "object":
        required = schema.get("required", [])
        if schema.get("additionalProperties") is not False:
            return False
        if set(required) != set(schema.get("properties", {})):
            return False
    return all(is_strict(part) for part in schema.values())
